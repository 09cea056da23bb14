// Ops that no gradient flows through: what they give does not change by small steps of what they
// get, or has no gradient for its type. What is random depends on its seed alone, as in PyTorch.
#include "gradients/rules.hpp"

namespace switchyard {
namespace {

constexpr RuleRow kRulesOfNone[] = {
    {"And", none},
    {"ArgMax", none},
    {"ArgMin", none},
    {"Bernoulli", none},
    {"BitCast", none},
    {"BitShift", none},
    {"BitwiseAnd", none},
    {"BitwiseNot", none},
    {"BitwiseOr", none},
    {"BitwiseXor", none},
    {"BlackmanWindow", none},
    {"Constant", none},
    {"ConstantOfShape", none},
    {"ConvInteger", none},
    {"Equal", none},
    {"EyeLike", none},
    {"Greater", none},
    {"GreaterOrEqual", none},
    {"HammingWindow", none},
    {"HannWindow", none},
    {"Hardmax", none},
    {"IsInf", none},
    {"IsNaN", none},
    {"Less", none},
    {"LessOrEqual", none},
    {"MatMulInteger", none},
    {"MelWeightMatrix", none},  // its edges are rounded to whole bins
    {"Multinomial", none},
    {"NonMaxSuppression", none},
    {"NonZero", none},
    {"Not", none},
    {"Or", none},
    {"QLinearConv", none},
    {"QLinearMatMul", none},
    {"QuantizeLinear", none},
    {"RandomNormal", none},
    {"RandomNormalLike", none},
    {"RandomUniform", none},
    {"RandomUniformLike", none},
    {"RegexFullMatch", none},
    {"Shape", none},
    {"Size", none},
    {"StringConcat", none},
    {"StringNormalizer", none},
    {"StringSplit", none},
    {"TfIdfVectorizer", none},
    {"Xor", none},
    {"QLinearAdd", none, kNothing, kNothing, "com.microsoft"},
    {"QLinearConcat", none, kNothing, kNothing, "com.microsoft"},
    {"QLinearLeakyRelu", none, kNothing, kNothing, "com.microsoft"},
    {"QLinearMul", none, kNothing, kNothing, "com.microsoft"},
    {"QLinearSigmoid", none, kNothing, kNothing, "com.microsoft"},
    {"AssertRange", none, kNothing, kNothing, "switchyard"},
    {"PhiloxInteger", none, kNothing, kNothing, "switchyard"},
    {"PhiloxNormal", none, kNothing, kNothing, "switchyard"},
    {"PhiloxUniform", none, kNothing, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> none_rules() { return kRulesOfNone; }

}  // namespace switchyard
