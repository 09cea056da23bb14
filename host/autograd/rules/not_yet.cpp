// Ops that have a gradient which no rule gives. Functions of <switchyard/functions.hpp> call none
// of them where gradients flow; host/autograd/README.md says what each would need.
#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "autograd/rules.hpp"

namespace switchyard {

void not_yet(Backward&) {
  throw Error(ErrorKind::internal, "an op without a gradient was noted for one");
}

namespace {

constexpr RuleRow kRows[] = {
    {"Col2Im", not_yet},
    {"DeformConv", not_yet},
    {"DequantizeLinear", not_yet},
    {"Dropout", not_yet},
    {"DynamicQuantizeLinear", not_yet},
    {"GRU", not_yet},
    {"GridSample", not_yet},
    {"LSTM", not_yet},
    {"MaxRoiPool", not_yet},
    {"MelWeightMatrix", not_yet},
    {"RNN", not_yet},
    {"RoiAlign", not_yet},
    {"Upsample", not_yet},
    {"AdamStep", not_yet, kNothing, kNothing, "switchyard"},
    {"MomentumStep", not_yet, kNothing, kNothing, "switchyard"},
    {"SgdStep", not_yet, kNothing, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> rules_not_yet() { return kRows; }

}  // namespace switchyard
