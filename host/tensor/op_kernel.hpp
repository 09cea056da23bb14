#pragma once

#include <optional>

#include <switchyard/register_op.hpp>

#include "ops/inference.hpp"
#include "ops/literal.hpp"

namespace switchyard {

/// An output of a kernel on the host.
struct OpKernel::Output {
  DType dtype = DType::undefined;
  std::optional<Dims> inferred;  // nothing, or with extents below 0: the kernel tells
  std::optional<Literal> elements = {};
};

}  // namespace switchyard
