#include <cstring>
#include <optional>
#include <vector>

#include "cli/conform/loading/loading_cases.hpp"
#include "cli/conform/plugin/call.hpp"
#include "cli/conform/plugin/plugin_under_test.hpp"
#include "cli/conform/plugin/text_check.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::uint32_t kDeviceFlags = SY_DEVICE_WHOLE_PROGRAMS_ONLY | SY_DEVICE_CACHES_MEMORY |
                                       SY_DEVICE_IMPORTS_HOST_MEMORY | SY_DEVICE_PEER_COPY |
                                       SY_DEVICE_THREAD_SAFE_RUN | SY_DEVICE_SYNCHRONOUS;
constexpr std::uint32_t kClaimFlags = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS |
                                      SY_CLAIM_NO_SUPPORTS_CALL | SY_CLAIM_IMMEDIATES;

sy_probe_args probed(const Plugin& plugin) {
  auto args = sized<sy_probe_args>();
  args.host = &plugin.host();
  call_ok("probe", plugin.table().probe, args);
  return args;
}

/// What it lists, each of this version's size.
std::vector<sy_device_info> devices_of(const sy_probe_args& args) {
  std::vector<sy_device_info> devices;
  for (std::uint32_t i = 0; i < args.device_count; ++i) {
    const sy_device_info& given = *SY_AT(sy_device_info, args.devices, i);
    sy_device_info info{};
    std::memcpy(&info, &given, std::min<std::size_t>(given.struct_size, sizeof(info)));
    devices.push_back(info);
  }
  return devices;
}

void require_equal_devices(const sy_device_info& a, const sy_device_info& b, std::size_t index) {
  const bool equal = a.flags == b.flags && std::strcmp(a.name, b.name) == 0 && a.built == b.built &&
                     a.available == b.available && a.memory_kind == b.memory_kind &&
                     a.alignment == b.alignment && a.offset_alignment == b.offset_alignment &&
                     a.max_program_nodes == b.max_program_nodes && a.claim_count == b.claim_count;
  if (!equal) fail("a second probe tells otherwise of device {}", index);
  for (std::uint32_t i = 0; i < a.claim_count; ++i) {
    const sy_claim& first = *SY_AT(sy_claim, a.claims, i);
    const sy_claim& second = *SY_AT(sy_claim, b.claims, i);
    if (std::strcmp(first.op, second.op) == 0 && first.input_dtypes == second.input_dtypes &&
        first.flags == second.flags) {
      continue;
    }
    fail("a second probe tells otherwise of claim {} of device {}", i, index);
  }
}

void require_claim(const sy_claim& claim, std::uint32_t index) {
  const std::string what = fmt::format("claim {} ({})", index, claim.op);
  if (claim.min_version > claim.max_version) {
    fail("{}: its versions are {} to {}", what, claim.min_version, claim.max_version);
  }
  if (claim.min_rank > claim.max_rank) {
    fail("{}: its ranks are {} to {}", what, claim.min_rank, claim.max_rank);
  }
  if (((claim.input_dtypes | claim.output_dtypes) & ~SY_DTYPES_ALL) != 0) {
    fail("{}: it names types that this version does not have", what);
  }
  if (claim.output_dtypes == 0) fail("{}: it names no type of outputs", what);
  if ((claim.flags & ~kClaimFlags) != 0) {
    fail("{}: it has flags that this version does not have: {:#x}", what, claim.flags);
  }
}

}  // namespace

void try_second_probe(CaseRun& run) {
  const auto plugin = load(run.plugin);
  const sy_probe_args first = probed(*plugin);
  const std::vector<sy_device_info> before = devices_of(first);
  const std::vector<sy_device_info> after = devices_of(probed(*plugin));
  if (before.size() != after.size()) {
    fail("a first probe lists {} devices, a second one {}", before.size(), after.size());
  }
  const std::vector<sy_device_info> kept = devices_of(first);
  for (std::size_t i = 0; i < before.size(); ++i) {
    require_equal_devices(plugin->devices().at(i).info, before[i], i);
    require_equal_devices(before[i], after[i], i);
    require_equal_devices(before[i], kept[i], i);
  }
}

void try_grown_probe(CaseRun& run) {
  const auto plugin = load(run.plugin);
  call_form().grows = true;
  const sy_probe_args args = probed(*plugin);
  if (args.device_count != plugin->devices().size()) {
    fail("asked by a longer sy_probe_args, it lists {} devices, before {}", args.device_count,
         plugin->devices().size());
  }
}

void try_device_texts(CaseRun& run) {
  const auto plugin = load(run.plugin);
  const sy_probe_args args = probed(*plugin);
  if (!args.available) {
    require_plain_text(args.message, "the message of probe");
    if (*args.message == '\0') fail("probe says that nothing is available, and not why");
    if (args.reason == SY_REASON_NONE)
      fail("probe says that nothing is available without a reason");
  }
  const std::vector<sy_device_info> devices = devices_of(args);
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const sy_device_info& info = devices[i];
    require_plain_text(info.name, fmt::format("the name of device {}", i));
    require_plain_text(info.message, fmt::format("the message of device {}", i));
    if (!info.available && *info.message == '\0') {
      fail("device {} is not available, and its message does not say why", i);
    }
    for (std::uint32_t k = 0; k < info.claim_count; ++k) {
      const sy_claim& claim = *SY_AT(sy_claim, info.claims, k);
      require_plain_text(claim.domain, fmt::format("the domain of claim {}", k));
      require_plain_text(claim.op, fmt::format("the op of claim {}", k));
      if (*claim.op == '\0') fail("claim {} names no op", k);
    }
  }
}

void try_device_facts(CaseRun& run) {
  const auto plugin = load(run.plugin);
  const std::vector<sy_device_info> devices = devices_of(probed(*plugin));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const sy_device_info& info = devices[i];
    const std::string what = fmt::format("device {}", i);
    if ((info.flags & ~kDeviceFlags) != 0) {
      fail("{} has flags that this version does not have: {:#x}", what, info.flags);
    }
    if ((info.flags & SY_DEVICE_THREAD_SAFE_RUN) != 0 &&
        (info.flags & SY_DEVICE_SYNCHRONOUS) == 0) {
      fail("{} says THREAD_SAFE_RUN, which means something with SYNCHRONOUS alone", what);
    }
    if (info.offset_alignment != 0 && (info.offset_alignment & (info.offset_alignment - 1)) != 0) {
      fail("{}: its offset_alignment of {} is no power of two", what, info.offset_alignment);
    }
    for (std::uint32_t k = 0; info.peers != nullptr && k < info.peer_count; ++k) {
      if (info.peers[k] == i) fail("{} names itself as a peer", what);
    }
  }
}

void try_claims(CaseRun& run) {
  const auto plugin = load(run.plugin);
  for (const sy_device_info& info : devices_of(probed(*plugin))) {
    if (info.claim_count == 0) fail("device '{}' claims nothing, so it gets no work", info.name);
    for (std::uint32_t k = 0; k < info.claim_count; ++k) {
      require_claim(*SY_AT(sy_claim, info.claims, k), k);
    }
  }
}

}  // namespace switchyard::cli::conform
