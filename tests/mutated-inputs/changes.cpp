#include "changes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <switchyard/dtype.hpp>
#include <variant>

#include "cli/values/host_values.hpp"
#include "ops/op_by_name.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard::mutated_inputs {
namespace {

/// Ops whose trials leave inputs out, with all of them.
struct WholeTrial {
  const char* op;
  const char* example;
};

constexpr WholeTrial kWhole[] = {
    {"Attention", "f1x2x3x4 f1x2x5x4 f1x2x5x4 f3x7 f1x2x2x4 f1x2x2x4 is_causal=1"},
    {"Attention", "f1x2x3x4 f1x2x5x4 f1x2x5x4 b3x5 _ _ l4"},
    {"CausalConvWithState", "f1x2x5 f2x1x3 f2 f1x2x2"},
    {"CenterCropPad", "f3x4 l6,2 axes=1,0"},
    {"ConvInteger", "u1x2x5x5 c3x2x3x3 u c3"},
    {"ConvTranspose", "f1x4x4x4 f4x3x3x3 f6 group=2 strides=2,2 pads=1,1,1,1 output_padding=1,1"},
    {"DFT", "f2x5x1 n5 n1"},
    {"DeformConv", "f1x2x4x4 f3x2x2x2 f1x8x3x3 f3 p1x4x3x3 kernel_shape=2,2"},
    {"DequantizeLinear", "u2x4 p2x2 u2x2 axis=1 block_size=2"},
    {"Dropout", "f2x3 v0: b"},
    {"GRU", "f4x2x3 f1x15x3 f1x15x5 f1x30 i2 f1x2x5 hidden_size=5"},
    {"GatherND", "f2x3x2 m2x1 batch_dims=1"},
    {"LSTM", "f4x2x3 f1x20x3 f1x20x5 f1x40 i2 f1x2x5 f1x2x5 f1x15 hidden_size=5"},
    {"LayerNormalization", "f2x3x4 f4 f4 axis=-1"},
    {"LinearAttention", "f1x3x4 f1x3x4 f1x3x4 f1x2x2x2 f1x3x2 f1x3x2 q_num_heads=2 kv_num_heads=2"},
    {"MatMulInteger", "u2x3 c3x4 u2 c4"},
    {"MaxUnpool", "f1x1x1x3 l0,5,10:1x1x1x3 l1,1,2,6 kernel_shape=2,2 strides=2,2"},
    {"Pad", "f2x3 l1,0,0,2 f l0,1 mode=reflect"},
    {"QLinearConv", "u1x2x5x5 p u c3x2x3x3 p3 c3 p u i3"},
    {"QLinearMatMul", "u2x3 p2 u2 u3x4 p4 u4 p u"},
    {"QuantizeLinear", "f2x3 p3 u3 axis=1"},
    {"RNN", "f4x2x3 f1x5x3 f1x5x5 f1x10 i2 f1x2x5 hidden_size=5"},
    {"Resize", "f1x1x4x4 _ v1,1,2,0.5 mode=cubic"},
    {"Resize",
     "f1x1x4x4 v0,0,0.2,0.2,1,1,0.8,0.8 v1,1,2,0.5 mode=linear "
     "coordinate_transformation_mode=tf_crop_and_resize"},
    {"Resize",
     "f1x1x4x4 v0,0,0.2,0.2,1,1,0.8,0.8 _ l1,1,8,2 mode=linear "
     "coordinate_transformation_mode=tf_crop_and_resize"},
    {"RotaryEmbedding", "f1x2x3x4 f5x2 f5x2 l0,4,1:1x3"},
    {"STFT", "f1x16x1 n4 p8 n8"},
    {"ScatterElements", "f3x3 i1x2 f1x2 reduction=add axis=1"},
    {"SoftmaxCrossEntropyLoss", "f3x4 i3 p4"},
    {"TensorScatter", "f2x4x3 f2x2x3 l3,1 mode=circular"},
    {"Trilu", "f4x4 n1"},
};

Tensor reshaped(const Tensor& from, const Dims& shape) {
  const Literal bytes = cli::to_literal(from);
  const std::size_t width = byte_size(from.dtype(), 1);
  std::vector<std::byte> repeated(byte_size(from.dtype(), element_count(shape)));
  for (std::size_t at = 0; at < repeated.size() && bytes.size_bytes() > 0; at += width) {
    std::memcpy(repeated.data() + at, bytes.bytes() + at % bytes.size_bytes(), width);
  }
  return host_tensor_from_bytes(
      from.dtype(), {reinterpret_cast<const std::byte*>(repeated.data()), repeated.size()}, shape);
}

std::vector<Dims> other_shapes(const Dims& shape) {
  std::vector<Dims> others = {{}, {0}, {1}, {2}, {1, 1}};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    for (const std::int64_t extent : {std::int64_t{0}, shape[axis] - 1, shape[axis] + 1}) {
      Dims other = shape;
      other[axis] = std::max<std::int64_t>(extent, 0);
      others.push_back(other);
    }
  }
  Dims turned = shape, deeper = shape, flat{element_count(shape)};
  std::reverse(turned.begin(), turned.end());
  deeper.insert(0, 2);
  for (const Dims& other : {turned, deeper, flat}) others.push_back(other);
  std::erase(others, shape);
  return others;
}

template <typename T>
Tensor filled(const Tensor& like, T value) {
  const std::vector<T> values(static_cast<std::size_t>(like.size()), value);
  return host_tensor_from_bytes(
      like.dtype(), {reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(T)},
      like.shape());
}

template <typename T>
std::vector<Tensor> extremes(const Tensor& like) {
  std::vector<Tensor> made;
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {static_cast<T>(-1), T{0}, Limits::lowest(), Limits::max()};
  if constexpr (Limits::has_infinity) {
    // Not the largest numbers: what sums of them overflow to depends on their order.
    values = {-1, 0, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()};
  }
  for (const T value : values) made.push_back(filled<T>(like, value));
  return made;
}

std::vector<Tensor> other_values(const Tensor& like) {
  switch (like.dtype()) {
    case DType::float32: return extremes<float>(like);
    case DType::int64: return extremes<std::int64_t>(like);
    case DType::int32: return extremes<std::int32_t>(like);
    default: return {};
  }
}

std::string described(const Tensor& tensor) { return describe(tensor.dtype(), tensor.shape()); }

}  // namespace

std::vector<Call> sound_calls() {
  std::vector<Call> calls;
  const auto add = [&](const cli::OpTrial& trial) {
    calls.push_back(
        {trial.op->name(), cli::inputs_of(trial), cli::attributes_of(trial), "nothing"});
  };
  for (const cli::OpTrial& trial : cli::op_trials()) add(trial);
  for (const WholeTrial& whole : kWhole) add({find_op_by_name(whole.op), whole.example});
  return calls;
}

std::vector<Call> with_other_shapes(const Call& call) {
  std::vector<Call> changed;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.inputs[i].defined()) continue;
    for (const Dims& shape : other_shapes(call.inputs[i].shape())) {
      Call other = call;
      other.inputs[i] = reshaped(call.inputs[i], shape);
      other.what = fmt::format("input {}, {}, is {}", i, described(call.inputs[i]),
                               described(other.inputs[i]));
      changed.push_back(std::move(other));
    }
  }
  return changed;
}

std::vector<Call> with_other_values(const Call& call) {
  std::vector<Call> changed;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    // ONNX does not say what a bound is that is NaN, and devices have it their own way.
    if (!call.inputs[i].defined() || (call.op == "Clip" && i > 0)) continue;
    std::size_t which = 0;
    for (Tensor& values : other_values(call.inputs[i])) {
      Call other = call;
      other.inputs[i] = std::move(values);
      other.what = fmt::format("input {} holds unusual value {} alone", i, which++);
      changed.push_back(std::move(other));
    }
  }
  return changed;
}

std::vector<Call> with_other_attributes(const Call& call) {
  constexpr std::int64_t kValues[] = {0, -1, std::int64_t{1} << 62,
                                      std::numeric_limits<std::int64_t>::max(),
                                      std::numeric_limits<std::int64_t>::min()};
  std::vector<Call> changed;
  for (std::size_t a = 0; a < call.attributes.size(); ++a) {
    const AttributeArgument::Value& argument = call.attributes[a].second.value();
    for (const std::int64_t value : kValues) {
      Call other = call;
      if (std::holds_alternative<std::int64_t>(argument)) {
        other.attributes[a].second = value;
      } else if (const auto* list = std::get_if<std::vector<std::int64_t>>(&argument)) {
        std::vector<std::int64_t> numbers = *list;
        numbers.back() = value;
        other.attributes[a].second = numbers;
      } else {
        continue;
      }
      other.what = fmt::format("attribute {} is {}", call.attributes[a].first, value);
      changed.push_back(std::move(other));
    }
  }
  return changed;
}

}  // namespace switchyard::mutated_inputs
