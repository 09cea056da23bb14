#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/registered_op.hpp"
#include "ops/row.hpp"
#include "ops/signature.hpp"
#include "ops/type_sets.hpp"
#include "types/dimensions.hpp"

namespace switchyard {

namespace {

/// What each letter of a signature stands for in one node.
using Letters = std::array<DType, kMostLetters>;

std::string_view plural(std::size_t count) { return count == 1 ? "" : "s"; }

void check_count(const Inference& inference, const std::vector<Formal>& formals, std::size_t count,
                 std::string_view what) {
  const bool variadic = !formals.empty() && formals.back().variadic;
  if (count > formals.size() && !variadic) {
    inference.fail(fmt::format("takes at most {} {}{}, but the node has {}", formals.size(), what,
                               plural(formals.size()), count));
  }
}

void bind(const Inference& inference, const Signature& signature, const Formal& formal,
          std::size_t i, Letters& letters) {
  const DType dtype = inference.dtype(i);
  if (!contains(formal.allowed, dtype)) {
    inference.fail(fmt::format("input {} (\"{}\") is {}; it may be {}", i, formal.name,
                               name_of(dtype), describe(formal.allowed)));
  }
  if (formal.letter < 0) return;
  DType& bound = letters[static_cast<std::size_t>(formal.letter)];
  if (bound == DType::undefined) bound = dtype;
  if (bound == dtype) return;
  inference.fail(fmt::format(
      "input {} (\"{}\") is {}, but an earlier input of the same type {} is {}: cast one of them",
      i, formal.name, name_of(dtype),
      signature.types[static_cast<std::size_t>(formal.letter)].first, name_of(bound)));
}

void check_inputs(const Inference& inference, const Signature& signature, Letters& letters) {
  check_count(inference, signature.inputs, inference.input_count(), "input");
  const std::size_t positions = std::max(inference.input_count(), signature.inputs.size());
  for (std::size_t i = 0; i < positions; ++i) {
    const Formal& formal = *formal_at(signature.inputs, i);
    if (inference.has(i)) {
      bind(inference, signature, formal, i, letters);
    } else if (!formal.optional) {
      inference.fail(fmt::format("input {} (\"{}\") is missing", i, formal.name));
    }
  }
}

void set_output_types(Inference& inference, const Signature& signature, const Letters& letters) {
  check_count(inference, signature.outputs, inference.output_count(), "output");
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    const Formal& formal = *formal_at(signature.outputs, i);
    const DType bound =
        formal.letter < 0 ? DType::undefined : letters[static_cast<std::size_t>(formal.letter)];
    if (bound != DType::undefined) {
      inference.set_dtype(i, bound);
    } else if (std::has_single_bit(formal.allowed)) {
      inference.set_dtype(i, static_cast<DType>(std::countr_zero(formal.allowed)));
    }
  }
}

void check_output_types(const Inference& inference, const Signature& signature) {
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    const Formal& formal = *formal_at(signature.outputs, i);
    const DType dtype = inference.output_dtype(i);
    if (contains(formal.allowed, dtype)) continue;
    inference.fail(fmt::format("output {} (\"{}\") would be {}; it may be {}", i, formal.name,
                               name_of(dtype), describe(formal.allowed)));
  }
}

/// True if memory might hold a tensor of this shape. Its extents other than 0 make a product that
/// leaves room to multiply by the bytes of an element.
bool is_conceivable(const Dims& shape) {
  std::int64_t room = INT64_MAX / 32;
  for (const std::int64_t extent : shape) {
    if (extent > room || extent < kUnknown) return false;
    if (extent > 1) room /= extent;
  }
  return true;
}

void check_rank(const Inference& inference, std::string_view what, std::size_t i,
                const Dims& shape) {
  if (shape.size() <= kMostDimensions) return;
  inference.fail(fmt::format("{} {} has {} dimensions; at most {} are possible", what, i,
                             shape.size(), kMostDimensions));
}

/// Extents that no memory can hold, from a damaged model or a wrong value, end here: whoever counts
/// elements or bytes of a shape, in the rules or later, need not mind overflow.
void check_input_sizes(const Inference& inference) {
  for (std::size_t i = 0; i < inference.input_count(); ++i) {
    if (!inference.has_rank(i)) continue;
    check_rank(inference, "input", i, inference.shape(i));
    if (is_conceivable(inference.shape(i))) continue;
    inference.fail(fmt::format("input {} has the shape [{}], which cannot be", i,
                               fmt::join(inference.shape(i), ",")));
  }
}

void check_output_sizes(const Inference& inference) {
  for (std::size_t i = 0; i < inference.output_count(); ++i) {
    if (!inference.output_shape(i)) continue;
    check_rank(inference, "output", i, *inference.output_shape(i));
    if (is_conceivable(*inference.output_shape(i))) continue;
    inference.fail(fmt::format("output {} would have the shape [{}], which cannot be", i,
                               fmt::join(*inference.output_shape(i), ",")));
  }
}

}  // namespace

void infer(const Op& op, Inference& inference) {
  Letters letters{};
  check_inputs(inference, op.canonical, letters);
  set_output_types(inference, op.canonical, letters);
  if (op.row->type) op.row->type(inference);
  // A control op's outputs have the types of its bodies' outputs, which the executor knows.
  if (op.row->runs_on != RunsOn::control) check_output_types(inference, op.canonical);
  check_input_sizes(inference);
  if (op.row->shape) op.row->shape(inference);
  if (op.registered) infer_registered_shapes(op, inference);
  check_output_sizes(inference);
}

}  // namespace switchyard
