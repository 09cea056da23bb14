#include <sstream>
#include <switchyard/plugin/claims.hpp>

#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

/// The words with every tensor but the first a scalar, which many ops of two inputs broadcast.
std::string with_later_scalars(const std::string& words) {
  std::istringstream stream(words);
  std::string result;
  bool is_first = true;
  for (std::string word; stream >> word;) {
    const std::string scalar = as_scalars(word);
    result += (result.empty() ? "" : " ") + (is_first ? word : scalar);
    is_first = false;
  }
  return result;
}

bool has_scalar(const OpCall& call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.has(i) && !call.is_host_input(i) && call.inputs[i].shape().empty()) return true;
  }
  return false;
}

bool takes_immediates(const Op& op, const sy_device_info& info) {
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    const bool is_flagged = (claim.flags & SY_CLAIM_IMMEDIATES) != 0;
    if (is_flagged && sy::names_op(claim, op.row->domain, op.name())) return true;
  }
  return false;
}

}  // namespace

void try_immediates(TriedOp& tried) {
  if (!takes_immediates(tried.op(), tried.device().info())) skip("the claim takes no immediates");
  const std::string words = tried.words();
  RunForm form;
  form.immediates = true;
  for (const std::string& form_words : {words, with_later_scalars(words), as_scalars(words)}) {
    tried.each_type(form_words, [&](const OpCall& call) {
      if (!has_scalar(call)) return;
      const auto kernel = tried.prepare(call, form);
      if (!kernel) return;
      tried.run_on(*kernel, call, form);
      tried.run_on(*kernel, with_values(call, [](std::size_t, double value) { return value + 1; }),
                   form, ", with another value on the same kernel");
    });
  }
  tried.require_runs("no input of it can be a scalar");
}

void try_constants(TriedOp& tried) {
  RunForm form;
  form.constants = true;
  tried.each_type([&](const OpCall& call) {
    if (call.inputs.size() < 2) return;
    const auto first = tried.prepare(call, form);
    if (!first) return;
    const std::size_t main = main_input(tried.op());
    OpCall other = with_values(call, [](std::size_t, double value) { return value * 2; });
    other.inputs[main] = call.inputs[main];
    const auto second = tried.prepare(other, form);
    tried.run_on(*first, call, form);
    if (second) tried.run_on(*second, other, form, ", a second kernel with other constants");
    tried.run_on(*first, call, form, ", the first kernel after a second one");
  });
  tried.require_runs("it has a single input");
}

}  // namespace switchyard::cli::conform
