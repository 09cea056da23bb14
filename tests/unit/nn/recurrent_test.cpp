// Recurrent layers and cells with parameters that PyTorch gave them, in the type that ops compute
// in and in the one that is composed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/autocast.hpp>

#include "functions/thrown.hpp"
#include "gradients/gradcheck.hpp"
#include "nn/golden.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

struct Made {
  Tensor output, h, c;
};

Made made_by(nn::LSTM& layer, const Tensor& x, const Tensor& h, const Tensor& c) {
  const nn::LSTMOutput made = layer(x, {h, c});
  return {made.output, made.state.h, made.state.c};
}
Made made_by(nn::LSTMCell& cell, const Tensor& x, const Tensor& h, const Tensor& c) {
  const nn::LSTMState made = cell(x, {h, c});
  return {{}, made.h, made.c};
}
template <typename Layer>
requires std::derived_from<Layer, nn::RNNBase> Made made_by(Layer& layer, const Tensor& x,
                                                            const Tensor& h, const Tensor&) {
  const nn::RNNOutput made = layer(x, h);
  return {made.output, made.h_n, {}};
}
template <typename Cell>
requires std::derived_from<Cell, nn::RNNCellBase> Made made_by(Cell& cell, const Tensor& x,
                                                               const Tensor& h, const Tensor&) {
  return {{}, cell(x, h), {}};
}

/// A tensor of the case as a leaf of that type; none if the case has none.
Tensor leaf(const GoldenCase& golden, const std::string& name, DType dtype) {
  if (!golden.has(name)) return {};
  return golden[name].to(dtype).clone().requires_grad_();
}

template <typename Layer>
void expect_golden(const std::string& name, Layer layer, DType dtype) {
  SCOPED_TRACE(name + " in " + std::string(name_of(dtype)));
  const GoldenCase golden(name, "nn/recurrent_golden.safetensors");
  layer.to(dtype);
  layer.load_state_dict(golden.below("state"));
  layer.zero_grad();
  const Tensor x = leaf(golden, "input", dtype), h = leaf(golden, "h", dtype),
               c = leaf(golden, "c", dtype);
  const Made made = made_by(layer, x, h, c);
  Tensor total;
  for (const auto& [of, result] :
       {std::pair{"output", made.output}, {"h_n", made.h}, {"c_n", made.c}}) {
    ASSERT_EQ(result.defined(), golden.has(of)) << of;
    if (!result.defined()) continue;
    expect_close(result.to(DType::float32), golden[of], of);
    const Tensor part = sum(result * golden[std::string(of) + "_seed"].to(dtype));
    total = total.defined() ? total + part : part;
  }
  total.backward();
  for (const auto& [of, given] : {std::pair{"input", x}, {"h", h}, {"c", c}}) {
    if (!given.defined()) continue;
    expect_close(given.grad().to(DType::float32), golden[std::string(of) + "_grad"], of);
  }
  for (const auto& [of, parameter] : layer.named_parameters()) {
    expect_close(parameter.grad().to(DType::float32), golden["grad/" + of], of);
  }
}

template <typename Layer>
void expect_golden(const std::string& name, const Layer& layer) {
  expect_golden(name, layer, DType::float32);
  expect_golden(name, layer, DType::float64);
}

TEST(Recurrent, LayersComputeWhatPyTorchDoes) {
  using nn::RNNNonlinearity;
  expect_golden("rnn", nn::RNN(4, 6));
  expect_golden("rnn_relu",
                nn::RNN(4, 6, {.nonlinearity = RNNNonlinearity::relu, .num_layers = 2}));
  expect_golden("rnn_both",
                nn::RNN(4, 6, {.batch_first = true, .bias = false, .bidirectional = true}));
  expect_golden("gru", nn::GRU(4, 6));
  expect_golden("gru_deep", nn::GRU(4, 6, {.bidirectional = true, .num_layers = 2}));
  expect_golden("gru_single", nn::GRU(4, 6, {.bias = false, .num_layers = 2}));
  expect_golden("lstm", nn::LSTM(4, 6));
  expect_golden("lstm_deep",
                nn::LSTM(4, 6, {.batch_first = true, .bidirectional = true, .num_layers = 2}));
  expect_golden("lstm_single", nn::LSTM(4, 6, {.bias = false}));
  expect_golden("lstm_projected",
                nn::LSTM(4, 6, {.bidirectional = true, .num_layers = 2, .proj_size = 3}));
  expect_golden("lstm_projected_no_bias", nn::LSTM(4, 6, {.bias = false, .proj_size = 3}));
}

TEST(Recurrent, CellsComputeWhatPyTorchDoes) {
  expect_golden("rnn_cell", nn::RNNCell(4, 6));
  expect_golden("rnn_cell_relu",
                nn::RNNCell(4, 6, {.bias = false, .nonlinearity = nn::RNNNonlinearity::relu}));
  expect_golden("gru_cell", nn::GRUCell(4, 6));
  expect_golden("gru_cell_single", nn::GRUCell(4, 6));
  expect_golden("lstm_cell", nn::LSTMCell(4, 6));
  expect_golden("lstm_cell_no_bias", nn::LSTMCell(4, 6, {.bias = false}));
}

std::vector<std::string> described(const nn::Module& module) {
  std::vector<std::string> texts;
  for (const auto& [name, tensor] : module.named_parameters()) {
    std::string text = name;
    for (const std::int64_t extent : tensor.shape()) text += " " + std::to_string(extent);
    texts.push_back(text);
  }
  return texts;
}

TEST(Recurrent, ParametersAreNamedAndOrderedAsPyTorchs) {
  EXPECT_THAT(
      described(nn::LSTM(4, 6, {.bidirectional = true, .proj_size = 3})),
      ElementsAre("weight_ih_l0 24 4", "weight_hh_l0 24 3", "bias_ih_l0 24", "bias_hh_l0 24",
                  "weight_hr_l0 3 6", "weight_ih_l0_reverse 24 4", "weight_hh_l0_reverse 24 3",
                  "bias_ih_l0_reverse 24", "bias_hh_l0_reverse 24", "weight_hr_l0_reverse 3 6"));
  EXPECT_THAT(described(nn::GRU(4, 6, {.bias = false, .bidirectional = true, .num_layers = 2})),
              ElementsAre("weight_ih_l0 18 4", "weight_hh_l0 18 6", "weight_ih_l0_reverse 18 4",
                          "weight_hh_l0_reverse 18 6", "weight_ih_l1 18 12", "weight_hh_l1 18 6",
                          "weight_ih_l1_reverse 18 12", "weight_hh_l1_reverse 18 6"));
  EXPECT_THAT(described(nn::RNNCell(4, 6)),
              ElementsAre("weight_ih 6 4", "weight_hh 6 6", "bias_ih 6", "bias_hh 6"));
}

TEST(Recurrent, ParametersStartWithinTheRootOfTheState) {
  for (const Tensor& parameter : nn::GRU(40, 25).parameters()) {
    EXPECT_LE(amax(abs(parameter)).item(), 0.2);
    EXPECT_GT(amax(abs(parameter)).item(), 0.15);
  }
}

TEST(Recurrent, GoOnFromTheirState) {
  nn::LSTM lstm(4, 6, {.num_layers = 2});
  const Tensor x = randn({5, 3, 4});
  const auto [whole, last] = lstm(x);
  const nn::LSTMOutput first = lstm(x.narrow(0, 0, 2)), rest = lstm(x.narrow(0, 2, 3), first.state);
  expect_close(cat({first.output, rest.output}), whole, "the parts");
  expect_close(rest.state.c, last.c, "c");
  nn::GRUCell cell(4, 6);
  EXPECT_TRUE(equal(cell(x[0]), cell(x[0], zeros({3, 6}))));
  EXPECT_TRUE(equal(nn::Sequential(lstm)(x), whole)) << "forward() gives the output alone";
}

TEST(Recurrent, DropOutBetweenLayersInTrainingOnly) {
  nn::GRU gru(4, 6, {.dropout = 1, .num_layers = 2});
  nn::GRU second(6, 6);
  const Tensor x = randn({5, 3, 4});
  for (std::size_t i = 0; i < 4; ++i)
    second.parameters()[i].detach().copy_(gru.parameters()[4 + i]);
  expect_close(gru(x).output, second(zeros({5, 3, 6})).output, "what all was dropped of");
  gru.eval();
  const Tensor kept = gru(x).output;
  gru.dropout = 0;
  gru.train();
  EXPECT_TRUE(equal(gru(x).output, kept));
}

TEST(Recurrent, ReadAnyStridesAndBatchesOfNone) {
  nn::LSTM lstm(4, 6, {.batch_first = true});
  const Tensor x = randn({4, 5, 3}).permute({2, 1, 0});
  EXPECT_TRUE(equal(lstm(x).output, lstm(x.contiguous()).output));
  EXPECT_EQ(lstm(zeros({0, 5, 4})).output.shape(), (Dims{0, 5, 6}));
  lstm.to(DType::float64);
  EXPECT_EQ(lstm(zeros({0, 5, 4}, {.dtype = DType::float64})).state.h.shape(), (Dims{1, 0, 6}));
}

TEST(Recurrent, ComputeInNarrowTypes) {
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    nn::GRU gru(4, 6);
    const Tensor x = randn({5, 3, 4});
    const Tensor exact = gru(x).output;
    gru.to(dtype);
    const Tensor output = gru(x.to(dtype)).output;
    EXPECT_EQ(output.dtype(), dtype);
    EXPECT_TRUE(allclose(output.to(DType::float32), exact, 5e-2, 5e-2));
  }
}

TEST(Recurrent, ComputeInTheTypeOfAutocast) {
  nn::LSTM lstm(4, 6);
  const Tensor x = randn({5, 3, 4});
  const Autocast scope(DType::bfloat16);
  const auto [output, state] = lstm(x);
  EXPECT_EQ(output.dtype(), DType::bfloat16);
  EXPECT_EQ(lstm(x.to(DType::bfloat16), state).state.c.dtype(), DType::bfloat16);
  sum(output.to(DType::float32)).backward();
  EXPECT_EQ(lstm.all_weights[0].weight_hh.grad().dtype(), DType::float32);
}

TEST(Recurrent, GradientsHaveGradients) {
  nn::LSTM lstm(2, 3, {.bidirectional = true, .num_layers = 2, .proj_size = 2});
  nn::GRU gru(2, 3);
  lstm.to(DType::float64);
  gru.to(DType::float64);
  const std::vector<Tensor> in = {scattered({3, 2, 2})};
  CHECK_GRADIENTS([&](std::span<const Tensor> x) { return lstm(x[0]).output; }, in,
                  {.spread = false});
  CHECK_GRADIENTS([&](std::span<const Tensor> x) { return gru(x[0]).h_n; }, in, {.spread = false});
}

TEST(Recurrent, RefuseWhatTheyCannotBe) {
  EXPECT_THAT(thrown([] { nn::RNN(4, 0); }), HasSubstr("[RNN] hidden_size is 0"));
  EXPECT_THAT(thrown([] { nn::GRU(-1, 4); }), HasSubstr("[GRU] input_size is -1"));
  EXPECT_THAT(thrown([] { nn::LSTM(4, 6, {.num_layers = 0}); }),
              HasSubstr("[LSTM] num_layers is 0"));
  EXPECT_THAT(thrown([] { nn::LSTM(4, 6, {.proj_size = 6}); }),
              AllOf(HasSubstr("proj_size is 6"), HasSubstr("less than hidden_size")));
  EXPECT_THAT(thrown([] { nn::GRU(4, 6, {.dropout = 1.5}); }), HasSubstr("[GRU] dropout"));
  EXPECT_THAT(thrown([] { nn::LSTMCell(4, 0); }), HasSubstr("[LSTMCell]"));
}

TEST(Recurrent, RefuseInputsAndStatesOfOtherShapes) {
  nn::LSTM lstm(4, 6, {.bidirectional = true});
  const Tensor x = zeros({5, 3, 4});
  EXPECT_THAT(thrown([&] { return lstm(zeros({5, 3, 5})); }), HasSubstr("input_size, which is 4"));
  EXPECT_THAT(thrown([&] { return lstm(zeros({4})); }), HasSubstr("[LSTM] needs a tensor of rank"));
  EXPECT_THAT(thrown([&] { return lstm(Tensor()); }), HasSubstr("got none"));
  EXPECT_THAT(thrown([&] { return lstm(zeros({0, 3, 4})); }), HasSubstr("no steps"));
  EXPECT_THAT(thrown([&] { return lstm(x, {zeros({2, 3, 6}), {}}); }), HasSubstr("both h and c"));
  EXPECT_THAT(thrown([&] {
                return lstm(x, {zeros({2, 3, 6}), zeros({2, 2, 6})});
              }),
              AllOf(HasSubstr("the state c is of shape [2, 2, 6]"), HasSubstr("[2, 3, 6]")));
  EXPECT_THAT(thrown([&] {
                return nn::GRU(4, 6)(x, zeros({3, 6}));
              }),
              HasSubstr("[GRU] the state h is of shape [3, 6]"));
  EXPECT_NE(thrown([&] { return lstm(x.to(DType::float64)); }), "nothing");
  EXPECT_NE(thrown([&] { return lstm(x.to(DType::int64)); }), "nothing");
  nn::GRUCell cell(4, 6);
  EXPECT_THAT(thrown([&] { return cell(x); }), HasSubstr("[GRUCell] needs a tensor of rank 1"));
  EXPECT_THAT(thrown([&] {
                return cell(x[0], zeros({2, 6}));
              }),
              HasSubstr("[GRUCell] the state h is of shape [2, 6]"));
}

TEST(Recurrent, RefuseADropoutThatHasNoNextLayer) {
  EXPECT_THAT(thrown([] { nn::GRU(4, 6, {.dropout = 0.5}); }),
              HasSubstr("[GRU] dropout is 0.5; it acts between layers, and num_layers is 1"));
  EXPECT_THAT(thrown([] { nn::RNN(4, 6, {.dropout = 1}); }), HasSubstr("[RNN] dropout is 1"));
  EXPECT_EQ(thrown([] { nn::LSTM(4, 6, {.dropout = 0.5, .num_layers = 2}); }), "nothing");
}

TEST(Recurrent, CellsRefuseSizesThatWereChangedAfterwards) {
  const auto says = [](auto cell, const auto& change) {
    const auto copy = cell;
    change(cell);
    const std::string text = thrown([&] { cell(zeros({1, 2})); });
    cell = copy;
    EXPECT_EQ(thrown([&] { cell(zeros({1, 2})); }), "nothing") << "it is assigned whole";
    return text;
  };
  const auto widened = [](auto& cell) { cell.hidden_size = 4; };
  EXPECT_THAT(says(nn::LSTMCell(2, 3), widened),
              HasSubstr("[LSTMCell] input_size is 2 and hidden_size 4, which do not fit its "
                        "weights"));
  EXPECT_THAT(says(nn::GRUCell(2, 3), widened), HasSubstr("[GRUCell] input_size is 2"));
  EXPECT_THAT(says(nn::RNNCell(2, 3), [](auto& cell) { cell.input_size = 5; }),
              HasSubstr("[RNNCell] input_size is 5"));
}

TEST(Recurrent, RefusesSizesThatWereChangedAfterwards) {
  const auto says = [](const auto& change) {
    nn::LSTM lstm(2, 3);
    change(lstm);
    return thrown([&] { lstm(zeros({1, 2})); });
  };
  const std::string expected = "[LSTM] its sizes were changed, and do not fit its weights";
  EXPECT_THAT(says([](auto& lstm) { lstm.num_layers = 2; }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) { lstm.bidirectional = true; }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) { lstm.hidden_size = 4; }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) { lstm.proj_size = 2; }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) { lstm.bias = false; }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) { lstm.all_weights.clear(); }), testing::StartsWith(expected));
  EXPECT_THAT(says([](auto& lstm) {
                lstm.all_weights.clear();
                lstm.num_layers = 0;
              }),
              testing::StartsWith(expected));
}

}  // namespace
}  // namespace switchyard
