#include "onnx/run/output_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "autograd/record.hpp"
#include "functions/calls/device_of.hpp"
#include "onnx/model_inputs.hpp"
#include "tensor/overlap.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse(const Port& port, const std::string& what,
                         ErrorKind kind = ErrorKind::invalid_argument) {
  throw Error(kind, fmt::format("output '{}': {}", port.name, what));
}

void check(const Port& port, const TensorRef& target) {
  if (!port.tensor) refuse(port, "is a sequence, which is written to no tensor");
  check_writable("Run", target);
  if (port.dtype != DType::undefined && port.dtype != target->dtype) {
    refuse(port, fmt::format("is {}, the target {}", name_of(port.dtype), name_of(target->dtype)));
  }
  if (!has_shape_for(port, target->shape)) {
    refuse(port,
           fmt::format("has the shape {}, the target {}", describe(port.shape),
                       describe(target->shape)),
           ErrorKind::shape_mismatch);
  }
}

bool is_read(const TensorRef& target, const Cell& input) {
  if (share_memory(target, input.tensor)) return true;
  return input.list && std::any_of(input.list->begin(), input.list->end(),
                                   [&](const TensorRef& t) { return share_memory(target, t); });
}

}  // namespace

OutputTargets::OutputTargets(const std::vector<Port>& ports, const std::vector<Tensor>& given,
                             std::span<const Cell> inputs)
    : ports_(ports) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const TensorRef& target = tensors_.emplace_back(given[i].impl());
    if (!target) continue;
    check(ports[i], target);
    const auto reads_it = [&](const Cell& input) { return is_read(target, input); };
    if (std::any_of(inputs.begin(), inputs.end(), reads_it)) {
      refuse(ports[i], "the target shares memory with an input, which later ops may still read");
    }
    for (std::size_t other = 0; other < i; ++other) {
      if (share_memory(target, tensors_[other])) {
        refuse(ports[i],
               fmt::format("the target shares memory with that of output '{}'", ports[other].name));
      }
    }
  }
}

bool OutputTargets::take(std::size_t i, Cell& output) const {
  if (i >= tensors_.size() || !tensors_[i]) return false;
  const TensorRef& target = tensors_[i];
  if (!output.tensor) refuse(ports_[i], "the model left it out, and its target is as it was");
  if (output.tensor.get() != target.get()) {
    const TensorImpl& made = *output.tensor;
    if (made.dtype != target->dtype || made.shape != target->shape) {
      refuse(ports_[i],
             fmt::format("is {}, the target {}", describe(made.dtype, made.shape),
                         describe(target->dtype, target->shape)),
             ErrorKind::shape_mismatch);
    }
    CopyCount count;
    copy_over(output.tensor, target, count);
    output.tensor = target;
  }
  if (target->storage) target->storage->count_write();
  const Tensor written(target.get());
  clear_history(std::span(&written, 1));
  return true;
}

}  // namespace switchyard
