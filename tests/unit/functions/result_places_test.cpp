// Results lie beside the tensors given, whatever device is the current one: also those of functions
// that make tensors of their own, such as zeros, positions and numbers.
#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <utility>
#include <vector>

#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

struct Made {
  const char* function;
  std::function<Tensor()> run;
};

/// Tensors on a device.
struct Given {
  explicit Given(Text device) : there{.device = Device(device)} {}

  TensorOptions there;
  Tensor x = tensor({{2., 1.}, {1., 3.}}, there);
  Tensor line = tensor({0.5, 0.25}, there);
  Tensor whole = tensor({0, 1}, there);
  Tensor row = reshape(whole, {1, 2});
  Tensor mask = x > 1;
  Tensor image = reshape(arange(16, there).to(DType::float32), {1, 1, 4, 4});
  Tensor weight = ones({1, 1, 2, 2}, there);
};

std::vector<Made> of_indices(const Given& g) {
  return {
      {"bincount", [=] { return bincount(g.whole); }},
      {"bucketize", [=] { return bucketize(g.x, g.x[0]); }},
      {"bucketize of a number", [=] { return bucketize(0.3, g.line); }},
      {"embedding", [=] { return embedding(g.whole, g.x); }},
      {"embedding_bag", [=] { return embedding_bag(g.row, g.x); }},
      {"gather", [=] { return gather(g.x, 0, g.row); }},
      {"histc", [=] { return histc(g.x); }},
      {"index", [=] { return Tensor(g.x.index({g.mask})); }},
      {"index of numbers",
       [=] {
         return Tensor(g.x.index({1, Slice(0, 1)}));
       }},
      {"index_put_ of a number", [=] { return g.line.clone().index_put_({g.whole}, 1); }},
      {"index_put_ behind a mask", [=] { return g.line.clone().index_put_({g.line > 0.3}, 1); }},
      {"index_add", [=] { return index_add(g.x, 0, g.whole, g.x); }},
      {"index_select", [=] { return index_select(g.x, 0, g.whole); }},
      {"isin", [=] { return Tensor(isin(g.x, 2)); }},
      {"isin of a number", [=] { return Tensor(isin(2, g.x)); }},
      {"masked_fill", [=] { return masked_fill(g.x, g.mask, 7); }},
      {"masked_select", [=] { return masked_select(g.x, g.mask); }},
      {"nonzero", [=] { return nonzero(g.x); }},
      {"one_hot", [=] { return one_hot(g.whole, -1); }},
      {"repeat_interleave", [=] { return repeat_interleave(g.x, 2, 0); }},
      {"repeat_interleave of counts",
       [=] {
         return repeat_interleave(g.x, tensor({1, 2}, g.there), 0);
       }},
      {"scatter", [=] { return scatter(g.x, 0, g.row, g.x); }},
      {"scatter of a number", [=] { return scatter(g.x, 0, g.row, 1); }},
      {"scatter_add", [=] { return scatter_add(g.x, 0, g.row, g.x); }},
      {"scatter_reduce",
       [=] { return scatter_reduce(g.x, 0, g.row, g.x, ScatterReduction::amax); }},
      {"scatter_reduce of a number",
       [=] { return scatter_reduce(g.x, 0, g.row, 3, ScatterReduction::mean); }},
      {"searchsorted", [=] { return searchsorted(g.x, g.x); }},
      {"searchsorted of a number", [=] { return searchsorted(g.line, 0.3); }},
      {"take_along_dim", [=] { return take_along_dim(g.x, argsort(g.x), 1); }},
      {"unique", [=] { return unique(g.x, {.return_inverse = true}).inverse; }},
      {"where", [=] { return where(g.mask, 1, 2); }}};
}

std::vector<Made> of_order(const Given& g) {
  return {{"argmax", [=] { return argmax(g.x); }},
          {"argsort", [=] { return argsort(g.x); }},
          {"cummax", [=] { return cummax(g.x, 0).values; }},
          {"cumprod", [=] { return cumprod(g.x, 0); }},
          {"diff", [=] { return diff(g.x); }},
          {"logcumsumexp", [=] { return logcumsumexp(g.x, 0); }},
          {"median", [=] { return median(g.x); }},
          {"median of a dimension", [=] { return median(g.x, 1).indices; }},
          {"quantile", [=] { return quantile(g.x, 0.5); }},
          {"quantile of several", [=] { return quantile(g.x, g.line, 1); }},
          {"nanquantile", [=] { return nanquantile(g.x, 0.5, 1); }},
          {"sort", [=] { return sort(g.x).indices; }},
          {"std", [=] { return std(g.x); }},
          {"topk", [=] { return topk(g.x, 1).values; }},
          {"var", [=] { return var(g.x); }}};
}

std::vector<Made> of_numbers(const Given& g) {
  return {{"a number on the left", [=] { return 1 / g.x; }},
          {"addcmul", [=] { return addcmul(1, g.x, 2); }},
          {"bernoulli", [=] { return bernoulli(g.line); }},
          {"cat",
           [=] {
             return cat({g.x, g.x});
           }},
          {"clamp", [=] { return clamp(g.x, 0, 1); }},
          {"full_like", [=] { return full_like(g.x, 1); }},
          {"gumbel_softmax", [=] { return gumbel_softmax(g.x, {.hard = true}); }},
          {"lerp", [=] { return lerp(0, g.x, 0.5); }},
          {"multinomial", [=] { return multinomial(g.line, 1); }},
          {"nan_to_num", [=] { return nan_to_num(g.x); }},
          {"new_zeros", [=] { return g.x.new_zeros({2}); }},
          {"pow", [=] { return pow(2, g.x); }},
          {"rand_like", [=] { return rand_like(g.x); }},
          {"roll", [=] { return roll(g.x, {1}, {0}); }},
          {"tril", [=] { return tril(g.x); }},
          {"logaddexp", [=] { return logaddexp(g.x, 1); }}};
}

std::vector<Made> of_matrices(const Given& g) {
  return {{"cdist", [=] { return cdist(g.x, g.x); }},
          {"cosine_similarity", [=] { return cosine_similarity(g.x, g.x); }},
          {"normalize", [=] { return normalize(g.x); }},
          {"det", [=] { return linalg::det(g.x); }},
          {"eigh", [=] { return linalg::eigh(g.x).vectors; }},
          {"inv", [=] { return linalg::inv(g.x); }},
          {"lstsq", [=] { return linalg::lstsq(g.x, g.x).solution; }},
          {"matrix_norm", [=] { return linalg::matrix_norm(g.x, linalg::MatrixNorm::nuclear); }},
          {"matrix_power", [=] { return linalg::matrix_power(g.x, 0); }},
          {"matrix_power below 0", [=] { return linalg::matrix_power(g.x, -3); }},
          {"matrix_rank", [=] { return linalg::matrix_rank(g.x); }},
          {"pinv", [=] { return linalg::pinv(g.x); }},
          {"slogdet", [=] { return linalg::slogdet(g.x).logarithm; }},
          {"solve", [=] { return linalg::solve(g.x, g.line); }},
          {"vector_norm", [=] { return linalg::vector_norm(g.x, 3); }},
          {"fft", [=] { return fft::fft(g.x); }},
          {"irfft", [=] { return fft::irfft(fft::rfft(g.x)); }},
          {"fftshift", [=] { return fft::fftshift(g.x, {0}); }}};
}

std::vector<Made> of_layers(const Given& g) {
  return {{"adaptive_avg_pool2d", [=] { return adaptive_avg_pool2d(g.image, 2); }},
          {"batch_norm", [=] { return batch_norm(g.image, {}, {}, {}, {}, true); }},
          {"conv2d", [=] { return conv2d(g.image, g.weight); }},
          {"cross_entropy", [=] { return cross_entropy(g.x, g.whole); }},
          {"cross_entropy with smoothing",
           [=] { return cross_entropy(g.x, g.whole, {.label_smoothing = 0.1}); }},
          {"dropout", [=] { return dropout(g.x, 0.5); }},
          {"glu", [=] { return glu(g.x); }},
          {"group_norm", [=] { return group_norm(g.image, 1); }},
          {"huber_loss", [=] { return huber_loss(g.x, g.x); }},
          {"instance_norm", [=] { return instance_norm(g.image); }},
          {"interpolate", [=] { return interpolate(g.image, {.scale_factor = 2}); }},
          {"layer_norm", [=] { return layer_norm(g.image, {4}); }},
          {"max_pool2d", [=] { return max_pool2d(g.image, 2); }},
          {"nll_loss", [=] { return nll_loss(log_softmax(g.x, 1), g.whole); }},
          {"pad",
           [=] {
             return pad(g.image, {1, 1, 1, 1}, PaddingMode::constant, 7);
           }},
          {"scaled_dot_product_attention",
           [=] { return scaled_dot_product_attention(g.image, g.image, g.image); }},
          {"softmax", [=] { return softmax(g.x, 0); }},
          {"unfold", [=] { return unfold(g.image, 2); }}};
}

std::vector<Made> all_of(const Given& given) {
  std::vector<Made> all;
  for (const auto& calls : {of_indices(given), of_order(given), of_numbers(given),
                            of_matrices(given), of_layers(given)}) {
    all.insert(all.end(), calls.begin(), calls.end());
  }
  return all;
}

/// The plugin of the current device, and that of the tensors given.
using Plugins = std::pair<const char*, const char*>;

class ResultPlaces : public ::testing::TestWithParam<Plugins> {
 protected:
  Runtime runtime_ = start({.order = {GetParam().first, GetParam().second},
                            .sections = std::string_view(GetParam().second) == "mps"
                                            ? "[plugins.mps.options]\ndevice = \"software\"\n"
                                            : ""});
  RuntimeScope here_{runtime_};
  Given given_{GetParam().second};
  Device place_{GetParam().second};
};

TEST_P(ResultPlaces, AreThoseOfTheTensorsGiven) {
  for (const auto& [function, run] : all_of(given_)) {
    SCOPED_TRACE(function);
    try {
      EXPECT_EQ(run().device(), place_);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST_P(ResultPlaces, OfGradientsAreThoseOfTheInputs) {
  given_.x.requires_grad_();
  given_.image.requires_grad_();
  for (const auto& [function, run] : all_of(given_)) {
    SCOPED_TRACE(function);
    try {
      const Tensor made = run();
      if (!made.requires_grad()) continue;
      const Tensor outputs[] = {sum(made)}, inputs[] = {given_.x, given_.image};
      for (const Tensor& gradient : grad(outputs, inputs, {.allow_unused = true})) {
        if (!gradient.defined()) continue;
        EXPECT_EQ(gradient.device(), place_);
      }
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// Values that the host holds, as those of a file, are brought there as numbers are.
TEST_P(ResultPlaces, OfValuesThatTheHostHolds) {
  const Tensor held = host_tensor({2}, std::vector<float>{0.25f, 0.5f});
  EXPECT_EQ(quantile(given_.x, held).device(), place_);
  EXPECT_EQ(searchsorted(given_.line, held).device(), place_);
  EXPECT_EQ(Tensor(isin(given_.line, held)).device(), place_);
}

INSTANTIATE_TEST_SUITE_P(Of, ResultPlaces,
                         ::testing::Values(Plugins{"template", "cpu"}, Plugins{"cpu", "mps"}));

}  // namespace
}  // namespace switchyard
