#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cli/conform/plugin/prepare_answers.hpp"
#include "cli/conform/plugin/test_device.hpp"
#include "cli/conform/plugin/test_tensor.hpp"
#include "cli/conform/programs/test_program.hpp"

namespace switchyard::cli::conform {

/// A program of several nodes, prepared by the device under test.
class ProgramKernel {
 public:
  /// Asks of each node, and prepares. Throws CaseSkipped, with the device's words, where a node or
  /// the program is refused.
  ProgramKernel(TestDevice& device, TestProgram& program);
  ~ProgramKernel();
  ProgramKernel(const ProgramKernel&) = delete;
  ProgramKernel& operator=(const ProgramKernel&) = delete;

  /// Runs it on the inputs of `program`, which may be another one of the same nodes, shapes and
  /// constants, and compares each output. Fails the case for whatever a run may not do; `why` says
  /// in messages what is tried.
  void run(TestStream& stream, const TestProgram& program, std::string_view why) const;

 private:
  struct Tensors;

  void ask(const sy_program& program) const;
  void prepare(const sy_program& program);
  void check_plans() const;
  Tensors place(TestStream& stream, const TestProgram& program) const;
  std::uint64_t workspace_of(const sy_run_args& args) const;

  TestDevice& device_;
  const std::string what_;
  sy_kernel handle_ = nullptr;
  std::uint64_t workspace_bytes_ = 0;
  PrepareAnswers answers_;
};

}  // namespace switchyard::cli::conform
