#include <cstring>

#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr std::uint32_t kMayIgnore = 1u << 14;   // a math flag that this version does not have
constexpr std::uint32_t kMustRefuse = 1u << 30;  // the same of SY_FLAGS_TO_KNOW

bool equal_bits(const std::vector<Literal>& a, const std::vector<Literal>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].size_bytes() != b[i].size_bytes()) return false;
    if (a[i].size_bytes() != 0 && std::memcmp(a[i].bytes(), b[i].bytes(), a[i].size_bytes()) != 0) {
      return false;
    }
  }
  return true;
}

}  // namespace

void try_deterministic(TriedOp& tried) {
  RunForm form;
  form.math_flags = SY_MATH_DETERMINISTIC;
  tried.each_type([&](const OpCall& call) {
    const auto kernel = tried.prepare(call, form);
    if (!kernel) return;
    const std::vector<Literal> first = kernel->run(tried.stream(), call, form);
    for (int time = 2; time <= 4; ++time) {
      if (equal_bits(first, kernel->run(tried.stream(), call, form))) continue;
      fail(
          "{} of {}: run {} gives other bits than the first one, though it was prepared with "
          "SY_MATH_DETERMINISTIC",
          call.name(), call.text(), time);
    }
  });
  tried.require_runs("no call of it was taken with MATH_DETERMINISTIC");
}

void try_unknown_flags(TriedOp& tried) {
  tried.each_type([&](const OpCall& call) {
    if (!tried.prepare(call)) return;
    RunForm ignored;
    ignored.math_flags = kMayIgnore;
    if (!tried.attempt(call, ignored)) {
      fail("{} of {}: refused for the math flag {:#x}, which is none of SY_FLAGS_TO_KNOW: {}",
           call.name(), call.text(), kMayIgnore, tried.run().left_out.back());
    }
    RunForm refused;
    refused.math_flags = kMustRefuse;
    if (tried.prepare(call, refused)) {
      fail(
          "{} of {}: taken with the math flag {:#x}, which no plugin of this version knows and "
          "which SY_FLAGS_TO_KNOW names",
          call.name(), call.text(), kMustRefuse);
    }
  });
  tried.require_runs("no call of it was taken");
}

}  // namespace switchyard::cli::conform
