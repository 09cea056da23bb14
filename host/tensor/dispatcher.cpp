#include "tensor/dispatcher.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <switchyard/error.hpp>

#include "device/within_memory.hpp"
#include "ops/op_error.hpp"
#include "tensor/kernel_run.hpp"
#include "tensor/recent_routes.hpp"
#include "tensor/registered_kernel.hpp"

namespace switchyard {
namespace {

/// Time and bytes of a fallback, counted when the call has gone through.
class FallbackMeter {
 public:
  FallbackMeter(FallbackLedger& ledger, LedgerEntry* entry) : ledger_(ledger), entry_(entry) {
    if (entry_) start_ = std::chrono::steady_clock::now();
  }
  void done(std::uint64_t bytes) {
    if (!entry_) return;
    const auto spent = std::chrono::steady_clock::now() - start_;
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(spent).count();
    ledger_.count(*entry_, bytes, static_cast<std::uint64_t>(nanoseconds));
  }

 private:
  FallbackLedger& ledger_;
  LedgerEntry* entry_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

std::vector<ValueInfo> value_infos(std::span<const TensorRef> inputs,
                                   std::span<const Literal> literals) {
  std::vector<ValueInfo> infos(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    infos[i].dtype = inputs[i]->dtype;
    infos[i].shape = inputs[i]->shape;
    if (i < literals.size() && literals[i].dtype() != DType::undefined)
      infos[i].literal = &literals[i];
  }
  return infos;
}

std::vector<Literal> read_host_inputs(const Op& op, std::span<const TensorRef> inputs) {
  std::vector<Literal> literals;
  if (op.host_inputs == 0) return literals;
  literals.resize(inputs.size());
  CopyCount count;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] && op.is_host_input(i)) literals[i] = snapshot(inputs[i], count);
  }
  return literals;
}

namespace {

/// What ran on no device lies where the call asks for it to be. A value of the host is copied: its
/// own copy there is for reading, and the result may be written to and have a history.
CallOutcome copy_to_placement(const CallSite& site, std::span<TensorRef> outputs) {
  CopyCount count;
  for (TensorRef& output : outputs) {
    if (!site.placement || !output) continue;
    output = output->device ? bring_to(*site.placement, output, count)
                            : copy_to(*site.placement, output, count);
  }
  return {};
}

/// Elements of fewer than 8 bits share a byte, and a view begins with a byte.
void check_whole_bytes(const CallSite& site, const TensorImpl& base, const ViewSpec& spec) {
  if (bit_width(base.dtype) >= 8) return;
  if (spec.offset * bit_width(base.dtype) % 8 == 0 && is_contiguous(spec.shape, spec.strides))
    return;
  throw TypeRefusal(
      fmt::format("[{}] cannot view part of {} elements, which share bytes; cast them to 8 bits "
                  "first",
                  site.op->name(), name_of(base.dtype)));
}

}  // namespace

CallOutcome Dispatcher::call(const CallSite& site, std::span<TensorRef> inputs,
                             std::span<TensorRef> outputs, std::uint64_t wanted, Inputs ownership) {
  if (site.op->row->runs_on != RunsOn::control) {
    return within_memory(site.op->name(), [&] {
      switch (site.op->row->runs_on) {
        case RunsOn::view:
          call_view(site, inputs, outputs);
          return copy_to_placement(site, outputs);
        case RunsOn::literal:
          call_literal(site, inputs, outputs);
          return copy_to_placement(site, outputs);
        default: return call_somewhere(site, inputs, outputs, wanted, ownership);
      }
    });
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] works on graphs and lists, not on tensors alone", site.op->name()));
}

CallOutcome Dispatcher::call_somewhere(const CallSite& site, std::span<TensorRef> inputs,
                                       std::span<TensorRef> outputs, std::uint64_t wanted,
                                       Inputs ownership) {
  if (!has_registered_kernel(*site.op)) [[likely]] {
    return call_device(site, inputs, outputs, wanted, ownership);
  }
  LedgerEntry* fallback = nullptr;
  if (router_.may_be_claimed(site)) {
    try {
      return call_device(site, inputs, outputs, wanted, ownership);
    } catch (const NoDevice& refused) {
      if (refused.kind() != ErrorKind::unsupported) throw;
      fallback = router_.record_host_kernel(site, refused.trail());
    }
  }
  FallbackMeter meter(router_.ledger(), fallback);
  const bool is_ordinary = site.purpose == Purpose::ordinary;
  const std::shared_ptr<OpenDevice> first =
      is_ordinary ? router_.policy()->first_device() : nullptr;
  CopyCount count;
  run_registered_kernel(site, inputs, outputs, wanted, first.get(), count);
  meter.done(count.bytes);
  return {.worker = Worker::host};
}

void Dispatcher::call_view(const CallSite& site, std::span<TensorRef> inputs,
                           std::span<TensorRef> outputs) {
  const std::vector<Literal> literals = read_host_inputs(*site.op, inputs);
  const std::vector<ValueInfo> infos = value_infos(inputs, literals);
  std::vector<ValueInfo> results(outputs.size());
  Inference inference(site.op->name(), site.attributes, infos, results);
  infer(*site.op, inference);
  TensorRef base = inputs[0];
  auto specs = site.op->row->view(inference, base->strides);
  if (!specs) {
    base = make_contiguous(base);
    specs = site.op->row->view(inference, base->strides);
  }
  if (!specs) {
    throw Error(ErrorKind::internal,
                fmt::format("[{}] has no view of a contiguous tensor", site.op->name()));
  }
  for (std::size_t i = 0; i < outputs.size() && i < specs->size(); ++i) {
    ViewSpec& spec = (*specs)[i];
    check_whole_bytes(site, *base, spec);
    bool reversed = false;
    for (std::int64_t stride : spec.strides) reversed = reversed || stride < 0;
    outputs[i] = make_view(base, std::move(spec.shape), std::move(spec.strides), spec.offset);
    // No plugin is shown a negative stride, and a host value stays contiguous.
    if (reversed || (!outputs[i]->device && !outputs[i]->contiguous)) {
      CopyCount count;
      const std::shared_ptr<OpenDevice> device = outputs[i]->device
                                                     ? outputs[i]->device->shared_from_this()
                                                     : router_.policy()->host_device;
      outputs[i] = copy_to(*device, outputs[i], count);
    }
  }
}

void Dispatcher::call_literal(const CallSite& site, std::span<TensorRef> inputs,
                              std::span<TensorRef> outputs) {
  const std::vector<ValueInfo> infos = value_infos(inputs, {});
  std::vector<ValueInfo> results(outputs.size());
  Inference inference(site.op->name(), site.attributes, infos, results);
  infer(*site.op, inference);
  outputs[0] = make_host_tensor(site.op->row->literal(inference));
}

std::shared_ptr<const Route> Dispatcher::find_route(const CallSite& site,
                                                    std::span<const TensorRef> inputs,
                                                    std::span<const Literal> literals,
                                                    std::size_t output_count, std::uint64_t wanted,
                                                    std::span<const Exclusion> excluded) {
  std::vector<TensorDescriptor> descriptors(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    const TensorImpl& input = *inputs[i];
    TensorDescriptor& descriptor = descriptors[i];
    descriptor.dtype = input.dtype;
    descriptor.shape = input.shape;
    descriptor.strides = input.strides;
    descriptor.constant_id = input.constant_id;
    descriptor.may_be_immediate = may_be_immediate(input);
    if (i < literals.size() && literals[i].dtype() != DType::undefined) {
      descriptor.literal = &literals[i];
    } else if (input.constant_id != 0 && input.host) {
      descriptor.literal = &input.host->literal;
    }
  }
  return router_.route({site, descriptors, wanted, output_count, excluded});
}

namespace {

/// A kernel that was prepared for an input's strides must see them. An input that has to be copied
/// on its way, and so becomes contiguous, is copied before the call is routed again. True if any
/// was.
bool copy_strided_inputs(const Route& route, std::span<TensorRef> inputs, CopyCount& count) {
  bool copied = false;
  for (const std::uint32_t position : route.input_positions) {
    TensorRef& input = inputs[position];
    if (input->contiguous || !input->device) continue;
    if ((route.make_contiguous & mask_bit(position)) != 0) continue;
    if (route.is_unneeded(position)) continue;
    if (input->device == route.device && route.device->takes_offset(input->offset_bytes)) {
      continue;
    }
    input = copy_to(*route.device, input, count);
    copied = true;
  }
  return copied;
}

CallOutcome outcome_of(const Route& route) {
  if (route.host_work) return {.worker = Worker::host};
  return {.worker = Worker::device, .device = route.device};
}

}  // namespace

CallOutcome Dispatcher::call_device(const CallSite& site, std::span<TensorRef> inputs,
                                    std::span<TensorRef> outputs, std::uint64_t wanted,
                                    Inputs ownership) {
  std::vector<Literal> literals;
  if (site.op->host_inputs != 0) literals = read_host_inputs(*site.op, inputs);
  const RecentRoutes::Use recent;
  std::uint64_t hash = RecentRoutes::hash(site, inputs, wanted);
  const Route* route = recent ? recent->find(hash, site, inputs, literals, wanted) : nullptr;
  std::shared_ptr<const Route> found;
  std::uint64_t epoch = 0;
  std::vector<Exclusion> excluded;
  std::optional<Error> unmet;  // what a run needs before it, and no other device made up for
  CopyCount count;
  while (true) {
    if (!route) {
      epoch = route_epoch.load(std::memory_order_acquire);
      try {
        found = find_route(site, inputs, literals, outputs.size(), wanted, excluded);
      } catch (const Error&) {
        if (unmet) throw Error(*unmet);
        throw;
      }
      route = found.get();
    }
    if (ownership == Inputs::given && copy_strided_inputs(*route, inputs, count)) {
      hash = RecentRoutes::hash(site, inputs, wanted);
      route = nullptr;
      continue;
    }
    FallbackMeter meter(router_.ledger(), route->fallback);
    try {
      run_kernel(site, *route, inputs, literals, outputs, count, ownership == Inputs::given);
      if (route->copies_back) {
        for (TensorRef& output : outputs) {
          if (output) output = copy_to(*route->requested_device, output, count);
        }
      }
      if (found && found->cacheable && recent) recent->keep(hash, site, epoch, found);
      meter.done(count.bytes);
      return outcome_of(*route);
    } catch (const NotEnqueued& failure) {
      // Nothing has been enqueued: another device may take this call over.
      excluded.push_back({route->device, failure.verdict()});
      unmet.reset();
      if (failure.stage() == NotEnqueued::Stage::before_run) unmet = failure;
      trace_failover(site.op->name(), *route->device, failure);
      route = nullptr;
    }
  }
}

}  // namespace switchyard
