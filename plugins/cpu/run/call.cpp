#include "run/call.hpp"

#include <new>

#include "switchyard/plugin/address.hpp"
#include "switchyard/plugin/deferred_output.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu {
namespace {

const int64_t unit_stride = 1;  // the strides of rank 1; those of rank 0 are never read

void check_strides(const sy_tensor& given, const char* side, size_t i) {
  const sy::Extents shape(given.shape, given.rank);
  if (given.strides == nullptr || sy::is_contiguous(shape, given.strides)) return;
  throw sy::unsupported(SY_REASON_STRIDE, side, " ", i, " of shape ", shape, " has strides ",
                        sy::Extents(given.strides, given.rank),
                        "; this kernel needs it contiguous");
}

}  // namespace

Call::Call(const RunArguments& arguments) : arguments_(arguments) {
  std::byte* const room = allocate_tensors();
  inputs_ = reinterpret_cast<ConstTensor*>(room);
  outputs_ = reinterpret_cast<Tensor*>(inputs_ + arguments.positions.inputs.size());
  read_inputs();
  read_outputs();
}

std::byte* Call::allocate_tensors() {
  const sy::NodePositions& positions = arguments_.positions;
  const size_t total = positions.inputs.size() + positions.outputs.size();
  if (total <= inline_tensors) return tensor_memory_;
  more_tensors_ = std::make_unique<std::byte[]>(total * sizeof(Tensor));
  return more_tensors_.get();
}

void Call::read_inputs() {
  const std::vector<uint32_t>& positions = arguments_.positions.inputs;
  const bool may_be_strided = (arguments_.flags & SY_CLAIM_STRIDED_INPUTS) != 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == SY_ABSENT) continue;
    const sy_tensor& given = *SY_AT(sy_tensor, arguments_.args.inputs, positions[i]);
    if (!may_be_strided) check_strides(given, "input", i);
    new (&inputs_[i]) ConstTensor{
        given.dtype, sy::input_address(given), {given.shape, given.rank}, strides_of(given)};
  }
}

void Call::read_outputs() {
  const std::vector<uint32_t>& positions = arguments_.positions.outputs;
  const bool may_be_strided = (arguments_.flags & SY_CLAIM_STRIDED_OUTPUTS) != 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] == SY_ABSENT) continue;
    const sy_tensor& given = *SY_AT(sy_tensor, arguments_.args.outputs, positions[i]);
    if (!may_be_strided) check_strides(given, "output", i);
    new (&outputs_[i]) Tensor{
        given.dtype, sy::output_address(given), {given.shape, given.rank}, strides_of(given)};
  }
}

sy::Extents Call::strides_of(const sy_tensor& given) {
  const int64_t* strides = given.strides;
  if (strides == nullptr) strides = contiguous_strides({given.shape, given.rank});
  return {strides, given.rank};
}

const int64_t* Call::contiguous_strides(sy::Extents shape) {
  if (shape.size() < 2) return &unit_stride;
  int64_t* strides = take(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

int64_t* Call::take(size_t count) {
  if (extents_used_ + count > inline_extents) {
    more_extents_.push_back(std::make_unique<int64_t[]>(count));
    return more_extents_.back().get();
  }
  int64_t* taken = extents_ + extents_used_;
  extents_used_ += count;
  return taken;
}

Tensor Call::allocate_output(uint32_t i, sy::Extents shape) {
  const sy::OutputStorage given =
      sy::allocate_output(arguments_.args, arguments_.positions.outputs[i], shape);
  Tensor& tensor = outputs_[i];
  int64_t* kept = take(shape.size());
  for (size_t k = 0; k < shape.size(); ++k) kept[k] = shape[k];
  tensor.shape = {kept, shape.size()};
  tensor.strides = {contiguous_strides(tensor.shape), shape.size()};
  tensor.data = sy::address_of(given.storage, given.offset_bytes);
  return tensor;
}

void* Call::workspace() const {
  const sy_run_args& args = arguments_.args;
  if (args.workspace == 0) return nullptr;
  return sy::address_of(args.workspace, args.workspace_offset_bytes);
}

}  // namespace cpu
