#pragma once

#include <memory>
#include <vector>

#include "cli/conform/kernels/kernel_call.hpp"
#include "cli/conform/kernels/test_kernel.hpp"

namespace switchyard::cli::conform {

/// A call that the device takes and the reference computes, with several sets of values.
struct TestOp {
  std::vector<OpCall> calls;                   // of one shape, each with other values
  std::vector<std::vector<Literal>> expected;  // by call

  /// Runs call `which` on the stream and compares.
  void run(TestStream& stream, const TestKernel& kernel, std::size_t which) const;
};

/// The first op of the device's claims of which a small example is taken; `extent`, if given,
/// resizes it. Throws CaseSkipped where there is none.
TestOp first_op(TestStream& stream, std::int64_t (*extent)(std::int64_t) = nullptr);

/// Its kernel.
std::unique_ptr<TestKernel> prepared(TestStream& stream, const TestOp& op);

}  // namespace switchyard::cli::conform
