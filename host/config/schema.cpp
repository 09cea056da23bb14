#include "config/schema.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "config/byte_size.hpp"

namespace switchyard::config {
namespace {

constexpr std::array<std::string_view, 6> log_levels = {"trace", "debug", "info",
                                                        "warn",  "error", "off"};
constexpr std::array<std::string_view, 3> fallback_policies = {"allow", "warn", "deny"};
constexpr std::array<std::string_view, 3> on_violation = {"log", "error", "abort"};
constexpr std::array<std::string_view, 3> precisions = {"highest", "tf32", "bfloat16"};
constexpr std::array<std::string_view, 2> isolations = {"none", "process"};

using Problem = std::optional<ValueProblem>;

const std::string& text_of(const ConfigValue& value) { return std::get<std::string>(value.data); }

// The enumerator whose name the value is; check_value has seen that it is one of them.
template <typename Enum, std::size_t N>
Enum chosen(const std::array<std::string_view, N>& names, const Setting& setting) {
  const auto found = std::find(names.begin(), names.end(), text_of(setting.value));
  return static_cast<Enum>(found - names.begin());
}

FallbackPolicy policy(const Setting& setting) {
  return chosen<FallbackPolicy>(fallback_policies, setting);
}

std::optional<std::uint64_t> bytes_of(const ConfigValue& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value.data)) {
    return *count < 0 ? std::nullopt : std::optional<std::uint64_t>(*count);
  }
  return parse_byte_size(text_of(value));
}

PluginConfig& plugin(const Setting& setting, Config& config) {
  const std::string& name = setting.path[1];
  const auto found = std::find_if(config.plugins.begin(), config.plugins.end(),
                                  [&](const PluginConfig& known) { return known.name == name; });
  if (found != config.plugins.end()) return *found;
  config.plugins.emplace_back().name = name;
  return config.plugins.back();
}

Problem check_within(const ConfigValue& value, std::int64_t largest) {
  const std::int64_t number = std::get<std::int64_t>(value.data);
  if (number >= 1 && number <= largest) return std::nullopt;
  return ValueProblem{"cannot be " + to_text(value) + "; it takes a number from 1 to " +
                      std::to_string(largest)};
}

Problem check_count(const ConfigValue& value) { return check_within(value, 1'000'000'000'000); }

double real_number_of(const ConfigValue& value) {
  const auto* const whole = std::get_if<std::int64_t>(&value.data);
  return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value.data);
}

Problem check_deadline(const ConfigValue& value) {
  const double seconds = real_number_of(value);
  if (seconds == 0 || (seconds >= 0.001 && seconds <= 1e6)) return std::nullopt;
  return ValueProblem{"cannot be " + to_text(value) +
                      "; it takes a number of seconds from 0.001 to 1000000, or 0 for no deadline"};
}

Problem check_pause(const ConfigValue& value) {
  const std::int64_t number = std::get<std::int64_t>(value.data);
  if (number >= 0 && number <= 1'000'000) return std::nullopt;
  return ValueProblem{"cannot be " + to_text(value) +
                      "; it takes a number of microseconds from 0 to 1000000"};
}

Problem check_depth(const ConfigValue& value) {
  return check_within(value, LimitsConfig::kDeepest);
}

Problem check_bytes(const ConfigValue& value) {
  if (bytes_of(value)) return std::nullopt;
  return ValueProblem{"is not a size: " + to_text(value) +
                      "; write bytes, or a size such as \"512MiB\" or \"2GiB\""};
}

Problem check_device(const ConfigValue& value) {
  if (parse_device_name(text_of(value))) return std::nullopt;
  return ValueProblem{"is not a device: " + to_text(value) +
                          "; write a plugin's name, or name and index: \"NAME:1\"",
                      &value};
}

Problem check_host_device(const ConfigValue& value) {
  return text_of(value).empty() ? std::nullopt : check_device(value);
}

Problem check_order(const ConfigValue& value) {
  const auto& items = std::get<ConfigValue::List>(value.data);
  if (items.empty()) return ValueProblem{"names no device; name at least one"};
  for (const ConfigValue& item : items) {
    if (Problem problem = check_device(item)) return problem;
  }
  return std::nullopt;
}

Problem check_library(const ConfigValue& value) {
  const std::string& text = text_of(value);
  const bool whole = !text.empty() && text.find('\0') == std::string::npos;
  if (whole && text != "." && text != ".." && text.back() != '/') return std::nullopt;
  return ValueProblem{"names no library: " + to_text(value) +
                      "; write its name without \"lib\" and ending, or a path to the file"};
}

Problem check_file_name(const ConfigValue& value) {
  if (text_of(value).find('\0') == std::string::npos) return std::nullopt;
  return ValueProblem{"holds a character of code 0, which is not valid in the name of a file"};
}

Problem check_sha256(const ConfigValue& value) {
  const std::string& text = text_of(value);
  const bool hexadecimal = text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (text.empty() || (hexadecimal && text.size() == 64)) return std::nullopt;
  return ValueProblem{
      "is not a SHA-256 sum: it takes 64 hexadecimal digits, as `sha256sum FILE` prints them"};
}

void set_log_level(const Setting& s, Config& c) { c.host.log_level = text_of(s.value); }
void set_cache_limit(const Setting& s, Config& c) { c.host.cache_limit = *bytes_of(s.value); }
void set_memory_limit(const Setting& s, Config& c) { c.host.memory_limit = *bytes_of(s.value); }
void set_trace(const Setting& s, Config& c) { c.host.trace = text_of(s.value); }

std::int64_t number_of(const Setting& s) { return std::get<std::int64_t>(s.value.data); }
void set_nodes(const Setting& s, Config& c) { c.limits.nodes = number_of(s); }
void set_depth(const Setting& s, Config& c) { c.limits.depth = number_of(s); }
void set_value_bytes(const Setting& s, Config& c) { c.limits.value_bytes = *bytes_of(s.value); }
void set_iterations(const Setting& s, Config& c) { c.limits.iterations = number_of(s); }

void set_order(const Setting& s, Config& c) {
  for (const ConfigValue& item : std::get<ConfigValue::List>(s.value.data)) {
    c.routing.order.push_back(*parse_device_name(text_of(item)));
  }
}
void set_fallback(const Setting& s, Config& c) { c.routing.fallback = policy(s); }
void set_host_device(const Setting& s, Config& c) {
  c.routing.host_device = parse_device_name(text_of(s.value));
}
void set_whole_programs(const Setting& s, Config& c) {
  c.routing.whole_programs = std::get<bool>(s.value.data);
}
void add_fallback_by_plugin(const Setting& s, Config& c) {
  c.routing.fallback_by_plugin.emplace_back(s.path[2], policy(s));
}
void add_fallback_by_op(const Setting& s, Config& c) {
  c.routing.fallback_by_op.emplace_back(s.path[2], policy(s));
}
void add_pin(const Setting& s, Config& c) {
  c.routing.pins.emplace_back(s.path[2], *parse_device_name(text_of(s.value)));
}

void set_matmul(const Setting& s, Config& c) {
  c.precision.matmul = chosen<Precision>(precisions, s);
}
void set_convolution(const Setting& s, Config& c) {
  c.precision.convolution = chosen<Precision>(precisions, s);
}
void set_float16_sums(const Setting& s, Config& c) {
  c.precision.float16_sums = std::get<bool>(s.value.data);
}
void set_deterministic(const Setting& s, Config& c) {
  c.precision.deterministic = std::get<bool>(s.value.data);
}

void set_library(const Setting& s, Config& c) { plugin(s, c).library = text_of(s.value); }
void set_required(const Setting& s, Config& c) {
  plugin(s, c).required = std::get<bool>(s.value.data);
}
void set_sha256(const Setting& s, Config& c) {
  std::string sum = text_of(s.value);
  std::transform(sum.begin(), sum.end(), sum.begin(), [](char digit) {
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit;
  });
  plugin(s, c).sha256 = std::move(sum);
}
void set_isolation(const Setting& s, Config& c) {
  plugin(s, c).isolation = chosen<Isolation>(isolations, s);
}
void set_deadline(const Setting& s, Config& c) {
  plugin(s, c).deadline_seconds = real_number_of(s.value);
}
void set_validate(const Setting& s, Config& c) {
  plugin(s, c).validation.enabled = std::get<bool>(s.value.data);
}
void set_on_violation(const Setting& s, Config& c) {
  plugin(s, c).validation.on_violation = text_of(s.value);
}
void set_seed(const Setting& s, Config& c) { plugin(s, c).validation.seed = number_of(s); }
void set_delay(const Setting& s, Config& c) {
  plugin(s, c).validation.delay_microseconds = number_of(s);
}
void add_option(const Setting& s, Config& c) {
  std::string key = s.path[3];
  for (std::size_t i = 4; i < s.path.size(); ++i) key += '.' + s.path[i];
  plugin(s, c).options.push_back({std::move(key), s.value});
}

// clang-format off
using enum ValueType;
using enum Reload;
constexpr KeyRow rows[] = {
  {"host.cache_limit", byte_size, {}, "0", "", fixed, check_bytes, set_cache_limit,
   "the most memory that each device keeps for later when tensors let go of it: bytes, or a size; "
   "0 for no other limit than that of host.memory_limit"},
  {"host.log_level", string, log_levels, "\"warn\"", "SWITCHYARD_LOG", live, nullptr, set_log_level,
   "the least important messages that are still written to stderr"},
  {"host.memory_limit", byte_size, {}, "0", "", fixed, check_bytes, set_memory_limit,
   "the most memory that tensors may take on each device: bytes, or a size; 0 for three quarters "
   "of the machine's"},
  {"host.trace", string, {}, "\"\"", "", fixed, check_file_name, set_trace,
   "a file to write what ran where and when to; empty for none"},

  {"limits.nodes", integer, {}, "1000000", "", fixed, check_count, set_nodes,
   "the most nodes of a model, with bodies, and functions in the place of their calls"},
  {"limits.depth", integer, {}, "64", "", fixed, check_depth, set_depth,
   "how deep bodies of If, Loop and Scan and calls of functions may lie within each other"},
  {"limits.value_bytes", byte_size, {}, "0", "", fixed, check_bytes, set_value_bytes,
   "the most memory that one tensor may take on a device; 0 for half of the machine's"},
  {"limits.iterations", integer, {}, "10000000", "", fixed, check_count, set_iterations,
   "the most iterations of Loop, Scan and SequenceMap, and pieces of SplitToSequence, in a run"},

  {"routing.order", string_list, {}, "", "", live, check_order, set_order,
   "the devices, the one to ask first in front; by default the plugins in the order of the file"},
  {"routing.fallback", string, fallback_policies, "\"warn\"", "", live, nullptr, set_fallback,
   "what to do when the device asked for refuses an op"},
  {"routing.host_device", string, {}, "\"\"", "", live, check_host_device, set_host_device,
   "where shape arithmetic runs; empty for the first device whose memory the host can address"},
  {"routing.whole_programs", boolean, {}, "true", "", live, nullptr, set_whole_programs,
   "gives devices that take them many nodes of a model at once; false: one by one"},
  {"routing.fallback_by_plugin.PLUGIN", string, fallback_policies, "", "", live, nullptr,
   add_fallback_by_plugin, "the same for the refusals of one plugin"},
  {"routing.fallback_by_op.OP", string, fallback_policies, "", "", live, nullptr,
   add_fallback_by_op, "the same for one op; it outweighs the plugin's"},
  {"routing.pins.OP", string, {}, "", "", live, check_device, add_pin,
   "the device to ask first for one op, before the order"},

  {"precision.matmul", string, precisions, "\"highest\"", "", fixed, nullptr, set_matmul,
   "the precision that float32 matrix products must keep"},
  {"precision.convolution", string, precisions, "\"highest\"", "", fixed, nullptr, set_convolution,
   "the precision that float32 convolutions must keep"},
  {"precision.float16_sums", boolean, {}, "false", "", fixed, nullptr, set_float16_sums,
   "whether products of float16 may be summed in float16, where that is faster"},
  {"precision.deterministic", boolean, {}, "false", "", fixed, nullptr, set_deterministic,
   "whether equal inputs must give equal bits on the same device, also where that is slower"},

  {"plugins.PLUGIN.library", string, {}, "\"switchyard_PLUGIN\"", "", live, check_library,
   set_library, "the plugin's library: a name to find, or a path to the file"},
  {"plugins.PLUGIN.required", boolean, {}, "false", "", live, nullptr, set_required,
   "whether to stop when the plugin cannot be loaded, rather than to go on without it"},
  {"plugins.PLUGIN.sha256", string, {}, "\"\"", "", live, check_sha256, set_sha256,
   "the sum that the library's file must have; empty for any"},
  {"plugins.PLUGIN.isolation", string, isolations, "\"none\"", "", live, nullptr, set_isolation,
   "\"process\" runs the plugin in a process of its own, so that its faults end no other"},
  {"plugins.PLUGIN.deadline_seconds", number, {}, "60", "", live, check_deadline, set_deadline,
   "how long one call may take before the log tells of it, or an isolated plugin's process is "
   "ended; 0: for ever"},
  {"plugins.PLUGIN.validate", boolean, {}, "false", "", live, nullptr, set_validate,
   "whether every call of the plugin is checked against the plugin API"},
  {"plugins.PLUGIN.validation.on_violation", string, on_violation, "\"log\"", "", live, nullptr,
   set_on_violation, "what a call against the plugin API comes to, besides being counted"},
  {"plugins.PLUGIN.validation.seed", integer, {}, "1", "", live, nullptr, set_seed,
   "the seed of the pauses before calls that are checked"},
  {"plugins.PLUGIN.validation.delay_microseconds", integer, {}, "0", "", live, check_pause,
   set_delay, "the longest pause before a call that is checked; 0 for none"},
  {"plugins.PLUGIN.options.ANY", any, {}, "", "", live, nullptr, add_option,
   "handed to the plugin as it stands"},
};
// clang-format on

}  // namespace

std::span<const KeyRow> schema() { return rows; }

}  // namespace switchyard::config
