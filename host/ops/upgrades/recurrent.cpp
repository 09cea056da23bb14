#include "ops/upgrades/recurrent.hpp"

namespace switchyard {

void drop_output_sequence(NodeDraft& node) { node.attributes.remove("output_sequence"); }

}  // namespace switchyard
