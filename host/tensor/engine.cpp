#include "tensor/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <switchyard/error.hpp>

#include "config/reload.hpp"
#include "config/suggestion.hpp"
#include "device/status.hpp"
#include "ops/catalogue.hpp"
#include "ops/op_by_name.hpp"
#include "ops/registered_op.hpp"
#include "tensor/plugin_ops.hpp"
#include "tensor/recent_routes.hpp"
#include "trace/log.hpp"
#include "trace/timeline.hpp"

namespace switchyard {
namespace {

Candidate candidate_for(const DeviceName& name, DeviceRegistry& registry) {
  const DeviceRegistry::Lookup found = registry.find(name);
  Candidate candidate{to_text(name), found.device,         {},
                      found.failed,  found.may_open_later, found.short_of_memory};
  if (!found.device)
    candidate.unavailable = {SY_REFUSED, found.reason, refusal_message(found.message)};
  return candidate;
}

/// The device named, else the first one whose memory the host can address: in the order, then
/// anywhere.
std::shared_ptr<OpenDevice> find_host_device(const Config& config, DeviceRegistry& registry,
                                             const std::vector<Candidate>& order) {
  if (config.routing.host_device) {
    DeviceRegistry::Lookup found = registry.find(*config.routing.host_device);
    if (found.device && found.device->addressable()) return found.device;
    throw setting_error(
        *config.find_setting("routing.host_device"),
        fmt::format("names {}, which cannot do the host's work: {}; name a device whose memory the "
                    "host can address, or \"\" for the first such device",
                    to_text(*config.routing.host_device),
                    found.device ? "it has memory that the host cannot address" : found.message));
  }
  for (const Candidate& candidate : order) {
    if (candidate.device && candidate.device->addressable()) return candidate.device;
  }
  for (const PluginConfig& plugin : config.plugins) {
    DeviceRegistry::Lookup found = registry.find({plugin.name, 0});
    if (found.device && found.device->addressable()) return found.device;
  }
  throw Error(ErrorKind::config,
              "no configured device has memory that the host can address, which shape arithmetic "
              "needs; add a plugin with such a device to [plugins]");
}

void check_order(const std::vector<Candidate>& order) {
  std::string reasons;
  ErrorKind kind = ErrorKind::plugin;
  for (const Candidate& candidate : order) {
    if (candidate.device) return;
    if (candidate.short_of_memory) kind = ErrorKind::out_of_memory;
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", candidate.name,
                           candidate.unavailable.message);
  }
  throw Error(kind, fmt::format("no device in routing.order is available: {}", reasons));
}

/// Of products: what may be less exact includes what is more exact than that.
std::uint32_t precision_flags(const PrecisionConfig& config, Precision precision) {
  std::uint32_t flags = config.float16_sums ? std::uint32_t{SY_MATH_FLOAT16_SUMS} : 0;
  if (precision != Precision::highest) flags |= SY_MATH_TF32;
  if (precision == Precision::bfloat16) flags |= SY_MATH_BFLOAT16;
  return flags;
}

void apply_log_level(const Config& config) {
  if (auto level = trace::parse_level(config.host.log_level)) trace::set_level(*level);
}

std::shared_ptr<trace::Timeline> open_timeline(const Config& config) {
  if (config.host.trace.empty()) return nullptr;
  try {
    return trace::Timeline::open(config.host.trace);
  } catch (const Error& error) {
    throw setting_error(
        *config.find_setting("host.trace"),
        fmt::format("names \"{}\", which {}; name a file that can be made there, or "
                    "\"\" for none",
                    config.host.trace, error.what()));
  }
}

/// The op of a key such as routing.pins.Conv must be one that there is.
void check_op(const Config& config, std::string_view table, const std::string& op) {
  if (find_op_by_name(op)) return;
  std::vector<std::string> known;
  for (const Op* other : all_known_ops()) known.emplace_back(other->name());
  const KeyPath key = {"routing", std::string(table), op};
  const auto setting = std::find_if(config.settings.begin(), config.settings.end(),
                                    [&](const Setting& s) { return s.path == key; });
  throw setting_error(*setting, fmt::format("names no op{}; `switchyard ops` lists them",
                                            config::did_you_mean(op, known)));
}

}  // namespace

RoutingPolicy resolve_policy(const Config& config, DeviceRegistry& registry,
                             DeviceRegistry* later) {
  RoutingPolicy policy;
  policy.ask_again = [&lasting = later ? *later : registry](const std::string& name) {
    return candidate_for(*parse_device_name(name), lasting);
  };
  for (const DeviceName& name : config.routing.order) {
    policy.order.push_back(candidate_for(name, registry));
    if (!policy.order.back().device) {
      trace::info("{} is not available: {}", policy.order.back().name,
                  policy.order.back().unavailable.message);
    }
  }
  check_order(policy.order);
  for (const auto& [op, mode] : config.routing.fallback_by_op) {
    check_op(config, "fallback_by_op", op);
  }
  for (const auto& [op, name] : config.routing.pins) {
    check_op(config, "pins", op);
    Candidate pin = candidate_for(name, registry);
    if (!pin.device) {
      trace::warn("{} is pinned to {}, which is not available: {}", op, pin.name,
                  pin.unavailable.message);
    }
    policy.pins.emplace(op, std::move(pin));
  }
  policy.host_device = find_host_device(config, registry, policy.order);
  policy.fallback = config.routing.fallback;
  policy.whole_programs = config.routing.whole_programs;
  policy.fallback_by_plugin = {config.routing.fallback_by_plugin.begin(),
                               config.routing.fallback_by_plugin.end()};
  policy.fallback_by_op = {config.routing.fallback_by_op.begin(),
                           config.routing.fallback_by_op.end()};
  policy.node_flags = config.precision.deterministic ? std::uint32_t{SY_MATH_DETERMINISTIC} : 0;
  policy.matmul_flags = precision_flags(config.precision, config.precision.matmul);
  policy.convolution_flags = precision_flags(config.precision, config.precision.convolution);
  return policy;
}

Engine::Engine(Config given, std::shared_ptr<trace::Timeline> timeline)
    : config(std::move(given)),
      registry(config, installed_context(), std::move(timeline), register_ops_of),
      current_(config) {}

std::shared_ptr<Engine> Engine::load(Config config, std::shared_ptr<trace::Timeline> timeline) {
  auto engine = std::make_shared<Engine>(std::move(config), std::move(timeline));
  engine->registry.set_engine(engine);
  return engine;
}

// Routes that threads keep would hold this runtime's devices open.
Engine::~Engine() {
  registry.forget_engine();
  route_epoch.fetch_add(1);
  RecentRoutes::drop_stale_of_this_thread();
}

std::shared_ptr<Engine> Engine::start(Config config) {
  apply_log_level(config);
  auto timeline = open_timeline(config);
  auto engine = load(std::move(config), std::move(timeline));
  engine->registry.check_required();
  engine->router.emplace(resolve_policy(engine->config, engine->registry));
  engine->dispatcher.emplace(*engine->router);
  return engine;
}

void Engine::reload(const Config& next) {
  std::scoped_lock guard(reload_guard_);
  check_reload(current_, next);
  Config now = next;
  std::shared_ptr<const RoutingPolicy> policy;
  registry.change_to(next, [&](DeviceRegistry& changed) {
    changed.check_required();
    policy = std::make_shared<const RoutingPolicy>(resolve_policy(next, changed, &registry));
  });
  router->set_policy(std::move(policy));
  std::swap(current_, now);
  RecentRoutes::drop_stale_of_this_thread();
  apply_log_level(next);
  registry.trim_retired();
}

std::string Engine::file() const {
  std::scoped_lock guard(reload_guard_);
  if (current_.folder.empty()) return "";
  const std::filesystem::path file = current_.source;
  return (std::filesystem::path(current_.folder) / file.filename()).string();
}

std::shared_ptr<OpenDevice> Engine::device(std::string_view name) {
  const auto parsed = parse_device_name(name);
  if (!parsed) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' names no device; write plugin or plugin:index", name));
  }
  DeviceRegistry::Lookup found = registry.find(*parsed);
  if (!found.device) {
    throw Error(ErrorKind::device_unavailable,
                fmt::format("{} is not available: {}", to_text(*parsed), found.message))
        .set_device(to_text(*parsed))
        .set_plugin_code(code_of(found.reason));
  }
  return found.device;
}

void require_host_memory(OpenDevice& device, std::size_t bytes) {
  const Engine* engine = device.engine();
  const std::shared_ptr<OpenDevice> host =
      engine && engine->router ? engine->router->policy()->host_device : device.shared_from_this();
  host->allocator().require_memory(bytes);
}

}  // namespace switchyard
