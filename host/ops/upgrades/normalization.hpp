#pragma once

#include "ops/node_draft.hpp"

namespace switchyard {

/// BatchNormalization before 7 said by `is_test` whether it normalized by the given statistics; now
/// the number of outputs does.
void drop_is_test(NodeDraft& node);

/// BatchNormalization before 9 could normalize each feature by itself (`spatial` = 0), which is
/// what it does with channels if all features are.
void features_as_channels(NodeDraft& node);

/// BatchNormalization before 14 trained if it had further outputs, two of which nobody can give
/// now.
void outputs_to_training_mode(NodeDraft& node);

/// GroupNormalization before 21 had a scale and a bias for each group; now they are each channel's.
void groups_to_channels(NodeDraft& node);

}  // namespace switchyard
