// Enters and probes a plugin whose table, devices and claims the bytes make: sizes that cut structs
// short, slots and texts left out, numbers that mean nothing. Each struct lies in memory of just
// the size that it gives, so that a read beyond it is seen.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "outcome.hpp"
#include "plugin_loader/failure.hpp"
#include "plugin_loader/plugin_table.hpp"
#include "plugin_loader/probe_result.hpp"

namespace switchyard::fuzz {
namespace {

// What the plugin has said, for as long as its host may look at it.
struct Plugin {
  explicit Plugin(FuzzedDataProvider& source) : bytes(source) {}

  void* keep(std::size_t size) {  // at least the struct_size itself is there
    kept.push_back(std::make_unique<char[]>(std::max(size, sizeof(std::uint32_t))));
    return kept.back().get();
  }
  const char* text() {
    if (bytes.ConsumeIntegralInRange(0, 3) == 0) return nullptr;
    const std::string words = bytes.ConsumeRandomLengthString(20);
    auto* copy = static_cast<char*>(keep(words.size() + 1));
    std::memcpy(copy, words.c_str(), words.size() + 1);
    return copy;
  }
  // Mostly whole, now and then cut short or of a later header.
  std::uint32_t size(std::size_t whole) {
    if (bytes.ConsumeIntegralInRange(0, 3) > 0) return static_cast<std::uint32_t>(whole);
    return bytes.ConsumeIntegralInRange<std::uint32_t>(0, static_cast<std::uint32_t>(whole) + 24);
  }

  FuzzedDataProvider& bytes;
  std::vector<std::unique_ptr<char[]>> kept;
};

Plugin* plugin = nullptr;

template <typename Struct>
void put(char* array, std::size_t index, std::uint32_t size, Struct value) {
  value.struct_size = size;
  std::memcpy(array + index * size, &value, std::min<std::size_t>(size, sizeof(value)));
}

// Mostly such as a host may ignore.
std::uint32_t flags(std::uint32_t known) {
  const auto any = plugin->bytes.ConsumeIntegral<std::uint32_t>();
  if (plugin->bytes.ConsumeIntegralInRange(0, 7) == 0) return any;
  return any & (known | ~SY_FLAGS_TO_KNOW);
}

std::uint32_t claims_for(sy_device_info& info) {
  auto& bytes = plugin->bytes;
  const auto count = bytes.ConsumeIntegralInRange<std::uint32_t>(0, 3);
  const std::uint32_t size = plugin->size(sizeof(sy_claim));
  auto* array = static_cast<char*>(plugin->keep(std::size_t{size} * count));
  for (std::uint32_t i = 0; i < count; ++i) {
    sy_claim claim = {};
    claim.flags = flags(0);
    claim.domain = plugin->text();
    claim.op = plugin->text();
    claim.min_version = bytes.ConsumeIntegral<std::uint8_t>();
    claim.max_version = bytes.ConsumeIntegral<std::uint32_t>();
    claim.input_dtypes = bytes.ConsumeIntegral<std::uint64_t>();
    if (bytes.ConsumeIntegralInRange(0, 7) > 0) claim.input_dtypes &= SY_DTYPES_ALL;
    claim.max_rank = bytes.ConsumeIntegral<std::uint32_t>();
    put(array, i, size, claim);
  }
  if (bytes.ConsumeIntegralInRange(0, 7) > 0) info.claims = reinterpret_cast<sy_claim*>(array);
  return count;
}

sy_device_info device() {
  auto& bytes = plugin->bytes;
  sy_device_info info = {};
  info.flags = flags(SY_DEVICE_SYNCHRONOUS);
  info.name = plugin->text();
  info.built = bytes.ConsumeIntegral<std::int8_t>();
  info.available = bytes.ConsumeIntegral<std::int8_t>();
  info.reason = bytes.ConsumeIntegral<std::int8_t>();
  info.memory_kind = bytes.ConsumeIntegralInRange<std::int32_t>(-1, 4);
  info.message = plugin->text();
  info.alignment = bytes.ConsumeBool() ? 64 : bytes.ConsumeIntegral<std::uint32_t>();
  info.claim_count = claims_for(info);
  return info;
}

sy_status answer(sy_error* error) {
  auto& bytes = plugin->bytes;
  const auto status =
      bytes.ConsumeIntegralInRange(0, 7) > 0 ? SY_OK : bytes.ConsumeIntegral<std::int8_t>();
  if (status != SY_OK && error != nullptr) {  // without a NUL at the end, at times
    std::memset(error->message, bytes.ConsumeIntegral<std::uint8_t>(), sizeof(error->message));
  }
  return status;
}

sy_status probe(sy_probe_args* args, sy_error* error) {
  auto& bytes = plugin->bytes;
  args->built = bytes.ConsumeIntegral<std::int8_t>();
  args->available = bytes.ConsumeIntegral<std::int8_t>();
  args->reason = bytes.ConsumeIntegral<std::int8_t>();
  args->message = plugin->text();
  args->device_count = bytes.ConsumeIntegralInRange<std::uint32_t>(0, 3);
  const std::uint32_t size = plugin->size(sizeof(sy_device_info));
  auto* array = static_cast<char*>(plugin->keep(std::size_t{size} * args->device_count));
  for (std::uint32_t i = 0; i < args->device_count; ++i) put(array, i, size, device());
  if (bytes.ConsumeIntegralInRange(0, 7) > 0)
    args->devices = reinterpret_cast<sy_device_info*>(array);
  return answer(error);
}

// Never called: only `probe` is, here.
void slot() { report("a slot other than probe was called", ""); }

sy_status entry(sy_entry_args* args, sy_error* error) {
  auto& bytes = plugin->bytes;
  sy_plugin table = {};
  table.abi_version = bytes.ConsumeIntegralInRange(0, 7) > 0
                          ? SY_ABI_VERSION
                          : bytes.ConsumeIntegral<std::uint32_t>();
  table.name = plugin->text();
  table.version = plugin->text();
  table.build = plugin->text();
  constexpr std::size_t first = offsetof(sy_plugin, probe);
  for (std::size_t at = first; at < sizeof(table); at += sizeof(&slot)) {
    const bool is_set = bytes.ConsumeIntegralInRange(0, 15) > 0;
    void (*const pointer)() = is_set ? &slot : nullptr;
    std::memcpy(reinterpret_cast<char*>(&table) + at, &pointer, sizeof(pointer));
  }
  if (table.probe != nullptr) table.probe = probe;
  const std::uint32_t size = plugin->size(sizeof(table));
  auto* given = static_cast<char*>(plugin->keep(size));
  put(given, 0, size, table);
  std::memcpy(given, &size, sizeof(size));
  if (bytes.ConsumeIntegralInRange(0, 15) > 0) args->plugin = reinterpret_cast<sy_plugin*>(given);
  return answer(error);
}

void look_at(const char* text) {
  if (text == nullptr) report("a text that is null", "");
  volatile std::size_t length = std::strlen(text);
  static_cast<void>(length);
}

void load(FuzzedDataProvider& bytes) {
  static const sy_host host = {.struct_size = sizeof(sy_host), .thread_limit = 1};
  Plugin said(bytes);
  plugin = &said;
  const PluginTable table = enter_plugin(entry, host);
  const ProbeResult result = probe_plugin(table);
  for (const ProbedDevice& probed : result.devices) {
    look_at(probed.info.name);
    look_at(probed.info.message);
    for (const sy_claim& claim : probed.claims) {
      look_at(claim.op);
      look_at(claim.domain);
    }
  }
}

}  // namespace
}  // namespace switchyard::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  try {
    switchyard::fuzz::load(bytes);
  } catch (const switchyard::LoadError& error) {
    if (error.failure().reason.empty()) switchyard::fuzz::report("a failure without a reason", "");
  }
  return 0;
}
