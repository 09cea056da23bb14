#include "ops.hpp"

namespace null {

sy::ClaimTable make_claims() {
  sy::ClaimTable claims;
  for (const char* domain : {"", "switchyard", "com.microsoft"}) {
    claims.add(
        {.op = SY_ANY_OP,
         .domain = domain,
         .flags = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS | SY_CLAIM_NO_SUPPORTS_CALL});
  }
  return claims;
}

}  // namespace null
