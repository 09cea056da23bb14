#include "cli/doctor/op_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "cli/doctor/trial_values.hpp"
#include "cli/values/host_values.hpp"
#include "ops/op_by_name.hpp"

namespace switchyard::cli {
namespace {

constexpr OpTrial kTrials[] = {
    {"Abs", "f2x3"},
    {"Acos", "p2x3"},
    {"Acosh", "p2x3"},
    {"AdamStep", "f2x3 f2x3 f2x3 p2x3 p p p"},
    {"Add", "f2x3 f3"},
    {"AffineGrid", "f2x2x3 l2,1,3,4"},
    {"And", "b2x3 b3"},
    {"ArgMax", "f2x3", "axis=1"},
    {"ArgMin", "f2x3", "axis=1"},
    {"Asin", "p2x3"},
    {"Asinh", "f2x3"},
    {"Atan", "f2x3"},
    {"Atanh", "p2x3"},
    {"Attention", "f1x2x3x4 f1x2x5x4 f1x2x5x4"},
    {"AveragePool", "f1x2x6x6", "kernel_shape=3,3 pads=1,1,1,1"},
    {"AveragePoolGradient", "f1x2x3x3 l1,2,6,6", "kernel_shape=2,2 strides=2,2"},
    {"BatchNormalization", "f2x3x4 f3 f3 f3 p3"},
    {"BitCast", "f2x3", "to=6"},
    {"BitShift", "u2x3 w3", "direction=LEFT"},
    {"BitwiseAnd", "i2x3 i3"},
    {"BitwiseNot", "i2x3"},
    {"BitwiseOr", "i2x3 i3"},
    {"BitwiseXor", "i2x3 i3"},
    {"BlackmanWindow", "n6"},
    {"Cast", "f2x3", "to=10"},
    {"CastLike", "f2x3 i1"},
    {"CausalConvWithState", "f1x2x5 f2x1x3"},
    {"Ceil", "f2x3"},
    {"Celu", "f2x3"},
    {"CenterCropPad", "f3x4 l2,6"},
    {"Clip", "f2x3 f f"},
    {"Col2Im", "f1x5x5 l5,5 l1,5"},
    {"Compress", "f3x4 b3", "axis=0"},
    {"Concat", "f2x3 f2x1", "axis=1"},
    {"ConstantOfShape", "l2,3"},
    {"Conv", "f1x4x6x6 f6x2x3x3 f6", "group=2 pads=1,1,1,1 strides=2,2"},
    {"ConvInputGradient", "f1x6x3x3 f6x2x3x3 l1,4,6,6", "group=2 pads=1,1,1,1 strides=2,2"},
    {"ConvInteger", "u1x2x5x5 c3x2x3x3"},
    {"ConvTranspose", "f1x3x4x4 f3x2x3x3", "strides=2,2"},
    {"ConvWeightGradient", "f1x4x6x6 f1x6x3x3 l6,2,3,3", "group=2 pads=1,1,1,1 strides=2,2"},
    {"Cos", "f2x3"},
    {"Cosh", "f2x3"},
    {"CumProd", "f2x3 n1"},
    {"CumSum", "f2x3 n1"},
    {"DFT", "f2x5x1"},
    {"DeformConv", "f1x2x4x4 f3x2x2x2 f1x8x3x3", "kernel_shape=2,2"},
    {"DepthToSpace", "f1x8x2x3", "blocksize=2"},
    {"DequantizeLinear", "u2x3 p u"},
    {"Det", "f2x3x3"},
    {"Div", "f2x3 p3"},
    {"Dropout", "f2x3"},
    {"DynamicQuantizeLinear", "f2x3"},
    {"Einsum", "f2x3 f3x4", "equation=ij,jk->ki"},
    {"Elu", "f2x3"},
    {"Equal", "i2x3 i3"},
    {"Erf", "f2x3"},
    {"Exp", "f2x3"},
    {"Exp2", "f2x3"},
    {"Expm1", "f2x3"},
    {"Expand", "f3 l2,3"},
    {"EyeLike", "f3x4"},
    {"Flatten", "f2x3x4"},
    {"Floor", "f2x3"},
    {"GRU", "f4x2x3 f1x15x3 f1x15x5", "hidden_size=5"},
    {"Gather", "f4x3 l2,0,-1"},
    {"GatherElements", "f3x3 i2x3"},
    {"GatherND", "f3x3 m2x1"},
    {"Gelu", "f2x3"},
    {"Gemm", "f2x3 f4x3 f4", "transB=1 alpha=0.5"},
    {"GlobalAveragePool", "f1x2x5x5"},
    {"GlobalLpPool", "f1x2x5x5"},
    {"GlobalMaxPool", "f1x2x5x5"},
    {"Greater", "f2x3 f3"},
    {"GreaterOrEqual", "f2x3 f3"},
    {"GridSample", "f1x2x4x4 f1x3x3x2"},
    {"GroupNormalization", "f2x4x3 f4 f4", "num_groups=2"},
    {"HammingWindow", "n6"},
    {"HannWindow", "n6"},
    {"HardSigmoid", "f2x3"},
    {"HardSwish", "f2x3"},
    {"Hardmax", "f2x3"},
    {"Identity", "f2x3"},
    {"InstanceNormalization", "f2x3x4 f3 f3"},
    {"IsInf", "f2x3"},
    {"IsNaN", "f2x3"},
    {"Log10", "p2x3"},
    {"Log1p", "p2x3"},
    {"Log2", "p2x3"},
    {"LRN", "f1x5x3x3", "size=3"},
    {"LSTM", "f4x2x3 f1x20x3 f1x20x5", "hidden_size=5"},
    {"LayerNormalization", "f2x3x4 f4 f4"},
    {"LayerNormalizationGradient", "f2x3x4 f2x3x4 f4"},
    {"LeakyRelu", "f2x3"},
    {"Less", "f2x3 f3"},
    {"LessOrEqual", "f2x3 f3"},
    {"LinearAttention", "f1x3x4 f1x3x4 f1x3x4", "q_num_heads=2 kv_num_heads=2 update_rule=linear"},
    {"Log", "p2x3"},
    {"LogSoftmax", "f2x3"},
    {"LogSoftmaxGradient", "f2x3 f2x3"},
    {"LpNormalization", "f2x3"},
    {"LpPool", "f1x2x6x6", "kernel_shape=3,3 strides=2,2"},
    {"MatMul", "f2x3x4 f4x5"},
    {"MatMulInteger", "u2x3 c3x4"},
    {"Max", "f2x3 f3"},
    {"MaxPool", "f1x2x6x6", "kernel_shape=3,3 strides=2,2"},
    {"MaxPoolGather", "f1x1x4 m1x1x3"},
    {"MaxPoolGradient", "f1x1x3 m1x1x3 l1,1,4"},
    {"MaxRoiPool", "f1x2x6x6 v0,1,1,4,5:1x5", "pooled_shape=2,2"},
    {"MaxUnpool", "f1x1x1x3 l0,5,10:1x1x1x3", "kernel_shape=2,2 strides=2,2"},
    {"Mean", "f2x3 f3"},
    {"MeanVarianceNormalization", "f2x3x4x4"},
    {"MelWeightMatrix", "n4 n16 n8000 v20: v4000:"},
    {"Min", "f2x3 f3"},
    {"Mish", "f2x3"},
    {"Mod", "f2x3 p3", "fmod=1"},
    {"MomentumStep", "f2x3 f2x3 f2x3 p p", "momentum=0.9 nesterov=1"},
    {"Mul", "f2x3 f3"},
    {"Neg", "f2x3"},
    {"NegativeLogLikelihoodLoss", "f4x3x2 i4x2 p3", "ignore_index=1"},
    {"NonMaxSuppression", "v0,0,1,1,0,0.1,1,1.1,0,2,1,3:1x3x4 p1x1x3 n2 v0.5: v0.1:"},
    {"NonZero", "i2x3"},
    {"Not", "b2x3"},
    {"OneHot", "i4 n3 f2"},
    {"Or", "b2x3 b3"},
    {"PRelu", "f2x3 f3"},
    {"Pad", "f2x3 l1,0,0,2"},
    {"PhiloxInteger", "l2,3 n5 n7 n0 n100"},
    {"PhiloxNormal", "l2,3 n5 n7"},
    {"PhiloxUniform", "l2,3 n5 n7"},
    {"Pow", "p2x3 f3"},
    {"QLinearAdd", "u2x3 p u u3 p u p u"},
    {"QLinearConcat", "p u u2x3 p u u2x1 p u", "axis=1"},
    {"QLinearConv", "u1x2x5x5 p u c3x2x3x3 p c p u"},
    {"QLinearLeakyRelu", "u2x3 p u p u", "alpha=0.1"},
    {"QLinearMatMul", "u2x3 p u u3x4 p u p u"},
    {"QLinearMul", "u2x3 p u u3 p u p u"},
    {"QLinearSigmoid", "u2x3 p u p u"},
    {"QuantizeLinear", "f2x3 p u"},
    {"RMSNormalization", "f2x3x4 f4"},
    {"RNN", "f4x2x3 f1x5x3 f1x5x5", "hidden_size=5"},
    {"Range", "n0 n7 n2"},
    {"Reciprocal", "p2x3"},
    {"ReduceL1", "f2x3 l1"},
    {"ReduceL2", "f2x3 l1"},
    {"ReduceLogSum", "p2x3 l1"},
    {"ReduceLogSumExp", "f2x3 l1"},
    {"ReduceMax", "f2x3 l1"},
    {"ReduceMean", "f2x3 l1"},
    {"ReduceMin", "f2x3 l1"},
    {"ReduceProd", "f2x3 l1"},
    {"ReduceSum", "f2x3 l1"},
    {"ReduceSumSquare", "f2x3 l1"},
    {"Relu", "f2x3"},
    {"Reshape", "f2x3 l3,-1"},
    {"Resize", "f1x1x4x4 _ _ l1,1,8,8", "mode=linear"},
    {"ReverseSequence", "f4x2x3 l3,2", "time_axis=0 batch_axis=1"},
    {"RoiAlign", "f1x2x6x6 v1,1,4,5:1x4 l0", "output_height=2 output_width=3"},
    {"RotaryEmbedding", "f1x2x3x4 f1x3x2 f1x3x2"},
    {"Round", "f2x3"},
    {"Rsqrt", "p2x3"},
    {"STFT", "f1x16x1 n4 _ n8"},
    {"ScatterElements", "f3x3 i1x2 f1x2"},
    {"ScatterND", "f3x3 m1x1 f1x3"},
    {"Selu", "f2x3"},
    {"SgdStep", "f2x3 f2x3 p", "weight_decay=0.1"},
    {"Shrink", "f2x3", "lambd=0.5"},
    {"Sigmoid", "f2x3"},
    {"Sign", "f2x3"},
    {"Sin", "f2x3"},
    {"Sinh", "f2x3"},
    {"Slice", "f4x5 l1,0 l3,5 l0,1 l1,2"},
    {"Softmax", "f2x3"},
    {"SoftmaxCrossEntropyLoss", "f4x3 m4", "reduction=sum"},
    {"SoftmaxGradient", "f2x3 p2x3"},
    {"Softplus", "f2x3"},
    {"Softsign", "f2x3"},
    {"SpaceToDepth", "f1x2x4x6", "blocksize=2"},
    {"Split", "f4x3 l4"},
    {"Sqrt", "p2x3"},
    {"Squeeze", "f1x3x1 l0"},
    {"Sub", "f2x3 f3"},
    {"Sum", "f2x3 f3"},
    {"Swish", "f2x3"},
    {"Tan", "f2x3"},
    {"Tanh", "f2x3"},
    {"TensorScatter", "f2x4x3 f2x1x3 l0,2"},
    {"ThresholdedRelu", "f2x3"},
    {"Tile", "f2x3 l2,1"},
    {"TopK", "f2x5 l3"},
    {"Transpose", "f2x3x4", "perm=2,0,1"},
    {"Trilu", "f4x4"},
    {"Trunc", "f2x3"},
    {"Unique", "i2x3"},
    {"Unsqueeze", "f2x3 l0"},
    {"Where", "b2x3 f2x3 f3"},
    {"Xor", "b2x3 b3"},
};

/// Ops whose results another device need not give.
constexpr std::string_view kRandomOps[] = {"Bernoulli",     "Multinomial",
                                           "RandomNormal",  "RandomNormalLike",
                                           "RandomUniform", "RandomUniformLike"};

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<Literal> compute(const OpTrial& trial, const Runtime& runtime) {
  TrialAttributes attributes = attributes_of(trial);
  const std::vector<Tensor> inputs = inputs_of(trial);
  std::vector<Literal> outputs;
  const Op* op = find_op_by_name(trial.op);
  const std::string_view domain = op ? op->row->domain : "";
  for (const Tensor& output : runtime.operation(trial.op, std::move(attributes), domain)(inputs)) {
    if (output) outputs.push_back(to_literal(output));
  }
  return outputs;
}

/// What differs, or "".
std::string difference(const Literal& found, const Literal& expected) {
  if (found.dtype() != expected.dtype() || !(found.shape() == expected.shape())) {
    return "another type or shape";
  }
  if (found.size_bytes() == 0) return "";
  if (found.dtype() != DType::float32) {
    const bool equal = std::memcmp(found.bytes(), expected.bytes(), found.size_bytes()) == 0;
    return equal ? "" : "other elements";
  }
  const auto* a = reinterpret_cast<const float*>(found.bytes());
  const auto* b = reinterpret_cast<const float*>(expected.bytes());
  for (std::size_t i = 0; i < found.size_bytes() / sizeof(float); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    const float allowed = 1e-3F * (1 + std::max(std::fabs(a[i]), std::fabs(b[i])));
    if (a[i] == b[i] || std::fabs(a[i] - b[i]) <= allowed) continue;
    return fmt::format("element {} is {}, not {}", i, a[i], b[i]);
  }
  return "";
}

void try_op(const OpTrial& trial, const Runtime& tried, const Runtime& reference,
            OpTrialResults& results) {
  const std::string op(trial.op);
  try {
    const std::vector<Literal> found = compute(trial, tried), expected = compute(trial, reference);
    std::string what = found.size() == expected.size() ? "" : "another number of outputs";
    for (std::size_t i = 0; what.empty() && i < found.size(); ++i) {
      what = difference(found[i], expected[i]);
    }
    if (what.empty()) return results.right.push_back(op);
    results.wrong.push_back(fmt::format("{}: {}", op, what));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported) return results.refused.push_back(op);
    results.wrong.push_back(fmt::format("{}: {}", op, error.what()));
  }
}

}  // namespace

std::span<const OpTrial> op_trials() { return kTrials; }

std::vector<Tensor> inputs_of(const OpTrial& trial) {
  std::vector<Tensor> inputs;
  for (const std::string& word : words_of(trial.inputs)) {
    inputs.push_back(trial_input(word, inputs.size()));
  }
  return inputs;
}

TrialAttributes attributes_of(const OpTrial& trial) {
  TrialAttributes attributes;
  for (const std::string& word : words_of(trial.attributes)) {
    const std::size_t equals = word.find('=');
    attributes.emplace_back(word.substr(0, equals), trial_argument(word.substr(equals + 1)));
  }
  return attributes;
}

OpTrialResults try_ops(const std::set<std::string>& ops, const Runtime& tried,
                       const Runtime& reference) {
  OpTrialResults results;
  for (const std::string& op : ops) {
    const auto trial = std::find_if(std::begin(kTrials), std::end(kTrials),
                                    [&](const OpTrial& known) { return known.op == op; });
    if (trial != std::end(kTrials)) {
      try_op(*trial, tried, reference, results);
    } else if (std::find(std::begin(kRandomOps), std::end(kRandomOps), op) !=
               std::end(kRandomOps)) {
      results.random.push_back(op);
    } else {
      results.unknown.push_back(op);
    }
  }
  return results;
}

}  // namespace switchyard::cli
