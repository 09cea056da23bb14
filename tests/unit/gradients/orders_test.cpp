// What PyTorch gives (functions/golden/orders_golden.py) for functions and layers: their result,
// its gradients and the gradients of these, in each dtype, and of inputs that are not contiguous.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

#include "functions/golden/torch_golden.hpp"
#include "gradients/gradcheck.hpp"

namespace switchyard {
namespace {

using In = std::span<const Tensor>;

const std::vector<DType> kAnyFloat = {DType::float64, DType::float32, DType::float16,
                                      DType::bfloat16};
const std::vector<DType> kWideFloat = {DType::float64, DType::float32};

struct Case {
  std::string name;
  std::vector<Tensor> inputs;  // float64
  Differentiable function;
  std::vector<DType> dtypes = kAnyFloat;
  bool has_second = true;  // in PyTorch
};

/// Odd multiples of 1/64 that bfloat16 holds exactly, of which no two of a hundred are equal.
Tensor numbers(const Dims& shape, int salt, double scale = 1) {
  std::vector<double> values;
  for (std::int64_t i = 1; i <= element_count(shape); ++i) {
    const std::int64_t whole = (i * 37 + salt * 11) % 101;
    values.push_back(static_cast<double>(2 * whole - 101) / 64 * scale);
  }
  return tensor(values, shape);
}

/// Matrices that are far from singular.
Tensor square_matrices() { return numbers({2, 3, 3}, 1, 0.25) + eye(3).to(DType::float64) * 2; }

Tensor definite_matrices() {
  const Tensor half = numbers({2, 3, 3}, 1, 0.25);
  return matmul(half, half.transpose(1, 2)) + eye(3).to(DType::float64);
}

Tensor indices() { return tensor({{0, 2, 1, 2}, {1, 1, 0, 2}}, DType::int64); }

Tensor reduced(std::span<const Tensor> in, ScatterReduction reduction, bool include_self = true) {
  return scatter_reduce(in[0], 1, indices(), in[1], reduction, include_self);
}

Tensor upsample(In in) {
  InterpolateOptions options{.align_corners = true, .scale_factor = 2};
  options.mode = InterpolationMode::bilinear;
  return interpolate(in[0], options);
}

Tensor complex_square(const Tensor& x) {
  const Tensor real = x.select(-1, 0), imaginary = x.select(-1, 1);
  return stack({square(real) - square(imaginary), real * imaginary * 2}, -1);
}

/// A layer as a function of its inputs, whose dtype it takes; its parameters are numbers, too.
template <typename Layer, typename Call>
Differentiable layer(std::shared_ptr<Layer> made, Call call) {
  nn::NamedTensors parameters = made->named_parameters();
  std::ranges::sort(parameters, {}, [](const auto& named) { return named.first; });
  const NoGrad no_grad;
  for (int i = 0; auto& [name, parameter] : parameters) {
    parameter.copy_(numbers(parameter.shape(), 30 + i++, 0.25).to(DType::float32));
    parameter.requires_grad_(false);
  }
  return [made, call](In in) {
    made->to(in[0].dtype());
    return call(*made, in);
  };
}

template <typename Layer, typename... Arguments>
Differentiable layer_of_one(Arguments... arguments) {
  return layer(std::make_shared<Layer>(arguments...),
               [](Layer& made, In in) { return made.forward(in[0]); });
}

Differentiable decoder_layer() {
  using Layer = nn::TransformerDecoderLayer;
  const Layer::Options options{.dim_feedforward = 16, .dropout = 0};
  return layer(std::make_shared<Layer>(8, 2, options),
               [](Layer& made, In in) { return made(in[0], in[1]); });
}

Differentiable transformer() {
  const nn::Transformer::Options options{
      .dim_feedforward = 16, .dropout = 0, .num_decoder_layers = 1, .num_encoder_layers = 1};
  return layer(std::make_shared<nn::Transformer>(8, 2, options),
               [](nn::Transformer& made, In in) { return made(in[0], in[1]); });
}

std::vector<Case> cases_of_layers() {
  const auto of = [](std::vector<Dims> shapes) {
    std::vector<Tensor> inputs;
    for (int salt = 0; const Dims& shape : shapes) inputs.push_back(numbers(shape, salt++));
    return inputs;
  };
  const nn::LSTM::Options two_ways{.bidirectional = true, .num_layers = 2};
  const Dims sequence{3, 2, 3};
  return {
      {"lstm", of({sequence}), layer_of_one<nn::LSTM>(3, 2, two_ways)},
      {"gru", of({sequence}), layer_of_one<nn::GRU>(3, 2)},
      {"rnn", of({sequence}), layer_of_one<nn::RNN>(3, 2)},
      {"lstm_cell", of({{2, 3}}), layer_of_one<nn::LSTMCell>(3, 2)},
      {"gru_cell", of({{2, 3}}), layer_of_one<nn::GRUCell>(3, 2)},
      {"rnn_cell", of({{2, 3}}), layer_of_one<nn::RNNCell>(3, 2)},
      {"transformer_decoder_layer", of({{2, 1, 8}, {3, 1, 8}}), decoder_layer()},
      {"transformer", of({{2, 1, 8}, {3, 1, 8}}), transformer()},
      {"glu", of({{2, 4}}), [](In in) { return glu(in[0]); }},
      {"prelu", of({{2, 3, 4}, {3}}), [](In in) { return prelu(in[0], in[1]); }},
      {"conv3d", of({{1, 2, 3, 3, 3}, {2, 2, 2, 2, 2}, {2}}),
       [](In in) { return conv3d(in[0], in[1], in[2], {.padding = 1, .stride = 2}); }},
      {"conv_transpose3d", of({{1, 2, 2, 2, 2}, {2, 1, 2, 2, 2}, {1}}),
       [](In in) { return conv_transpose3d(in[0], in[1], in[2], {.padding = 1, .stride = 2}); }},
      {"max_pool3d", of({{1, 1, 3, 4, 4}}),
       [](In in) { return max_pool3d(in[0], 2, {.padding = 1, .stride = 1}); }},
      {"avg_pool3d", of({{1, 1, 3, 4, 4}}),
       [](In in) {
         return avg_pool3d(in[0], 2, {.count_include_pad = false, .padding = 1, .stride = 1});
       }},
      {"instance_norm", of({{2, 2, 3}, {2}, {2}}),
       [](In in) { return instance_norm(in[0], {}, {}, in[1], in[2]); }},
      {"upsample", of({{1, 1, 2, 3}}), upsample},
      {"pixel_shuffle", of({{1, 4, 2, 2}}), [](In in) { return square(pixel_shuffle(in[0], 2)); }},
      {"grid_sample", of({{1, 2, 3, 3}, {1, 2, 2, 2}}),
       [](In in) { return grid_sample(in[0], in[1]); }, kAnyFloat, false},
      {"ctc_loss", of({{4, 2, 3}}),
       [](In in) {
         return ctc_loss(log_softmax(in[0], 2), tensor({{1, 2}, {2, 0}}, DType::int64),
                         tensor({4, 3}, DType::int64), tensor({2, 1}, DType::int64),
                         {.reduction = Reduction::none});
       },
       kAnyFloat, false},
      {"embedding_bag", of({{5, 3}}),
       [](In in) {
         return square(embedding_bag(tensor({0, 2, 2, 4}, DType::int64), in[0],
                                     tensor({0, 3}, DType::int64)));
       },
       kAnyFloat, false},
  };
}

std::vector<Case> cases_of_functions() {
  const Tensor matrix = numbers({2, 4}, 0), block = numbers({2, 3, 4}, 0);
  const std::vector<Tensor> two = {matrix, numbers({2, 4}, 1)};
  return {
      {"median", {block}, [](In in) { return median(square(in[0]), 1).values; }},
      {"quantile",
       {block},
       [](In in) { return quantile(square(in[0]), tensor(0.3, in[0].dtype()), 1); },
       kWideFloat},
      {"cumprod", {block}, [](In in) { return cumprod(in[0], 1); }},
      {"cummax", {block}, [](In in) { return cummax(square(in[0]), 1).values; }},
      {"meshgrid",
       {numbers({3}, 0), numbers({2}, 1)},
       [](In in) {
         const std::vector<Tensor> grid = meshgrid(in);
         return mul(grid[0], grid[1]);
       }},
      {"repeat_interleave",
       {matrix},
       [](In in) {
         return square(repeat_interleave(in[0], tensor({1, 0, 2, 1}, DType::int64), 1));
       }},
      {"cdist",
       {numbers({3, 2}, 0), numbers({2, 2}, 1)},
       [](In in) { return cdist(in[0], in[1]); },
       kAnyFloat,
       false},
      {"tensordot",
       {numbers({2, 3}, 0), numbers({3, 2}, 1)},
       [](In in) { return tensordot(in[0], in[1], 1); }},
      {"diff", {block}, [](In in) { return diff(square(in[0]), 2, 2); }},
      {"take_along_dim",
       {numbers({3, 4}, 0)},
       [](In in) { return square(take_along_dim(in[0], indices(), 0)); }},
      {"scatter_reduce_sum", two, [](In in) { return square(reduced(in, ScatterReduction::sum)); }},
      {"scatter_reduce_mean", two,
       [](In in) { return square(reduced(in, ScatterReduction::mean, false)); }},
      {"scatter_reduce_amax", two,
       [](In in) { return square(reduced(in, ScatterReduction::amax)); }},
      {"scatter_reduce_prod", two, [](In in) { return reduced(in, ScatterReduction::prod); }},
      {"inv", {square_matrices()}, [](In in) { return linalg::inv(in[0]); }, kWideFloat},
      {"solve",
       {square_matrices(), numbers({2, 3, 2}, 1)},
       [](In in) { return linalg::solve(in[0], in[1]); },
       kWideFloat},
      {"det", {square_matrices()}, [](In in) { return linalg::det(in[0]); }, kWideFloat},
      {"svdvals", {square_matrices()}, [](In in) { return linalg::svdvals(in[0]); }, kWideFloat},
      {"qr", {square_matrices()}, [](In in) { return abs(linalg::qr(in[0]).r); }, kWideFloat},
      {"cholesky",
       {definite_matrices()},
       [](In in) { return linalg::cholesky((in[0] + in[0].transpose(1, 2)) / 2); },
       kWideFloat},
      {"irfft",
       {numbers({2, 5}, 0)},
       [](In in) { return fft::irfft(complex_square(fft::rfft(in[0])), 5); },
       kWideFloat},
  };
}

Tensor weighted(In tensors, int salt) {
  Tensor total;
  for (const Tensor& t : tensors) {
    const Tensor part = sum(mul(t, numbers(t.shape(), salt++).to(t.dtype())));
    total = total.defined() ? add(total, part) : part;
  }
  return total;
}

/// By the names of orders_golden.txt, as float64.
GoldenCases orders(const Case& given, DType dtype, bool is_strided) {
  GoldenCases parts;
  const auto keep = [&](const std::string& part, const Tensor& value) {
    const Tensor wide = value.detach().to(DType::float64);
    parts[given.name + "." + part] = [wide] { return wide; };
  };
  std::vector<Tensor> leaves;
  for (const Tensor& input : given.inputs) {
    const Tensor x = input.to(dtype);
    leaves.push_back((is_strided && x.dim() > 1 ? strided(x) : x).detach().requires_grad_());
  }
  const std::vector<Tensor> result = {given.function(leaves)};
  EXPECT_EQ(result[0].dtype(), dtype);
  keep("result", result[0]);
  const std::vector<Tensor> loss = {weighted(result, 50)};
  const std::vector<Tensor> first = grad(loss, leaves, {.create_graph = true});
  for (std::size_t k = 0; k < first.size(); ++k) keep("first_" + std::to_string(k), first[k]);
  if (!given.has_second) return parts;
  const std::vector<Tensor> total = {weighted(first, 60)};
  std::vector<Tensor> second(leaves.size());
  if (total[0].requires_grad()) second = grad(total, leaves, {.allow_unused = true});
  for (std::size_t k = 0; k < second.size(); ++k) {
    keep("second_" + std::to_string(k), second[k].defined() ? second[k] : zeros_like(leaves[k]));
  }
  return parts;
}

std::vector<Case> cases() {
  std::vector<Case> all = cases_of_layers();
  for (Case& each : cases_of_functions()) all.push_back(std::move(each));
  return all;
}

double tolerance_of(DType dtype) {
  switch (dtype) {
    case DType::float64: return 1e-8;
    case DType::float32: return 2e-4;
    case DType::float16: return 1e-2;
    default: return 0.1;
  }
}

class Orders : public ::testing::TestWithParam<DType> {};

TEST_P(Orders, AreThoseOfPyTorch) {
  const DType dtype = GetParam();
  for (const Case& given : cases()) {
    if (std::ranges::find(given.dtypes, dtype) == given.dtypes.end()) continue;
    SCOPED_TRACE(given.name);
    check_golden_part("orders_golden.txt", given.name + ".", orders(given, dtype, false),
                      tolerance_of(dtype));
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, Orders, ::testing::ValuesIn(kAnyFloat),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(OrdersOfStridedInputs, AreThoseOfPyTorch) {
  for (const Case& given : cases()) {
    SCOPED_TRACE(given.name);
    check_golden_part("orders_golden.txt", given.name + ".", orders(given, DType::float64, true),
                      tolerance_of(DType::float64));
  }
}

}  // namespace
}  // namespace switchyard
