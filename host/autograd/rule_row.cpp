#include "autograd/rule_row.hpp"

namespace switchyard {
namespace {

constinit RuleLookup the_lookup = nullptr;

}  // namespace

void set_rule_lookup(RuleLookup lookup) { the_lookup = lookup; }
RuleLookup rule_lookup() { return the_lookup; }

}  // namespace switchyard
