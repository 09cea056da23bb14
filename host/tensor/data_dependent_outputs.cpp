#include "tensor/data_dependent_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/open_device.hpp"
#include "tensor/placement.hpp"
#include "types/describe.hpp"

namespace switchyard {

bool DataDependentOutputs::has_output_of(sy_output_mode mode) const {
  return std::any_of(plan_.output_positions.begin(), plan_.output_positions.end(),
                     [&](std::uint32_t i) { return plan_.outputs[i].mode == mode; });
}

void DataDependentOutputs::prepare(sy_run_args& args) {
  if (has_output_of(SY_OUTPUT_BOUNDED)) {
    told_.resize(plan_.output_positions.size());
    for (std::size_t p = 0; p < told_.size(); ++p) {
      told_[p].fill(-1);  // what the plugin does not tell is refused
      const bool here = plan_.outputs[plan_.output_positions[p]].mode == SY_OUTPUT_BOUNDED;
      extents_.push_back(here ? told_[p].data() : nullptr);
    }
    args.extents = extents_.data();
  }
  if (!has_output_of(SY_OUTPUT_DEFERRED)) return;
  allocator_.struct_size = sizeof(allocator_);
  allocator_.context = this;
  allocator_.allocate = &DataDependentOutputs::allocate;
  args.allocator = &allocator_;
}

// Extents are values that the host reads: those of work that failed say nothing.
void DataDependentOutputs::finish(std::uint64_t sequence) {
  if (!extents_.empty() || allocator_.allocate) stream_.wait(sequence);
  for (std::size_t p = 0; p < extents_.size(); ++p) {
    if (extents_[p]) cut_bounded(p);
  }
  if (allocator_.allocate) check_deferred();
}

void DataDependentOutputs::drop(const RunPlan& plan, std::span<TensorRef> outputs) {
  for (const std::uint32_t i : plan.output_positions) {
    if (plan.outputs[i].mode == SY_OUTPUT_DEFERRED) outputs[i]->storage = StorageRef();
  }
}

/// Whether a plugin may ask for an output's storage: once, for extents that there can be.
bool DataDependentOutputs::may_allocate(std::uint32_t output,
                                        std::span<const std::int64_t> shape) const {
  if (output >= plan_.output_positions.size() || shape.size() > SY_MAX_RANK) return false;
  const std::uint32_t i = plan_.output_positions[output];
  return plan_.outputs[i].mode == SY_OUTPUT_DEFERRED && !outputs_[i]->storage &&
         std::none_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; }) &&
         may_have_shape(plan_.outputs[i], shape);
}

sy_status DataDependentOutputs::allocate(void* context, std::uint32_t output, std::uint32_t rank,
                                         const std::int64_t* shape, sy_storage* storage,
                                         std::uint64_t* offset_bytes) {
  auto& self = *static_cast<DataDependentOutputs*>(context);
  if (!self.may_allocate(output, {shape, rank})) return SY_INVALID;
  try {
    TensorRef& late = self.outputs_[self.plan_.output_positions[output]];
    late = make_device_tensor(*self.plan_.device, late->dtype, Dims(std::span(shape, rank)));
    if (!self.stream_.synchronous()) late->storage->order_before_write(self.stream_);
    *storage = late->storage->handle();
    *offset_bytes = 0;
    return SY_OK;
  } catch (...) {
    return SY_OUT_OF_MEMORY;
  }
}

void DataDependentOutputs::check_deferred() const {
  for (const std::uint32_t i : plan_.output_positions) {
    if (outputs_[i]->storage) continue;
    throw Error(ErrorKind::plugin,
                fmt::format("{}: run: took no storage for output {}, which it calls deferred",
                            plan_.device->name(), i));
  }
}

/// The output becomes a view of what was really written.
void DataDependentOutputs::cut_bounded(std::size_t position) {
  const RoutedOutput& plan = plan_.outputs[plan_.output_positions[position]];
  TensorRef& output = outputs_[plan_.output_positions[position]];
  const Dims shape(std::span(told_[position].data(), output->shape.size()));
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0 && shape[d] <= output->shape[d]) continue;
    throw Error(ErrorKind::plugin,
                fmt::format("{}: run: output {} reports extent {} beyond its bound {}",
                            plan_.device->name(), position, shape[d], output->shape[d]));
  }
  if (!may_have_shape(plan, shape.span())) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: run: output {} of [{}] reports the shape {}, but has {}; tell "
                            "the plugin's author",
                            plan_.device->name(), position, op_, describe(shape),
                            describe(*plan.inferred)));
  }
  output = make_view(output, shape, output->strides, 0);
}

}  // namespace switchyard
