#pragma once

#include <optional>

#include "cli/conform/kernels/op_call.hpp"
#include "cli/conform/plugin/test_device.hpp"

namespace switchyard::cli::conform {

/// Calls that the device takes on matrices of one shape and type, of which programs are made.
struct ProgramParts {
  DType dtype = DType::undefined;
  std::optional<OpCall> one;      // an elementwise function of one input
  std::optional<OpCall> two;      // of two
  std::optional<OpCall> product;  // of matrices

  static Dims shape() { return {3, 3}; }
};

/// What the device's claims give. Throws CaseSkipped where it takes one node a program, or where
/// they give neither of the first two.
ProgramParts program_parts(TestStream& stream);

/// How many nodes a program may have, of the number that a case would like. Throws CaseSkipped
/// where that is less than `least`.
std::uint32_t node_limit(const TestDevice& device, std::uint32_t least, std::uint32_t wanted);

}  // namespace switchyard::cli::conform
