// Each allocation of loading, running and training fails in turn: what comes of it is a result or
// Error(out_of_memory), and with memory the same thing then works. The first time in a process, and
// everywhere with SWITCHYARD_TESTS=short, some allocations do.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>

#include "failing_new.hpp"
#include "operations.hpp"
#include "short_tests.hpp"

namespace switchyard::allocation_failures {
namespace {

using Make = std::unique_ptr<Operation> (*)();

// What came of an operation of which one allocation has failed.
struct Outcome {
  bool has_failed = false;  // there was such an allocation
  bool is_error = false;
  std::string wrong;  // "": a result, or an error as it must be
};

// What ends the process would say nothing of where.
[[noreturn]] void say_where() {
  std::cerr << "std::terminate, after the allocation failed that was asked for here:\n";
  FailingAllocation::print_place();
  std::abort();
}

Outcome perform_without(Operation& operation, std::uint64_t number) {
  operation.prepare();
  Outcome outcome;
  {
    const FailingAllocation failing(number);
    try {
      operation.perform();
    } catch (const Error& error) {
      outcome.is_error = true;
      if (error.kind() != ErrorKind::out_of_memory) outcome.wrong = error.what();
    } catch (const std::bad_alloc& exception) {
      outcome.is_error = true;
      if (!operation.may_throw_bad_alloc()) outcome.wrong = exception.what();
    } catch (const std::exception& exception) {
      outcome.wrong = exception.what();
    } catch (...) {
      outcome.wrong = "something that is no exception";
    }
  }
  outcome.has_failed = FailingAllocation::has_failed();
  return outcome;
}

// With memory.
bool works(Operation& operation) {
  operation.prepare();
  operation.perform();
  return operation.result() == operation.expected();
}

// How a child says what came of it.
enum Ending : int { as_it_must_be = 0, without_a_failure = 1, wrong = 2, broken_afterwards = 3 };

[[noreturn]] void try_in_child(Make make, std::uint64_t number) {
  const std::unique_ptr<Operation> operation = make();
  const Outcome outcome = perform_without(*operation, number);
  if (!outcome.wrong.empty()) {
    std::cerr << "allocation " << number << ": " << outcome.wrong << "\n";
    FailingAllocation::print_place();
    _exit(wrong);
  }
  if (!works(*operation)) _exit(broken_afterwards);
  _exit(outcome.has_failed ? as_it_must_be : without_a_failure);
}

class AllocationFailures : public testing::Test {
 protected:
  static void SetUpTestSuite() { std::set_terminate(say_where); }

  // In a process of its own each, where what is made once in a process is yet to be made. This one
  // has run nothing on a device, or its children could not.
  void try_the_first_time(Make make) {
    const std::uint64_t step = are_tests_short() ? 211 : 29;
    int failures = 0;
    std::uint64_t number = 0;
    for (; failures < kMostFailures; number += step) {
      const pid_t child = fork();
      ASSERT_NE(child, -1);
      if (child == 0) try_in_child(make, number);
      int status = 0;
      ASSERT_EQ(waitpid(child, &status, 0), child);
      ASSERT_TRUE(WIFEXITED(status)) << "allocation " << number << ": signal " << WTERMSIG(status);
      const int ending = WEXITSTATUS(status);
      if (ending == without_a_failure) break;
      if (ending == as_it_must_be) continue;
      ++failures;
      ADD_FAILURE() << "allocation " << number << ": ending " << ending;
    }
    EXPECT_GT(number, 0u);
    std::cout << "about " << number << " allocations the first time\n";
  }

  // All allocations of what has been done before; after every `checked`th the same is done with
  // memory.
  void try_again(Make make, std::uint64_t checked = 1) {
    const std::unique_ptr<Operation> operation = make();
    ASSERT_TRUE(works(*operation));
    const std::uint64_t step = are_tests_short() ? 17 : 1;
    std::uint64_t number = 0, errors = 0;
    for (int failures = 0; failures < kMostFailures; number += step) {
      const Outcome outcome = perform_without(*operation, number);
      if (!outcome.has_failed) break;
      errors += outcome.is_error ? 1 : 0;
      if (!outcome.wrong.empty()) {
        ++failures;
        ADD_FAILURE() << "allocation " << number << ": " << outcome.wrong;
        FailingAllocation::print_place();
      }
      if (number / step % checked != 0) continue;
      EXPECT_TRUE(works(*operation)) << "after allocation " << number;
    }
    EXPECT_TRUE(works(*operation));
    EXPECT_GT(errors, 0u);
    std::cout << "about " << number << " allocations, " << errors << " errors\n";
  }

 private:
  static constexpr int kMostFailures = 20;  // that are told
};

TEST_F(AllocationFailures, OfTheFirstRuntimeAreErrors) { try_the_first_time(loading_a_runtime); }
TEST_F(AllocationFailures, OfTheFirstModelAreErrors) { try_the_first_time(loading_a_model); }
TEST_F(AllocationFailures, OfTheFirstRunAreErrors) { try_the_first_time(running_a_model); }
TEST_F(AllocationFailures, OfTheFirstNetworkAreErrors) { try_the_first_time(making_a_network); }
TEST_F(AllocationFailures, OfTheFirstStepAreErrors) { try_the_first_time(training_a_step); }

// These run on a device: they come last.
TEST_F(AllocationFailures, OfAnotherRuntimeAreErrors) { try_again(loading_a_runtime, 16); }
TEST_F(AllocationFailures, OfAnotherModelAreErrors) { try_again(loading_a_model); }
TEST_F(AllocationFailures, OfAnotherRunAreErrors) { try_again(running_a_model); }
TEST_F(AllocationFailures, OfAnotherNetworkAreErrors) { try_again(making_a_network); }
TEST_F(AllocationFailures, OfAnotherStepAreErrors) { try_again(training_a_step); }

}  // namespace
}  // namespace switchyard::allocation_failures
