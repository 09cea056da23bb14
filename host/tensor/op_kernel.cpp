#include "tensor/op_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "ops/row.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

bool is_exact(const Dims& shape) {
  return std::ranges::all_of(shape, [](std::int64_t extent) { return extent >= 0; });
}

bool agrees(const std::optional<Dims>& inferred, const Dims& shape) {
  if (!inferred) return true;
  return std::ranges::equal(
      *inferred, shape, [](std::int64_t told, std::int64_t is) { return told < 0 || told == is; });
}

}  // namespace

OpKernel::OpKernel(const Op& op, const Attributes& attributes, std::span<const ValueInfo> infos,
                   std::span<const Literal> inputs, Output* outputs, std::size_t output_count)
    : OpCall(op, attributes, infos),
      inputs_(inputs.data()),
      outputs_(outputs),
      output_count_(output_count) {}

void OpKernel::refuse(const std::string& why) const {
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] its kernel {}", op().name(), why));
}

const void* OpKernel::input_elements(std::size_t i, DType dtype) const {
  if (!has_input(i)) {
    refuse(fmt::format("asks for input {}, which is left out; has_input() tells", i));
  }
  if (input_dtype(i) != dtype) {
    refuse(fmt::format("asks for input {} as {}; it is {}", i, name_of(dtype),
                       name_of(input_dtype(i))));
  }
  return inputs_[i].bytes();
}

std::size_t OpKernel::input_size(std::size_t i) const {
  return static_cast<std::size_t>(inputs_[i].size());
}

OpKernel::Output& OpKernel::output_at(std::size_t i) const {
  if (i < output_count_) return outputs_[i];
  refuse(fmt::format("asks for output {} of {}", i, output_count_));
}

DType OpKernel::output_dtype(std::size_t i) const { return output_at(i).dtype; }

const Dims& OpKernel::output_shape(std::size_t i) const {
  const Output& output = output_at(i);
  if (output.elements) return output.elements->shape();
  if (output.inferred) return *output.inferred;
  refuse(fmt::format("asks for the shape of output {} before set_output_shape() told it", i));
}

void OpKernel::set_output_shape(std::size_t i, const Dims& shape) {
  Output& output = output_at(i);
  if (output.elements) {
    refuse(fmt::format("sets the shape of output {}, whose elements it has already", i));
  }
  if (!is_exact(shape) || !agrees(output.inferred, shape)) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[{}] its kernel gives output {} the shape {}; its shape rule told {}",
                    op().name(), i, describe(output.dtype, shape),
                    output.inferred ? describe(output.dtype, *output.inferred) : "nothing"));
  }
  output.elements = Literal(output.dtype, shape);
}

void* OpKernel::output_elements(std::size_t i, DType dtype) {
  Output& output = output_at(i);
  if (output.dtype != dtype) {
    refuse(fmt::format("asks for output {} as {}; it is {}", i, name_of(dtype),
                       name_of(output.dtype)));
  }
  if (!output.elements) {
    if (!output.inferred || !is_exact(*output.inferred)) {
      refuse(
          fmt::format("asks for the elements of output {} before set_output_shape() told how "
                      "many there are",
                      i));
    }
    output.elements = Literal(output.dtype, *output.inferred);
  }
  return output.elements->mutable_bytes();
}

std::size_t OpKernel::output_size(std::size_t i) const {
  return static_cast<std::size_t>(outputs_[i].elements->size());
}

}  // namespace switchyard
