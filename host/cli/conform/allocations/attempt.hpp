#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/conform/allocations/failing_allocations.hpp"
#include "cli/conform/plugin/call.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/programs/test_program.hpp"

namespace switchyard::cli::conform {

/// A part of what is done with a device.
enum class Step { none, open_device, create_stream, allocate, copy, prepare, run, wait, end };

/// A device is opened, prepares and runs a program of one node, copies its inputs and outputs, and
/// is closed. The allocations of one step are counted, and one of them may fail. Then each call
/// may return an error; all that was made is given back, without failures, and that must succeed.
class Attempt {
 public:
  /// `beside` is a device of the plugin, which is not used; `what` begins each message.
  Attempt(TestDevice& beside, TestProgram& program, Step step, std::string what);
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  /// False if a call has failed. Fails the case where all have succeeded and the outputs are not
  /// what the reference has.
  bool run();

 private:
  template <typename Args>
  Answer take(Step step, std::string_view slot, sy_status (*function)(Args*, sy_error*),
              Args& args);
  template <typename Args>
  void give_back(std::string_view slot, sy_status (*function)(Args*, sy_error*), Args& args);
  bool may_fail_late(Step step) const;
  bool make();
  bool open();
  bool create_stream();
  bool prepare();
  bool allocate(std::uint64_t size_bytes, sy_storage& storage);
  bool allocate_all();
  bool copy(const Literal& value, sy_region source, sy_region destination);
  bool enqueue();
  bool wait();
  void end();
  void compare() const;

  TestDevice& beside_;
  const sy_plugin& slots_;
  TestProgram& program_;
  const Step step_;
  const std::string what_;
  std::vector<Literal> found_;  // until the stream has ended
  sy_device device_ = nullptr;
  sy_stream stream_ = nullptr;
  sy_kernel kernel_ = nullptr;
  std::uint64_t workspace_bytes_ = 0;
  std::uint64_t last_ = 0;
  sy_storage workspace_ = 0;
  std::vector<sy_storage> storages_;  // of the inputs, and then of the outputs
  bool is_abandoned_ = false;         // nobody knows what of it is left
};

}  // namespace switchyard::cli::conform
