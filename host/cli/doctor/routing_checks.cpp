#include "cli/doctor/routing_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "ops/op_by_name.hpp"

namespace switchyard::cli {
namespace {

constexpr char kSubject[] = "routing";

std::string origin_of(const Config& config, const KeyPath& path) {
  const Setting* setting = config.find_setting(to_text(path));
  return setting ? describe_origin(*setting) : "";
}

bool is_known_op(const std::string& op) { return find_op_by_name(op) != nullptr; }

/// True if a device of the order opens.
bool check_order(Engine& engine, HealthChecks& checks) {
  bool opens = false;
  for (const DeviceName& name : engine.config.routing.order) {
    const DeviceRegistry::Lookup found = engine.registry.find(name);
    if (found.device) {
      checks.push_back({kSubject, "order", Health::ok, to_text(name) + " opens", ""});
    } else {
      checks.push_back({kSubject, "order", Health::warn,
                        fmt::format("{} is passed over: {}", to_text(name), found.message), ""});
    }
    opens = opens || found.device;
  }
  if (!opens) {
    checks.push_back({kSubject, "order", Health::fail, "no device of routing.order is available",
                      "Add one that is, as `switchyard devices` lists them."});
  }
  return opens;
}

void check_host_device(Engine& engine, HealthChecks& checks) {
  try {
    const RoutingPolicy policy = resolve_policy(engine.config, engine.registry);
    checks.push_back({kSubject, "host_device", Health::ok,
                      policy.host_device->name() + " computes shapes and conditions", ""});
  } catch (const Error& error) {
    checks.push_back({kSubject, "host_device", Health::fail, error.what(), ""});
  }
}

void check_op(const Config& config, const KeyPath& path, HealthChecks& checks) {
  if (is_known_op(path.back())) return;
  checks.push_back({kSubject, to_text(path), Health::fail,
                    fmt::format("there is no op '{}' ({})", path.back(), origin_of(config, path)),
                    "Write the op's ONNX name."});
}

void check_pins(Engine& engine, HealthChecks& checks) {
  for (const auto& [op, device] : engine.config.routing.pins) {
    const KeyPath path = {"routing", "pins", op};
    check_op(engine.config, path, checks);
    const DeviceRegistry::Lookup found = engine.registry.find(device);
    if (found.device) {
      checks.push_back({kSubject, to_text(path), Health::ok, to_text(device) + " opens", ""});
      continue;
    }
    if (denies_fallback(engine.config, op, device.plugin)) {
      checks.push_back({kSubject, to_text(path), Health::fail,
                        fmt::format("{} is not available, and falling back is denied: {}",
                                    to_text(device), found.message),
                        "Drop the pin, or allow it in [routing.fallback_by_op]."});
      continue;
    }
    checks.push_back({kSubject, to_text(path), Health::warn,
                      fmt::format("{} is not available, so the op falls back: {}", to_text(device),
                                  found.message),
                      ""});
  }
}

}  // namespace

bool denies_fallback(const Config& config, std::string_view op, std::string_view plugin) {
  const RoutingConfig& routing = config.routing;
  RoutingPolicy policy;
  policy.fallback = routing.fallback;
  policy.fallback_by_plugin.insert(routing.fallback_by_plugin.begin(),
                                   routing.fallback_by_plugin.end());
  policy.fallback_by_op.insert(routing.fallback_by_op.begin(), routing.fallback_by_op.end());
  return policy.fallback_for(op, plugin) == FallbackPolicy::deny;
}

HealthChecks check_routing(Engine& engine) {
  HealthChecks checks;
  if (check_order(engine, checks)) check_host_device(engine, checks);
  check_pins(engine, checks);
  for (const auto& [op, policy] : engine.config.routing.fallback_by_op) {
    check_op(engine.config, {"routing", "fallback_by_op", op}, checks);
  }
  return checks;
}

}  // namespace switchyard::cli
