#include "routing/verdict.hpp"

#include <fmt/format.h>

#include <cstring>

#include <switchyard/dtype.hpp>

#include "device/open_device.hpp"
#include "device/status.hpp"
#include "routing/program.hpp"

namespace switchyard {
namespace {

bool claims_op(const sy_claim& claim, const sy_node& node) {
  return std::strcmp(claim.op, node.op) == 0 && std::strcmp(claim.domain, node.domain) == 0;
}

Verdict refusal(sy_reason reason, std::string sentence) {
  return {SY_REFUSED, reason, std::move(sentence)};
}

/// The reason why a claim for this op does not cover the node, or a supported verdict.
Verdict match(const sy_claim& claim, const sy_program& program) {
  const sy_node& node = *program.nodes;
  if (node.version < claim.min_version || node.version > claim.max_version) {
    return refusal(SY_REASON_OP, fmt::format("takes {} of versions {} to {}, not {}", node.op,
                                             claim.min_version, claim.max_version, node.version));
  }
  for (std::uint32_t i = 0; i < program.input_count; ++i) {
    const sy_value& value = program.values[program.inputs[i]];
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
  for (std::uint32_t i = 0; i < program.output_count; ++i) {
    const sy_value& value = program.values[program.outputs[i]];
    if (!(claim.output_dtypes & SY_DTYPE_BIT(value.dtype))) {
      return refusal(SY_REASON_DTYPE,
                     fmt::format("does not make {} from {}",
                                 name_of(static_cast<DType>(value.dtype)), node.op));
    }
  }
  return {};
}

Verdict ask_supports(OpenDevice& device, const sy_program& program) {
  sy_verdict verdict{};
  verdict.struct_size = sizeof(verdict);
  sy_supports_args args{};
  args.struct_size = sizeof(args);
  args.device = device.handle();
  args.program = &program;
  args.verdicts = &verdict;
  PluginError error;
  device.check_call(device.api().supports(&args, &error), error, "supports");
  if (verdict.kind < SY_SUPPORTED || verdict.kind > SY_DEPENDS) {
    throw Error(ErrorKind::plugin,
                fmt::format("{}: supports: unknown verdict {}; the plugin is broken", device.name(),
                            verdict.kind));
  }
  return {verdict.kind, verdict.reason,
          std::string(verdict.sentence, strnlen(verdict.sentence, sizeof(verdict.sentence)))};
}

}  // namespace

Verdict ask(OpenDevice& device, const NodeProgram& node_program, bool& strided_inputs) {
  const sy_program& program = node_program.get();
  const sy_device_info& info = device.info();
  if (info.flags & SY_DEVICE_WHOLE_PROGRAMS_ONLY) {
    return refusal(SY_REASON_LIMIT, "takes whole models only, and this is one node");
  }
  Verdict nearest = refusal(SY_REASON_OP, fmt::format("does not know {}", program.nodes->op));
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    if (!claims_op(claim, *program.nodes)) continue;
    Verdict verdict = match(claim, program);
    if (!verdict.refused() && !(claim.flags & SY_CLAIM_NO_SUPPORTS_CALL)) {
      verdict = ask_supports(device, program);
    }
    if (!verdict.refused()) {
      strided_inputs = (claim.flags & SY_CLAIM_STRIDED_INPUTS) != 0;
      return verdict;
    }
    nearest = std::move(verdict);
  }
  return nearest;
}

}  // namespace switchyard
