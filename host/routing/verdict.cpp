#include "routing/verdict.hpp"

#include <fmt/format.h>

#include <cstring>

#include <switchyard/dtype.hpp>
#include <switchyard/plugin/claims.hpp>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "routing/program.hpp"

namespace switchyard {
namespace {

bool claims_op(const sy_claim& claim, const sy_node& node) {
  return sy::names_op(claim, node.domain, node.op);
}

/// The reason why a claim for this op does not cover the node, or a supported verdict.
Verdict match(const sy_claim& claim, const sy_program& program, const sy_node& node) {
  if (node.version < claim.min_version || node.version > claim.max_version) {
    return refusal(SY_REASON_OP, fmt::format("takes {} of versions {} to {}, not {}", node.op,
                                             claim.min_version, claim.max_version, node.version));
  }
  for (std::uint32_t i = 0; i < node.input_count; ++i) {
    if (node.inputs[i] == SY_ABSENT) continue;
    const sy_value& value = program.values[node.inputs[i]];
    if (value.flags & SY_VALUE_HOST_INPUT) continue;
    if (!(claim.input_dtypes & SY_DTYPE_BIT(value.dtype))) {
      return refusal(SY_REASON_DTYPE, fmt::format("does not take {} of {}", node.op,
                                                  name_of(static_cast<DType>(value.dtype))));
    }
    if (value.rank != SY_UNKNOWN_RANK &&
        (value.rank < claim.min_rank || value.rank > claim.max_rank)) {
      return refusal(SY_REASON_RANK, fmt::format("takes {} of rank {} to {}, not {}", node.op,
                                                 claim.min_rank, claim.max_rank, value.rank));
    }
  }
  for (std::uint32_t i = 0; i < node.output_count; ++i) {
    if (node.outputs[i] == SY_ABSENT) continue;
    const sy_value& value = program.values[node.outputs[i]];
    if (!(claim.output_dtypes & SY_DTYPE_BIT(value.dtype))) {
      return refusal(SY_REASON_DTYPE,
                     fmt::format("does not make {} from {}",
                                 name_of(static_cast<DType>(value.dtype)), node.op));
    }
  }
  return {};
}

/// What is no answer is a refusal: the next device may know better.
Verdict read(const sy_verdict& answer) {
  if (answer.kind == SY_UNANSWERED) {
    return refusal(SY_REASON_FAULTED, "supports left the node unanswered; the plugin is broken");
  }
  if (answer.kind < SY_SUPPORTED || answer.kind > SY_DEPENDS) {
    return refusal(
        SY_REASON_FAULTED,
        fmt::format("supports gave verdict {}, which is none; the plugin is broken", answer.kind));
  }
  const std::string_view said(answer.message, strnlen(answer.message, sizeof(answer.message)));
  return {answer.kind, answer.reason,
          answer.kind == SY_REFUSED ? refusal_message(said) : std::string(said)};
}

std::vector<Verdict> ask_supports(OpenDevice& device, const sy_program& program) {
  std::vector<sy_verdict> answers(program.node_count);
  for (sy_verdict& answer : answers) answer.struct_size = sizeof(answer);
  sy_supports_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.program = &program;
  args.verdicts = answers.data();
  const watch::OpScope told_as(summary_of(program));
  device.call(device.api().supports, args, "supports");
  std::vector<Verdict> verdicts;
  for (const sy_verdict& answer : answers) verdicts.push_back(read(answer));
  return verdicts;
}

/// What the claim table alone says of a node.
Verdict claimed(const OpenDevice& device, const sy_program& program, const sy_node& node) {
  Verdict nearest = refusal(SY_REASON_OP, fmt::format("does not know {}", node.op));
  const sy_device_info& info = device.info();
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    if (!claims_op(claim, node)) continue;
    nearest = match(claim, program, node);
    if (!nearest.refused()) return nearest;
  }
  return nearest;
}

}  // namespace

Verdict ask(OpenDevice& device, NodeProgram& node_program) {
  const sy_program& program = node_program.get();
  const sy_device_info& info = device.info();
  if (info.flags & SY_DEVICE_WHOLE_PROGRAMS_ONLY) {
    return refusal(SY_REASON_LIMIT, "takes whole models only, and this is one node");
  }
  Verdict nearest = refusal(SY_REASON_OP, fmt::format("does not know {}", program.nodes->op));
  // What a plugin says of a node that a claim covers comes nearer than another claim of the op.
  bool is_answered = false;
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    if (!claims_op(claim, *program.nodes)) continue;
    Verdict verdict = match(claim, program, *program.nodes);
    const bool asks = !verdict.refused() && !(claim.flags & SY_CLAIM_NO_SUPPORTS_CALL);
    node_program.fit_to(claim.flags);
    if (asks) verdict = std::move(ask_supports(device, program).front());
    if (!verdict.refused()) return verdict;
    if (asks || !is_answered) nearest = std::move(verdict);
    is_answered = is_answered || asks;
  }
  return nearest;
}

bool has_claim_about(const OpenDevice& device, const Op& op) {
  const sy_device_info& info = device.info();
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    if (sy::names_op(*SY_AT(sy_claim, info.claims, i), op.row->domain, op.name())) return true;
  }
  return false;
}

std::vector<Verdict> ask(OpenDevice& device, const sy_program& program) {
  std::vector<Verdict> verdicts;
  bool all_claimed = true;
  for (std::uint32_t n = 0; n < program.node_count; ++n) {
    verdicts.push_back(claimed(device, program, program.nodes[n]));
    all_claimed = all_claimed && !verdicts.back().refused();
  }
  return all_claimed && device.api().supports ? ask_supports(device, program) : verdicts;
}

}  // namespace switchyard
