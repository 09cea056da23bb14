#include "run/run_call.hpp"

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu {
namespace {

const int64_t unit_stride = 1;  // the strides of rank 1; those of rank 0 are never read

}  // namespace

RunCall::RunCall(const sy_run_args& args, const sy::NodePositions& places, uint32_t flags)
    : args_(args), places_(places) {
  const size_t inputs = places.inputs.size();
  const size_t total = inputs + places.outputs.size();
  if (total > inline_tensors) {
    more_tensors_ = std::make_unique<Tensor[]>(total);
    tensors_ = more_tensors_.get();
  } else {
    tensors_ = reinterpret_cast<Tensor*>(tensor_memory_);
  }
  for (size_t i = 0; i < inputs; ++i) {
    if (places.inputs[i] == SY_ABSENT) continue;
    const sy_tensor& given = *SY_AT(sy_tensor, args.inputs, places.inputs[i]);
    fill(*new (&tensors_[i]) Tensor, given, (flags & SY_CLAIM_STRIDED_INPUTS) != 0, "input", i);
  }
  for (size_t i = 0; i < places.outputs.size(); ++i) {
    if (places.outputs[i] == SY_ABSENT) continue;
    const sy_tensor& given = *SY_AT(sy_tensor, args.outputs, places.outputs[i]);
    fill(*new (&tensors_[inputs + i]) Tensor, given, (flags & SY_CLAIM_STRIDED_OUTPUTS) != 0,
         "output", i);
  }
}

void RunCall::fill(Tensor& tensor, const sy_tensor& given, bool may_be_strided, const char* side,
                   size_t i) {
  tensor.dtype = given.dtype;
  tensor.shape = {given.shape, given.rank};
  tensor.data = address_of(given);
  if (given.strides == nullptr) {
    tensor.strides = {contiguous_strides(tensor.shape), given.rank};
    return;
  }
  tensor.strides = {given.strides, given.rank};
  if (!may_be_strided && !sy::is_contiguous(tensor.shape, given.strides)) {
    throw sy::unsupported(SY_REASON_STRIDE, side, " ", i, " of shape ", tensor.shape,
                          " has strides ", tensor.strides, "; this kernel needs it contiguous");
  }
}

const int64_t* RunCall::contiguous_strides(sy::Extents shape) {
  if (shape.size() < 2) return &unit_stride;
  int64_t* strides = take(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

int64_t* RunCall::take(size_t count) {
  if (extents_used_ + count > inline_extents) {
    more_extents_.push_back(std::make_unique<int64_t[]>(count));
    return more_extents_.back().get();
  }
  int64_t* taken = extents_ + extents_used_;
  extents_used_ += count;
  return taken;
}

Tensor RunCall::allocate_output(uint32_t i, sy::Extents shape) {
  if (args_.allocator == nullptr) throw sy::invalid("the host gave no allocator for output ", i);
  sy_storage storage = 0;
  uint64_t offset_bytes = 0;
  const sy_status status = args_.allocator->allocate(args_.allocator->context, places_.outputs[i],
                                                     static_cast<uint32_t>(shape.size()),
                                                     shape.data(), &storage, &offset_bytes);
  if (status != SY_OK) {
    throw sy::Failure(status, SY_REASON_NONE,
                      sy::text("the host gave no storage for output ", i, " of shape ", shape));
  }
  Tensor& tensor = tensors_[places_.inputs.size() + i];
  int64_t* kept = take(shape.size());
  for (size_t k = 0; k < shape.size(); ++k) kept[k] = shape[k];
  tensor.shape = {kept, shape.size()};
  tensor.strides = {contiguous_strides(tensor.shape), shape.size()};
  tensor.data = reinterpret_cast<char*>(static_cast<uintptr_t>(storage)) + offset_bytes;
  return tensor;
}

void* RunCall::workspace() const {
  if (args_.workspace == 0) return nullptr;
  return reinterpret_cast<char*>(static_cast<uintptr_t>(args_.workspace)) +
         args_.workspace_offset_bytes;
}

}  // namespace cpu
