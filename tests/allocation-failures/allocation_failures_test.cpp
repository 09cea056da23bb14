// Each allocation of loading, running and training fails in turn: what comes of it is a result or
// Error(out_of_memory), and with memory the same thing then works.
#include <gtest/gtest.h>

#include <exception>
#include <iostream>
#include <new>
#include <set>
#include <string>

#include "failing_new.hpp"
#include "operations.hpp"

namespace switchyard::allocation_failures {
namespace {

// What ends the process would say nothing of where.
[[noreturn]] void say_where() {
  std::cerr << "std::terminate, after the allocation failed that was asked for here:\n";
  FailingAllocation::print_place();
  std::abort();
}

class AllocationFailures : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::set_terminate(say_where); }

  // The first time everything that is made once is made, and fails to be, too: nothing is performed
  // with memory before. After that each failure is followed by the same thing with memory.
  void try_all(const std::unique_ptr<Operation>& operation) {
    const std::uint64_t first = try_each(*operation, false);
    check(*operation, first);
    const std::uint64_t again = try_each(*operation, true);
    std::cout << first << " allocations the first time, " << again << " when all is there; "
              << errors_ << " errors\n";
    EXPECT_GT(again, 0u);
    EXPECT_GT(errors_, 0u);
  }

 private:
  // How many allocations it takes.
  std::uint64_t try_each(Operation& operation, bool checks) {
    std::uint64_t number = 0;
    while (fails_at(operation, number)) {
      if (checks) check(operation, number);
      if (HasFailure() && ++failures_ > 20) break;
      ++number;
    }
    return number;
  }

  // Whether it has as many allocations.
  bool fails_at(Operation& operation, std::uint64_t number) {
    operation.prepare();
    std::string wrong;
    {
      const FailingAllocation failing(number);
      try {
        operation.perform();
      } catch (const Error& error) {
        ++errors_;
        if (error.kind() != ErrorKind::out_of_memory) wrong = error.what();
      } catch (const std::exception& exception) {
        wrong = exception.what();
      } catch (...) {
        wrong = "something that is no exception";
      }
    }
    const bool has_failed = FailingAllocation::has_failed();
    if (!wrong.empty()) {
      ADD_FAILURE() << "allocation " << number << ": " << wrong;
      FailingAllocation::print_place();
    }
    return has_failed;
  }

  void check(Operation& operation, std::uint64_t number) {
    operation.prepare();
    operation.perform();
    EXPECT_EQ(operation.result(), operation.expected()) << "after allocation " << number;
  }

  std::uint64_t errors_ = 0;
  int failures_ = 0;
};

TEST_F(AllocationFailures, OfLoadingARuntimeAreErrors) { try_all(loading_a_runtime()); }
TEST_F(AllocationFailures, OfLoadingAModelAreErrors) { try_all(loading_a_model()); }
TEST_F(AllocationFailures, OfRunningAModelAreErrors) { try_all(running_a_model()); }
TEST_F(AllocationFailures, OfMakingANetworkAreErrors) { try_all(making_a_network()); }
TEST_F(AllocationFailures, OfTrainingAStepAreErrors) { try_all(training_a_step()); }

}  // namespace
}  // namespace switchyard::allocation_failures
