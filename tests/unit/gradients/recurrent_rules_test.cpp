// Gradients of RNN, GRU and LSTM: their rules beside a layer that is written number by number, as
// no device computes them in float64. That layer in turn is what the devices compute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autograd.hpp>

#include "functions/calls/call.hpp"
#include "functions/thrown.hpp"
#include "gradients/by_hand.hpp"
#include "gradients/gradcheck.hpp"
#include "gradients/recurrent_by_hand.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

constexpr std::int64_t kSteps = 3, kBatch = 2, kInputs = 2, kHidden = 2;

std::int64_t gates_of(std::string_view op) { return op == "RNN" ? 1 : op == "GRU" ? 3 : 4; }

/// X, W, R, B, lengths, initial_h, and of LSTM initial_c and P; the first three not contiguous.
std::vector<Tensor> whole_layer(std::string_view op, std::int64_t directions, bool batch_first) {
  const std::int64_t width = gates_of(op) * kHidden;
  const auto turned = [&](const Tensor& x) { return batch_first ? transpose(x, 0, 1) : x; };
  std::vector<Tensor> in = {
      strided(turned(scattered({kSteps, kBatch, kInputs})).contiguous()),
      strided(scattered({directions, width, kInputs}, -1, 1, 1)),
      strided(scattered({directions, width, kHidden}, -1, 1, 2)),
      scattered({directions, 2 * width}, -1, 1, 3),
      tensor({3, 2}, {.dtype = DType::int32}),
      turned(scattered({directions, kBatch, kHidden}, -1, 1, 4)).contiguous()};
  if (op == "LSTM") {
    in.push_back(turned(scattered({directions, kBatch, kHidden}, -1, 1, 5)).contiguous());
    in.push_back(scattered({directions, 3 * kHidden}, -1, 1, 6));
  }
  return in;
}

std::vector<Tensor> bare_layer(std::string_view op) {
  std::vector<Tensor> in = whole_layer(op, 1, false);
  in.resize(3);
  return in;
}

/// All outputs in one row, or the last one alone.
Tensor joined(const std::vector<Tensor>& outputs, bool last_alone) {
  if (last_alone) return outputs.back();
  std::vector<Tensor> rows;
  for (const Tensor& output : outputs) rows.push_back(reshape(output, {-1}));
  return cat(rows);
}

/// Checks the rule; lengths are not an input that gradients flow to. A layer that is given no state
/// begins with zeros, by which it multiplies its weights.
void check_rule(std::string_view op, const std::vector<Tensor>& layer, const Attributes& given,
                bool last_alone = false) {
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < layer.size(); ++i) {
    if (i != 4) inputs.push_back(layer[i]);
  }
  const ByHand forward = [&](In in) { return recurrent_by_hand(op, in, given); };
  CHECK_GRADIENTS(
      [&](In in) {
        std::vector<Tensor> all(in.begin(), in.end());
        if (layer.size() > 4) all.insert(all.begin() + 4, layer[4]);
        return joined(by_hand(op, forward, all, given), last_alone);
      },
      inputs, {.spread = layer.size() > 5});
}

/// Checks the layer by hand.
void check_values(std::string_view op, std::vector<Tensor> layer, const Attributes& given) {
  for (std::size_t i = 0; i < layer.size(); ++i) {
    if (i != 4) layer[i] = layer[i].to(DType::float32);
  }
  const std::size_t count = op == "LSTM" ? 3 : 2;
  const EagerOp device_op(op);
  const std::vector<Tensor> theirs = device_op.outputs(count, layer, given);
  const std::vector<Tensor> ours = recurrent_by_hand(op, layer, given);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(allclose(theirs[i], ours[i], 1e-5, 1e-6)) << op << " output " << i;
  }
}

void check(std::string_view op, const std::vector<Tensor>& layer, const Attributes& given) {
  check_values(op, layer, given);
  check_rule(op, layer, given);
}

using Texts = std::vector<std::string>;
using Floats = std::vector<float>;

TEST(RecurrentRules, OfBareLayers) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    check(op, bare_layer(op), attributes({{"hidden_size", kHidden}}));
    check_rule(op, bare_layer(op), attributes({{"hidden_size", kHidden}}), true);
  }
}

TEST(RecurrentRules, OfWholeLayersInBothDirections) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    check(op, whole_layer(op, 2, false),
          attributes({{"direction", std::string("bidirectional")}, {"hidden_size", kHidden}}));
  }
}

TEST(RecurrentRules, OfReversedLayersBatchFirst) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    check(op, whole_layer(op, 1, true),
          attributes({{"direction", std::string("reverse")},
                      {"hidden_size", kHidden},
                      {"layout", std::int64_t{1}}}));
  }
}

TEST(RecurrentRules, OfGatesThatAreClippedOrCoupled) {
  check("GRU", whole_layer("GRU", 1, false),
        attributes(
            {{"clip", 0.6F}, {"hidden_size", kHidden}, {"linear_before_reset", std::int64_t{1}}}));
  check("LSTM", whole_layer("LSTM", 1, false),
        attributes({{"clip", 0.6F}, {"hidden_size", kHidden}, {"input_forget", std::int64_t{1}}}));
}

TEST(RecurrentRules, OfEveryActivation) {
  const std::pair<const char*, std::pair<float, float>> functions[] = {
      {"Relu", {0, 0}},     {"Affine", {0.5F, 0.25F}},        {"LeakyRelu", {0.25F, 0}},
      {"Elu", {0.75F, 0}},  {"ThresholdedRelu", {0.125F, 0}}, {"ScaledTanh", {0.5F, 1.5F}},
      {"Softsign", {0, 0}}, {"HardSigmoid", {0.25F, 0.5F}},   {"Softplus", {0, 0}},
      {"Sigmoid", {0, 0}}};
  for (const auto& [name, numbers] : functions) {
    const Attributes given = attributes({{"activation_alpha", Floats{numbers.first}},
                                         {"activation_beta", Floats{numbers.second}},
                                         {"activations", Texts{name}},
                                         {"hidden_size", kHidden}});
    check("RNN", bare_layer("RNN"), given);
  }
}

TEST(RecurrentRules, OfFunctionsOfEachDirection) {
  const Attributes given =
      attributes({{"activation_alpha", Floats{0.25F, 0.5F, 0.5F, 0.75F}},
                  {"activation_beta", Floats{0.5F, 1.5F, 0.25F, 0}},
                  {"activations", Texts{"HardSigmoid", "ScaledTanh", "Affine", "LeakyRelu"}},
                  {"direction", std::string("bidirectional")},
                  {"hidden_size", kHidden}});
  check("GRU", whole_layer("GRU", 2, false), given);
}

TEST(RecurrentRules, OfAnInputMadeOfAnother) {
  const auto tied = [](In in) {
    const std::vector<Tensor> all = {in[0], in[1], mul(in[1], in[1])};
    const Attributes given = attributes({{"hidden_size", kHidden}});
    const ByHand forward = [&](In x) { return recurrent_by_hand("RNN", x, given); };
    return by_hand("RNN", forward, all, given)[0];
  };
  CHECK_GRADIENTS(tied, {scattered({kSteps, kBatch, 2}), scattered({1, 2, 2}, -1, 1, 1)});
}

TEST(RecurrentRules, OfLayersOnTheDevice) {
  for (const char* op : {"RNN", "GRU", "LSTM"}) {
    const Attributes given = attributes({{"hidden_size", kHidden}});
    std::vector<Tensor> exact = bare_layer(op), narrow;
    for (Tensor& x : exact) {
      narrow.push_back(x.to(DType::float32).requires_grad_());
      x.requires_grad_();
    }
    const ByHand forward = [&](In x) { return recurrent_by_hand(op, x, given); };
    const EagerOp device_op(op);
    sum(square(device_op(narrow, given))).backward({}, true);
    sum(square(device_op(narrow, given))).backward();  // once more, to be added up
    sum(square(by_hand(op, forward, exact, given)[0])).backward();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      EXPECT_TRUE(
          allclose(narrow[i].grad().to(DType::float64), mul(exact[i].grad(), 2), 1e-4, 1e-5))
          << op << " input " << i;
    }
  }
}

TEST(RecurrentRules, OfManySteps) {
  const Attributes given = attributes({{"hidden_size", std::int64_t{1}}});
  const ByHand forward = [&](In in) { return recurrent_by_hand("GRU", in, given); };
  CHECK_GRADIENTS(
      [&](In in) { return by_hand("GRU", forward, in, given)[0]; },
      {scattered({130, 1, 1}), scattered({1, 3, 1}, -1, 1, 1), scattered({1, 3, 1}, -1, 1, 2)},
      {.second_order = false, .spread = false});
}

TEST(RecurrentRules, GoBackOnceUnlessTheWayIsKept) {
  const std::vector<Tensor> layer = bare_layer("GRU");
  std::vector<Tensor> narrow;
  for (const Tensor& x : layer) narrow.push_back(x.to(DType::float32).requires_grad_());
  constinit static const EagerOp kGru("GRU");
  const Tensor y = kGru(narrow, attributes({{"hidden_size", kHidden}}));
  const Tensor total = sum(y);
  const Tensor further = grad(total, narrow[0], {.create_graph = true});
  EXPECT_TRUE(further.requires_grad());
  const Tensor last = grad(total, narrow[0]);
  EXPECT_FALSE(last.requires_grad());
  EXPECT_TRUE(allclose(last, further.detach()));
  EXPECT_FALSE(narrow[0].grad().defined());
  EXPECT_THAT(thrown([&] { sum(y).backward(); }),
              testing::HasSubstr("[backward] was called twice, and what the first pass had "
                                 "saved for GRU"));
}

TEST(RecurrentRules, GiveNarrowTypesTheirOwn) {
  const Attributes given = attributes({{"hidden_size", kHidden}});
  constinit static const EagerOp kLstm("LSTM");
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    std::vector<Tensor> narrow, wide;
    for (const Tensor& x : bare_layer("LSTM")) {
      narrow.push_back(x.to(dtype).requires_grad_());
      wide.push_back(narrow.back().detach().to(DType::float32).requires_grad_());
    }
    sum(kLstm(narrow, given)).backward();
    sum(kLstm(wide, given)).backward();
    for (std::size_t i = 0; i < wide.size(); ++i) {
      EXPECT_EQ(narrow[i].grad().dtype(), dtype);
      EXPECT_TRUE(allclose(narrow[i].grad().to(DType::float32), wide[i].grad(), 0.02, 0.02)) << i;
    }
  }
}

}  // namespace
}  // namespace switchyard
