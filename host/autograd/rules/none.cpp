// Ops that no gradient flows through: what they give does not change by small steps of what they
// get, or has no gradient for its type.
#include "autograd/rules.hpp"

namespace switchyard {
namespace {

constexpr RuleRow kRows[] = {
    {"And", none},
    {"ArgMax", none},
    {"ArgMin", none},
    {"BitShift", none},
    {"BitwiseAnd", none},
    {"BitwiseNot", none},
    {"BitwiseOr", none},
    {"BitwiseXor", none},
    {"Equal", none},
    {"EyeLike", none},
    {"Greater", none},
    {"GreaterOrEqual", none},
    {"IsInf", none},
    {"IsNaN", none},
    {"Less", none},
    {"LessOrEqual", none},
    {"NonZero", none},
    {"Not", none},
    {"Or", none},
    {"Range", none},
    {"Shape", none},
    {"Size", none},
    {"Xor", none},
    {"PhiloxInteger", none, kNothing, kNothing, "switchyard"},
    {"PhiloxNormal", none, kNothing, kNothing, "switchyard"},
    {"PhiloxUniform", none, kNothing, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> rules_of_none() { return kRows; }

}  // namespace switchyard
