// The collectives as programs call them: what is checked before anything is enqueued.
#include <fmt/format.h>

#include <switchyard/collectives.hpp>
#include <switchyard/error.hpp>

#include "autograd/mode.hpp"
#include "collectives/collective.hpp"
#include "collectives/communicator_state.hpp"
#include "collectives/extension.hpp"
#include "error/called_function.hpp"
#include "functions/calls/device_of.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

using State = Communicator::State;

[[noreturn]] void refuse(ErrorKind kind, std::string_view function, const std::string& what) {
  throw Error(kind, fmt::format("[{}] {}", function, what));
}

/// The tensor, on the rank's device, with no gradient that would be lost.
TensorRef taken(const State& state, std::string_view function, const Tensor& tensor) {
  TensorImpl& impl = impl_of(tensor);
  if (impl.device != state.device.get()) {
    refuse(ErrorKind::invalid_argument, function,
           fmt::format("the tensor lies on {}, and the rank's device is {}; bring it there with "
                       "to()",
                       tensor.device().name(), state.device->name()));
  }
  if (grad_mode() && tensor.requires_grad()) {
    refuse(ErrorKind::invalid_argument, function,
           "the tensor requires a gradient, which does not flow through; call it under NoGrad, or "
           "with detach()");
  }
  return TensorRef(&impl);
}

TensorRef target(const State& state, std::string_view function, const Tensor& tensor) {
  TensorRef taken_tensor = taken(state, function, tensor);
  check_writable(function, taken_tensor);
  return taken_tensor;
}

sy_dtype plugin_type(const TensorRef& tensor) { return static_cast<sy_dtype>(tensor->dtype); }

std::uint64_t elements_of(const TensorRef& tensor) {
  return static_cast<std::uint64_t>(element_count(tensor->shape));
}

sy_reduction checked_reduction(const State& state, std::string_view function,
                               const TensorRef& tensor, ReduceOp reduction) {
  if (reduction < ReduceOp::sum || reduction > ReduceOp::average) {
    refuse(ErrorKind::invalid_argument, function,
           fmt::format("{} is no ReduceOp", static_cast<int>(reduction)));
  }
  const auto number = static_cast<sy_reduction>(reduction);
  check_dtype(*state.device, function, plugin_type(tensor), number);
  return number;
}

std::uint32_t checked_rank(const State& state, std::string_view function, std::int64_t rank) {
  if (rank < 0 || rank >= state.size) {
    refuse(ErrorKind::invalid_argument, function,
           fmt::format("there is no rank {}; ranks count from 0 to {}", rank, state.size - 1));
  }
  return static_cast<std::uint32_t>(rank);
}

std::uint32_t checked_other(const State& state, std::string_view function, std::int64_t rank) {
  if (rank == state.rank) {
    refuse(ErrorKind::invalid_argument, function,
           fmt::format("rank {} is this one; it sends to others and receives from them", rank));
  }
  return checked_rank(state, function, rank);
}

void check_output(std::string_view function, const TensorRef& output, DType dtype,
                  const Dims& shape) {
  if (output->dtype == dtype && output->shape == shape) return;
  refuse(output->dtype == dtype ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument, function,
         fmt::format("the output is {}, and the result {}", describe(output->dtype, output->shape),
                     describe(dtype, shape)));
}

Dims gathered(const State& state, const TensorRef& tensor) {
  Dims shape = tensor->shape;
  if (shape.empty()) return {state.size};
  shape[0] *= state.size;
  return shape;
}

Dims scattered(const State& state, const TensorRef& tensor) {
  Dims shape = tensor->shape;
  if (shape.empty() || shape[0] % state.size != 0) {
    refuse(ErrorKind::shape_mismatch, "reduce_scatter",
           fmt::format("the first dimension of {} does not part among {} ranks",
                       describe(tensor->dtype, shape), state.size));
  }
  shape[0] /= state.size;
  return shape;
}

Tensor new_tensor_on(const State& state, DType dtype, const Dims& shape) {
  return Tensor::adopt(make_device_tensor(*state.device, dtype, shape).release());
}

}  // namespace

Tensor Communicator::all_reduce(const Tensor& tensor, ReduceOp reduction) const {
  const CalledFunction here;
  refuse_in_group("all_reduce", "all_reduce_");
  const TensorRef input = taken(*state_, "all_reduce", tensor);
  const sy_reduction number = checked_reduction(*state_, "all_reduce", input, reduction);
  Tensor result = new_tensor_on(*state_, input->dtype, input->shape);
  call_collective({"all_reduce", state_, SY_ALL_REDUCE, number, 0, elements_of(input), input,
                   TensorRef(result.impl())});
  return result;
}

void Communicator::all_reduce_(const Tensor& tensor, ReduceOp reduction) const {
  const CalledFunction here;
  const TensorRef both = target(*state_, "all_reduce_", tensor);
  const sy_reduction number = checked_reduction(*state_, "all_reduce_", both, reduction);
  call_collective({"all_reduce_", state_, SY_ALL_REDUCE, number, 0, elements_of(both), both, both});
}

Tensor Communicator::all_gather(const Tensor& tensor) const {
  const CalledFunction here;
  refuse_in_group("all_gather", "all_gather_into");
  const TensorRef input = taken(*state_, "all_gather", tensor);
  Tensor result = new_tensor_on(*state_, input->dtype, gathered(*state_, input));
  all_gather_into(result, tensor);
  return result;
}

void Communicator::all_gather_into(const Tensor& output, const Tensor& tensor) const {
  const CalledFunction here;
  const TensorRef input = taken(*state_, "all_gather_into", tensor);
  const TensorRef to = target(*state_, "all_gather_into", output);
  check_output("all_gather_into", to, input->dtype, gathered(*state_, input));
  check_dtype(*state_->device, "all_gather_into", plugin_type(input), SY_REDUCE_NONE);
  call_collective(
      {"all_gather_into", state_, SY_ALL_GATHER, SY_REDUCE_NONE, 0, elements_of(input), input, to});
}

Tensor Communicator::reduce_scatter(const Tensor& tensor, ReduceOp reduction) const {
  const CalledFunction here;
  refuse_in_group("reduce_scatter", "reduce_scatter_into");
  const TensorRef input = taken(*state_, "reduce_scatter", tensor);
  Tensor result = new_tensor_on(*state_, input->dtype, scattered(*state_, input));
  reduce_scatter_into(result, tensor, reduction);
  return result;
}

void Communicator::reduce_scatter_into(const Tensor& output, const Tensor& tensor,
                                       ReduceOp reduction) const {
  const CalledFunction here;
  const TensorRef input = taken(*state_, "reduce_scatter_into", tensor);
  const TensorRef to = target(*state_, "reduce_scatter_into", output);
  check_output("reduce_scatter_into", to, input->dtype, scattered(*state_, input));
  const sy_reduction number = checked_reduction(*state_, "reduce_scatter_into", input, reduction);
  call_collective(
      {"reduce_scatter_into", state_, SY_REDUCE_SCATTER, number, 0, elements_of(to), input, to});
}

void Communicator::broadcast_(const Tensor& tensor, Int root) const {
  const CalledFunction here;
  const TensorRef both = target(*state_, "broadcast_", tensor);
  const std::uint32_t from = checked_rank(*state_, "broadcast_", root);
  check_dtype(*state_->device, "broadcast_", plugin_type(both), SY_REDUCE_NONE);
  call_collective({"broadcast_", state_, SY_BROADCAST, SY_REDUCE_NONE, from, elements_of(both),
                   from == state_->rank ? both : TensorRef(), both});
}

void Communicator::send(const Tensor& tensor, Int to) const {
  const CalledFunction here;
  const TensorRef input = taken(*state_, "send", tensor);
  const std::uint32_t other = checked_other(*state_, "send", to);
  check_dtype(*state_->device, "send", plugin_type(input), SY_REDUCE_NONE);
  call_collective(
      {"send", state_, SY_SEND, SY_REDUCE_NONE, other, elements_of(input), input, TensorRef()});
}

Tensor Communicator::receive(const Dims& shape, DType dtype, Int from) const {
  const CalledFunction here;
  refuse_in_group("receive", "receive_");
  checked_other(*state_, "receive", from);
  Tensor result = new_tensor_on(*state_, dtype, shape);
  receive_(result, from);
  return result;
}

void Communicator::receive_(const Tensor& tensor, Int from) const {
  const CalledFunction here;
  const TensorRef output = target(*state_, "receive_", tensor);
  const std::uint32_t other = checked_other(*state_, "receive_", from);
  check_dtype(*state_->device, "receive_", plugin_type(output), SY_REDUCE_NONE);
  call_collective({"receive_", state_, SY_RECEIVE, SY_REDUCE_NONE, other, elements_of(output),
                   TensorRef(), output});
}

}  // namespace switchyard
