#include "cli/conform/kernels/reference.hpp"

#include <switchyard/error.hpp>

#include "cli/arguments/configuration.hpp"
#include "cli/conform/case.hpp"
#include "cli/doctor/inspection.hpp"
#include "cli/doctor/op_trials.hpp"
#include "cli/values/host_values.hpp"
#include "tensor/engine.hpp"

namespace switchyard::cli::conform {
namespace {

bool has_addresses(const Plugin& plugin, int index) {
  const auto& devices = plugin.devices();
  return plugin.available() && static_cast<std::size_t>(index) < devices.size() &&
         devices[static_cast<std::size_t>(index)].info.available &&
         devices[static_cast<std::size_t>(index)].info.memory_kind == SY_MEMORY_ADDRESS;
}

/// The first of the order that can serve; "" if none can.
std::string addressable_device(Engine& engine) {
  for (const DeviceName& name : engine.config.routing.order) {
    const std::shared_ptr<const DeviceRegistry::Entry> entry = engine.registry.entry(name.plugin);
    if (!entry || !entry->result.plugin) continue;
    if (has_addresses(*entry->result.plugin, name.index)) return to_text(name);
  }
  return "";
}

}  // namespace

Reference::Reference(const PluginUnderTest& plugin) {
  const Config config = read_configuration(plugin.reference);
  {
    const Runtime inspected = inspect(config);
    device_ = addressable_device(*inspected.engine());
  }
  if (device_.empty()) {
    fail(
        "there is nothing to compare with: no device of the configuration is available that has "
        "memory with addresses; name another configuration with --config");
  }
  runtime_ = start_runtime(only_on(config, device_));
}

std::optional<std::vector<Literal>> Reference::compute(const OpCall& call) const {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    inputs.push_back(call.has(i) ? to_tensor(call.inputs[i]) : Tensor());
  }
  try {
    const Operation operation =
        runtime_->operation(call.name(), call.arguments, call.op->row->domain);
    std::vector<Literal> outputs;
    for (const Tensor& output : outputs_of(operation, *call.op, inputs)) {
      outputs.push_back(output.defined() ? to_literal(output) : Literal());
    }
    return outputs;
  } catch (const Error&) {
    return std::nullopt;
  }
}

const Reference& reference_for(const PluginUnderTest& plugin) {
  static const Reference& reference = *new Reference(plugin);  // outlives what plugins do at exit
  return reference;
}

}  // namespace switchyard::cli::conform
