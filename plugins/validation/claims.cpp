#include "claims.hpp"

#include "call.hpp"
#include "switchyard/plugin/claims.hpp"

namespace validation {
namespace {

bool takes_input(const sy_claim& claim, const sy_value& value) {
  if ((value.flags & SY_VALUE_HOST_INPUT) != 0) return true;
  if ((claim.input_dtypes & SY_DTYPE_BIT(value.dtype)) == 0) return false;
  return value.rank == SY_UNKNOWN_RANK ||
         (value.rank >= claim.min_rank && value.rank <= claim.max_rank);
}

bool covers(const sy_claim& claim, const sy_program& program, const sy_node& node) {
  if (!sy::names_op(claim, node.domain, node.op)) return false;
  if (node.version < claim.min_version || node.version > claim.max_version) return false;
  for (uint32_t i = 0; i < node.input_count; ++i) {
    if (node.inputs[i] == SY_ABSENT) continue;
    if (!takes_input(claim, *SY_AT(sy_value, program.values, node.inputs[i]))) return false;
  }
  for (uint32_t i = 0; i < node.output_count; ++i) {
    if (node.outputs[i] == SY_ABSENT) continue;
    const sy_value& value = *SY_AT(sy_value, program.values, node.outputs[i]);
    if ((claim.output_dtypes & SY_DTYPE_BIT(value.dtype)) == 0) return false;
  }
  return true;
}

}  // namespace

std::optional<uint32_t> claimed_flags(const sy_device_info& device, const sy_program& program,
                                      const sy_node& node) {
  std::optional<uint32_t> flags;
  for (uint32_t i = 0; i < device.claim_count; ++i) {
    const sy_claim claim = copy_of(*SY_AT(sy_claim, device.claims, i));
    if (covers(claim, program, node)) flags = flags.value_or(0) | claim.flags;
  }
  return flags;
}

}  // namespace validation
