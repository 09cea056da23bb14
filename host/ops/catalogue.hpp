#pragma once

#include "ops/row.hpp"

namespace switchyard {

/// Every ONNX version of the op, oldest first, the canonical one last. Parsed when first asked for:
/// only models need them.
std::span<const Signature> revisions_of(const Op& op);

/// The ONNX version of `op` that a model of this opset means: the newest whose `since` is not above
/// it. Where there is none (the op is younger, or its oldest forms cannot be rewritten), an
/// Error(model). Apply each revision's upgrade from the one returned to the last but one, in order,
/// unless an upgrade renames the op: then go on with the other op's canonical form.
const Signature& revision_for(const Op& op, int opset);

/// Brings a node of a model of this opset to canonical form: checks its attributes, applies the
/// upgrades, sets defaults. Returns the op that the node then is, in canonical form. The node must
/// name an op in the catalogue; whatever cannot be rewritten is an Error(model).
const Op& upgrade(NodeDraft& node, int opset);

}  // namespace switchyard
