#include "loops/elementwise_kernel.hpp"

#include <utility>

#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu {
namespace {

bool same_shape(const sy_tensor& left, const sy_tensor& right) {
  if (left.rank != right.rank) return false;
  for (uint32_t i = 0; i < left.rank; ++i) {
    if (left.shape[i] != right.shape[i]) return false;
  }
  return true;
}

int64_t element_count(const sy_tensor& tensor) {
  return sy::element_count({tensor.shape, tensor.rank});
}

}  // namespace

ElementwiseKernel::ElementwiseKernel(Loop loop, const sy::Node& node, uint32_t inputs)
    : loop_(std::move(loop)), inputs_(inputs), bytes_{} {
  if (inputs_ >= max_operands) throw sy::bug("a loop over ", inputs_, " inputs");
  for (uint32_t i = 0; i < inputs_; ++i) {
    bytes_[i] = static_cast<int64_t>(sy::dtype_bytes(node.required_input(i).dtype));
  }
  bytes_[inputs_] = static_cast<int64_t>(sy::dtype_bytes(node.required_output(0).dtype));
}

void ElementwiseKernel::run(const RunArguments& arguments) const {
  if (run_flat(arguments.args, arguments.positions)) return;
  const Call call(arguments);
  const ConstTensor* inputs[max_operands];
  for (uint32_t i = 0; i < inputs_; ++i) inputs[i] = &call.input(i);
  run_elementwise(std::span(inputs, inputs_), call.output(0), loop_);
}

bool ElementwiseKernel::run_flat(const sy_run_args& args,
                                 const sy::NodePositions& positions) const {
  const sy_tensor& output = *SY_AT(sy_tensor, args.outputs, positions.outputs[0]);
  const int64_t size = element_count(output);
  if (output.strides != nullptr || size > loop_.grain) return false;
  char* data[max_operands];
  int64_t steps[max_operands];
  for (uint32_t i = 0; i < inputs_; ++i) {
    const sy_tensor& input = *SY_AT(sy_tensor, args.inputs, positions.inputs[i]);
    if (input.strides != nullptr) return false;
    if (same_shape(input, output)) {
      steps[i] = bytes_[i];
    } else if (element_count(input) == 1 && input.rank <= output.rank) {
      steps[i] = 0;
    } else {
      return false;
    }
    data[i] = row_pointer(sy::input_address(input));
  }
  data[inputs_] = static_cast<char*>(sy::output_address(output));
  steps[inputs_] = bytes_[inputs_];
  if (size > 0) loop_.row(data, steps, size, loop_.parameters.get());
  return true;
}

}  // namespace cpu
