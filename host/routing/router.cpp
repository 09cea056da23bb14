#include "routing/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <switchyard/error.hpp>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "routing/call_facts.hpp"
#include "routing/program.hpp"
#include "trace/log.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

std::vector<ValueInfo> infer_outputs(const RouteRequest& request) {
  std::vector<ValueInfo> inputs(request.inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorDescriptor& from = request.inputs[i];
    inputs[i].dtype = from.dtype;
    if (from.rank_known) inputs[i].shape = from.shape;
    inputs[i].literal = from.literal;
  }
  std::vector<ValueInfo> outputs(request.output_count);
  Inference inference(request.site.op->name(), request.site.attributes, inputs, outputs);
  infer(*request.site.op, inference);
  return outputs;
}

std::uint64_t strided_inputs(const RouteRequest& request) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const TensorDescriptor& input = request.inputs[i];
    if (input.present() && !input.strides.empty() && !input.contiguous() &&
        !request.site.op->is_host_input(i)) {
      mask |= mask_bit(i);
    }
  }
  return mask;
}

std::string trail_text(const Trail& trail) {
  std::string text;
  for (const TrailStep& step : trail) {
    text += fmt::format("{}{} refused ({}): {}", text.empty() ? "" : "; ", step.device,
                        refusal_code(step.verdict.reason), step.verdict.message);
  }
  return text.empty() ? "the order names no device" : text;
}

/// Devices that failed are another matter than devices that refused.
ErrorKind kind_of(const std::vector<Candidate>& list, const Trail& trail) {
  ErrorKind kind = ErrorKind::unsupported;
  for (std::size_t i = 0; i < trail.size(); ++i) {
    if (!list[i].device && !list[i].failed) continue;
    if (trail[i].verdict.reason == SY_REASON_FAULTED) return ErrorKind::device_unavailable;
    if (trail[i].verdict.reason == SY_REASON_MEMORY) kind = ErrorKind::out_of_memory;
  }
  return kind;
}

std::string call_name(const CallSite& site) {
  return site.name.empty() ? fmt::format("[{}]", site.op->name())
                           : fmt::format("node '{}' ({}):", site.name, site.op->name());
}

/// Asks with the inputs as they are; a device that cannot read their strides is asked again with
/// contiguous ones, which its own `copy` makes.
Verdict ask_either_way(OpenDevice& device, NodeProgram& program, std::uint64_t strided,
                       std::uint64_t& make_contiguous) {
  Verdict verdict = ask(device, program);
  make_contiguous = 0;
  const bool reads_strides = (program.claim_flags() & SY_CLAIM_STRIDED_INPUTS) != 0;
  if (strided == 0 || (!verdict.refused() && reads_strides)) return verdict;
  if (verdict.refused() && verdict.reason != SY_REASON_STRIDE) return verdict;
  make_contiguous = strided;
  program.make_contiguous(strided);
  return ask(device, program);
}

std::shared_ptr<const Kernel> prepare(OpenDevice& device, const NodeProgram& program,
                                      const RouteRequest& request) {
  std::optional<trace::Span> span;
  if (trace::Timeline* timeline = device.timeline()) {
    std::vector<std::string> inputs;
    for (const std::uint32_t i : program.input_positions()) {
      inputs.push_back(describe(request.inputs[i].dtype, request.inputs[i].shape));
    }
    span.emplace(*timeline, "prepare", fmt::format("prepare {}", request.site.op->name()),
                 facts_of(request.site, device).add("inputs", inputs));
  }
  return std::make_shared<const Kernel>(device, program.get());
}

bool repeats_elements(const Dims& shape, const Dims& strides) {
  std::int64_t reached = 1;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    if (shape[axis] < 1) return false;             // unknown, or there are none
    reached += (shape[axis] - 1) * strides[axis];  // within the tensor's memory
  }
  return element_count(shape) > reached;
}

/// Views that repeat elements cost nothing until a kernel walks over them: for ever, if nothing
/// bounds them.
void check_memory_for_repeats(OpenDevice& device, std::span<const TensorDescriptor> inputs) {
  for (const TensorDescriptor& input : inputs) {
    if (!repeats_elements(input.shape, input.strides)) continue;
    check_memory(device, byte_size(input.dtype, element_count(input.shape)));
  }
}

std::uint64_t to_node_inputs(std::uint64_t program_inputs,
                             const std::vector<std::uint32_t>& positions) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < positions.size() && i < 64; ++i) {
    if ((program_inputs >> i & 1) && positions[i] < 64) mask |= std::uint64_t{1} << positions[i];
  }
  return mask;
}

/// Every device that a call may go to, in the order in which they are asked.
std::vector<Candidate> candidates_of(const RoutingPolicy& policy, const CallSite& site) {
  std::vector<Candidate> list;
  const auto add = [&](Candidate candidate) {
    if (candidate.may_open_later) candidate = policy.ask_again(candidate.name);
    const bool known = std::any_of(list.begin(), list.end(), [&](const Candidate& other) {
      // A retired device may have its successor's name.
      return other.device && candidate.device ? other.device == candidate.device
                                              : other.name == candidate.name;
    });
    if (!known) list.push_back(std::move(candidate));
  };
  if (site.purpose == Purpose::host_work && policy.host_device) {
    add(Candidate{policy.host_device->name(), policy.host_device, {}});
  } else if (site.placement) {
    add(Candidate{site.placement->name(), site.placement->shared_from_this(), {}});
  } else if (auto pin = policy.pins.find(site.op->name()); pin != policy.pins.end()) {
    add(pin->second);
  }
  for (const Candidate& candidate : policy.order) add(candidate);
  return list;
}

}  // namespace

Router::Router(RoutingPolicy policy)
    : policy_(std::make_shared<const RoutingPolicy>(std::move(policy))) {}

std::shared_ptr<const RoutingPolicy> Router::policy() const {
  std::scoped_lock guard(policy_guard_);
  return policy_;
}

// Who reads the number and then the policy may get a later policy than the number says, and plans
// once more than is needed. The epoch, which threads read before they route, follows; routes under
// an earlier policy, which nobody takes any more, go last.
void Router::set_policy(std::shared_ptr<const RoutingPolicy> policy) {
  {
    std::scoped_lock guard(policy_guard_);
    policy_.swap(policy);
  }
  policy_number_.fetch_add(1, std::memory_order_acq_rel);
  route_epoch.fetch_add(1);
  cache_.clear();
}

bool Router::may_be_claimed(const CallSite& site) const {
  return std::ranges::any_of(candidates_of(*policy(), site), [&](const Candidate& candidate) {
    return candidate.device ? has_claim_about(*candidate.device, *site.op)
                            : candidate.may_open_later;
  });
}

std::shared_ptr<const Route> Router::route(const RouteRequest& request) {
  const std::uint64_t number = policy_number();
  if (request.excluded.empty()) {
    auto known = cache_.find(request);
    if (known && known->policy_number == number && !known->device->quarantined() &&
        known->kernel->generation() == known->device->generation()) {
      return known;
    }
  }
  auto route = build(request);
  route->policy_number = number;
  if (route->cacheable) cache_.keep(request, route);
  return route;
}

void Router::forget(std::span<const std::uint64_t> constant_ids) {
  cache_.forget(constant_ids);
  route_epoch.fetch_add(1);
}

std::shared_ptr<Route> Router::build(const RouteRequest& request) {
  const std::vector<ValueInfo> outputs = infer_outputs(request);
  auto route = std::make_shared<Route>(request);
  route->host_work = request.site.purpose == Purpose::host_work;
  route->cacheable = request.excluded.empty();
  const std::vector<Candidate> list = candidates_of(*policy(), request.site);
  for (const Candidate& candidate : list) {
    Verdict verdict = candidate.device ? try_device(*candidate.device, request, outputs, *route)
                                       : candidate.unavailable;
    if (candidate.may_open_later) route->cacheable = false;
    const bool chosen = candidate.device && !verdict.refused();
    route->trail.push_back({candidate.name, std::move(verdict)});
    if (!chosen) continue;
    if (!route->host_work) {
      route->fallback = record_fallback(request.site, *route->device, route->trail);
    }
    if (route->fallback) route->requested_device = request.site.placement;
    route->copies_back = route->requested_device != nullptr;
    route->simple = route->runs_plainly() && !route->fallback && !route->copies_back;
    return route;
  }
  NoDevice refused(kind_of(list, route->trail),
                   fmt::format("{} no device takes it: {}; add a device that does to routing.order",
                               call_name(request.site), trail_text(route->trail)),
                   route->trail);
  refused.set_op(request.site.op->name());
  if (route->trail.size() == 1) {
    refused.set_device(route->trail[0].device);
    refused.set_plugin_code(refusal_code(route->trail[0].verdict.reason));
  }
  throw refused;
}

Choice Router::choose(const RouteRequest& request) const {
  const std::vector<ValueInfo> outputs = infer_outputs(request);
  Choice choice;
  for (const Candidate& candidate : candidates_of(*policy(), request.site)) {
    choice.trail.push_back({candidate.name, verdict_of(candidate, request, outputs)});
    if (!candidate.device || choice.trail.back().verdict.refused()) continue;
    choice.device = candidate.device;
    break;
  }
  return choice;
}

Verdict Router::try_device(OpenDevice& device, const RouteRequest& request,
                           std::span<const ValueInfo> outputs, Route& route) {
  const auto failed = std::find_if(request.excluded.begin(), request.excluded.end(),
                                   [&](const Exclusion& e) { return e.device == &device; });
  if (failed != request.excluded.end()) return failed->verdict;
  if (device.quarantined()) {
    route.cacheable = false;
    return refusal(SY_REASON_FAULTED, device.fault());
  }
  return prepare_on(device, request, outputs, route);
}

Verdict Router::prepare_on(OpenDevice& device, const RouteRequest& request,
                           std::span<const ValueInfo> outputs, Route& route) {
  NodeProgram program(request, outputs);
  std::uint64_t make_contiguous = 0;
  std::shared_ptr<const Kernel> kernel;
  try {
    check_memory_for_repeats(device, request.inputs);
    Verdict verdict = ask_either_way(device, program, strided_inputs(request), make_contiguous);
    if (verdict.refused()) return verdict;
    kernel = cache_.find_kernel(request, device, make_contiguous);
    if (!kernel) {
      kernel = prepare(device, program, request);
      cache_.keep_kernel(request, make_contiguous, kernel);
    }
  } catch (const PrepareRefusal& refused) {
    return refusal(refused.reason(), refused.what());
  } catch (const Error& error) {
    // Nothing has been enqueued, so another device may take over.
    if (error.kind() == ErrorKind::invalid_argument) throw;
    route.cacheable = false;
    return refusal(error.kind() == ErrorKind::out_of_memory ? SY_REASON_MEMORY : SY_REASON_FAULTED,
                   error.what());
  }
  for (std::size_t i = 0; i < program.output_positions().size(); ++i) {
    const std::string_view error =
        plan_error(kernel->outputs()[i], outputs[program.output_positions()[i]]);
    if (!error.empty()) {
      return refusal(SY_REASON_FAULTED,
                     fmt::format("for output {} it {}; the plugin is broken", i, error));
    }
  }
  route.device = &device;
  route.kernel = kernel;
  route.make_contiguous = make_contiguous;
  route.immediates = program.immediates();
  route.strided_outputs = (program.claim_flags() & SY_CLAIM_STRIDED_OUTPUTS) != 0;
  route.input_positions = program.input_positions();
  route.output_positions = program.output_positions();
  route.outputs.assign(request.output_count, {});
  for (std::size_t i = 0; i < route.output_positions.size(); ++i) {
    const std::uint32_t position = route.output_positions[i];
    RoutedOutput& output = route.outputs[position] =
        routed_output(outputs[position], kernel->outputs()[i]);
    output.may_alias = to_node_inputs(output.may_alias, route.input_positions);
    const std::size_t most = device.allocator().limits().value_bytes;
    if (output.mode == SY_OUTPUT_BOUNDED && output.size_bytes > most) {
      return refusal(
          SY_REASON_MEMORY,
          fmt::format("wants {} bytes for output {}, however few that turns out to need, "
                      "more than limits.value_bytes, {}",
                      output.size_bytes, position, most));
    }
  }
  for (std::size_t i = 0; i < kernel->unneeded_constants().size(); ++i) {
    if (!kernel->unneeded_constants()[i]) continue;
    route.unneeded_inputs.resize(request.inputs.size());
    route.unneeded_inputs[route.input_positions[i]] = true;
  }
  return {};
}

namespace {

std::string_view plugin_of(const Candidate& candidate) {
  return std::string_view(candidate.name).substr(0, candidate.name.find(':'));
}

}  // namespace

/// A route that leads to another device than the one that the call asked.
struct Router::Fallback {
  const Candidate asked;
  const Verdict& refusal;  // of the device asked
  FallbackPolicy policy;
};

std::optional<Router::Fallback> Router::fallback_of(const CallSite& site, const OpenDevice& chosen,
                                                    const Trail& trail) const {
  if (site.purpose == Purpose::host_work) return std::nullopt;
  const std::shared_ptr<const RoutingPolicy> policy = this->policy();
  const std::vector<Candidate> list = candidates_of(*policy, site);
  const auto pin = policy->pins.find(site.op->name());
  const bool is_pinned = pin != policy->pins.end() && !site.placement;
  // A device of the order that is not there is not asked; one that does not open, or that was named
  // for this op, is.
  const auto asked = std::find_if(list.begin(), list.end(), [&](const Candidate& candidate) {
    return candidate.device || candidate.failed ||
           (is_pinned && candidate.name == pin->second.name);
  });
  if (asked == list.end() || &chosen == asked->device.get()) return std::nullopt;
  const auto step = std::find_if(trail.begin(), trail.end(),
                                 [&](const TrailStep& s) { return s.device == asked->name; });
  if (step == trail.end()) return std::nullopt;
  return Fallback{*asked, step->verdict, policy->fallback_for(site.op->name(), plugin_of(*asked))};
}

void Router::refuse_if_denied(const CallSite& site, const Fallback& fallback,
                              const std::string& denial) {
  if (denial.empty()) return;
  throw Error(ErrorKind::unsupported, fmt::format("{} {}", call_name(site), denial))
      .set_op(site.op->name())
      .set_device(fallback.asked.name)
      .set_plugin_code(refusal_code(fallback.refusal.reason));
}

std::string Router::denial_of(const std::optional<Fallback>& fallback, std::string_view to,
                              std::string_view remedy) {
  if (!fallback || fallback->policy != FallbackPolicy::deny) return "";
  return fmt::format("{} refused ({}): {}; falling back to {} is denied; {}", fallback->asked.name,
                     refusal_code(fallback->refusal.reason), fallback->refusal.message, to, remedy);
}

std::string Router::denial_of(const CallSite& site, const std::optional<Fallback>& fallback,
                              const OpenDevice& chosen) {
  return denial_of(
      fallback, chosen.name(),
      fmt::format("allow it in [routing], or pin {} to {}", site.op->name(), chosen.name()));
}

std::string Router::denial_of_host_kernel(const std::optional<Fallback>& fallback) {
  return denial_of(fallback, "the op's kernel on the host", "allow it in [routing]");
}

std::string Router::why_denied(const CallSite& site, const Trail& trail) const {
  const auto chosen = std::find_if(trail.begin(), trail.end(),
                                   [](const TrailStep& step) { return !step.verdict.refused(); });
  if (chosen == trail.end()) return "";
  for (const Candidate& candidate : candidates_of(*policy(), site)) {
    if (!candidate.device || candidate.name != chosen->device) continue;
    return denial_of(site, fallback_of(site, *candidate.device, trail), *candidate.device);
  }
  return "";
}

LedgerEntry* Router::record_fallback(const CallSite& site, const OpenDevice& chosen,
                                     const Trail& trail) {
  const std::optional<Fallback> fallback = fallback_of(site, chosen, trail);
  if (!fallback) return nullptr;
  refuse_if_denied(site, *fallback, denial_of(site, fallback, chosen));
  return &record(site, *fallback, chosen.name());
}

LedgerEntry& Router::record(const CallSite& site, const Fallback& fallback, const std::string& to) {
  const std::string op(site.op->name());
  const std::string code = refusal_code(fallback.refusal.reason);
  const std::string& asked = fallback.asked.name;
  const std::string& message = fallback.refusal.message;
  bool is_new = false;
  LedgerEntry& entry = ledger_.entry({op, asked, to, code, message}, is_new);
  if (is_new && fallback.policy == FallbackPolicy::warn) {
    trace::warn("{} falls back from {} to {} ({}): {}", op, asked, to, code, message);
  }
  return entry;
}

std::optional<Router::Fallback> Router::host_fallback_of(const CallSite& site,
                                                         const Trail& trail) const {
  if (site.purpose == Purpose::host_work) return std::nullopt;
  const std::shared_ptr<const RoutingPolicy> policy = this->policy();
  for (const Candidate& candidate : candidates_of(*policy, site)) {
    if (!candidate.device || !has_claim_about(*candidate.device, *site.op)) continue;
    const auto step = std::find_if(trail.begin(), trail.end(), [&](const TrailStep& s) {
      return s.device == candidate.name && s.verdict.refused();
    });
    if (step == trail.end()) continue;
    return Fallback{candidate, step->verdict,
                    policy->fallback_for(site.op->name(), plugin_of(candidate))};
  }
  return std::nullopt;
}

std::string Router::why_host_kernel_denied(const CallSite& site, const Trail& trail) const {
  return denial_of_host_kernel(host_fallback_of(site, trail));
}

LedgerEntry* Router::record_host_kernel(const CallSite& site, const Trail& trail) {
  const std::optional<Fallback> fallback = host_fallback_of(site, trail);
  if (!fallback) return nullptr;
  refuse_if_denied(site, *fallback, denial_of_host_kernel(fallback));
  return &record(site, *fallback, "host");
}

Verdict Router::verdict_of(const Candidate& candidate, const RouteRequest& request,
                           std::span<const ValueInfo> outputs) const {
  if (!candidate.device) return candidate.unavailable;
  if (candidate.device->quarantined()) {
    return refusal(SY_REASON_FAULTED, candidate.device->fault());
  }
  NodeProgram program(request, outputs);
  std::uint64_t make_contiguous = 0;
  return ask_either_way(*candidate.device, program, strided_inputs(request), make_contiguous);
}

Trail Router::explain(const RouteRequest& request) const {
  const std::vector<ValueInfo> outputs = infer_outputs(request);
  Trail trail;
  for (const Candidate& candidate : candidates_of(*policy(), request.site)) {
    trail.push_back({candidate.name, verdict_of(candidate, request, outputs)});
  }
  return trail;
}

}  // namespace switchyard
