// Every function that gets what it cannot take throws Error(usage), as <switchyard/tensor.hpp>
// says: no tensor at all, shapes that do not go together, types that it is not for, dimensions and
// numbers that lie outside.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <switchyard/autograd.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/io.hpp>
#include <switchyard/model.hpp>

#include "test_folders.hpp"
#include "trace/timeline_events.hpp"

namespace switchyard {
namespace {

struct Wrong {
  std::string function;
  std::function<void()> call;
};
using Calls = std::vector<Wrong>;

Tensor none() { return {}; }
Tensor floats() { return ones({2, 3}); }
Tensor others() { return ones({4, 3}); }  // of a shape that does not go with the first
Tensor integers() { return ones({2, 3}, {.dtype = DType::int64}); }
Tensor image() { return ones({1, 4, 5, 5}); }
Tensor places() { return tensor({0, 1}); }

/// A function of one tensor, of any type or of floating-point ones alone.
template <typename Result>
struct OfOne {
  const char* name;
  Result (*call)(const Tensor&);
};
using One = OfOne<Tensor>;
using OneMask = OfOne<Mask>;

const One kOfAny[] = {{"abs", abs},
                      {"neg", neg},
                      {"sign", sign},
                      {"square", square},
                      {"sqrt", sqrt},
                      {"rsqrt", rsqrt},
                      {"exp", exp},
                      {"reciprocal", reciprocal},
                      {"exp2", exp2},
                      {"expm1", expm1},
                      {"log", log},
                      {"log2", log2},
                      {"log10", log10},
                      {"log1p", log1p},
                      {"sin", sin},
                      {"cos", cos},
                      {"tan", tan},
                      {"asin", asin},
                      {"acos", acos},
                      {"atan", atan},
                      {"sinh", sinh},
                      {"cosh", cosh},
                      {"tanh", tanh},
                      {"asinh", asinh},
                      {"acosh", acosh},
                      {"atanh", atanh},
                      {"erf", erf},
                      {"floor", floor},
                      {"ceil", ceil},
                      {"round", round},
                      {"trunc", trunc},
                      {"frac", frac},
                      {"relu", relu},
                      {"sigmoid", sigmoid},
                      {"sum", sum},
                      {"prod", prod},
                      {"max", max},
                      {"min", min},
                      {"squeeze", squeeze},
                      {"nonzero", nonzero},
                      {"count_nonzero", count_nonzero}};
const OneMask kMasks[] = {{"isnan", isnan},       {"isinf", isinf},
                          {"isfinite", isfinite}, {"logical_not", logical_not},
                          {"any", any},           {"all", all}};
const One kOfFloats[] = {{"selu", selu},
                         {"silu", silu},
                         {"mish", mish},
                         {"softplus", softplus},
                         {"softsign", softsign},
                         {"logsigmoid", logsigmoid},
                         {"hardsigmoid", hardsigmoid},
                         {"hardswish", hardswish},
                         {"mean", mean},
                         {"relu6", relu6},
                         {"bernoulli", bernoulli}};
/// Of those, what takes integers as float32.
const std::set<std::string> kTakesIntegers{"softsign", "relu6", "silu"};

template <typename Result>
struct OfTwo {
  const char* name;
  Result (*call)(const Tensor&, const Tensor&);
};
const OfTwo<Tensor> kOfTwo[] = {{"mul", mul},
                                {"div", div},
                                {"floor_divide", floor_divide},
                                {"remainder", remainder},
                                {"fmod", fmod},
                                {"pow", pow},
                                {"atan2", atan2},
                                {"maximum", maximum},
                                {"minimum", minimum},
                                {"bitwise_and", bitwise_and},
                                {"bitwise_or", bitwise_or},
                                {"bitwise_xor", bitwise_xor},
                                {"matmul", matmul},
                                {"mm", mm},
                                {"bmm", bmm},
                                {"mv", mv},
                                {"dot", dot},
                                {"outer", outer}};
const OfTwo<Mask> kComparisons[] = {{"eq", eq},
                                    {"ne", ne},
                                    {"lt", lt},
                                    {"le", le},
                                    {"gt", gt},
                                    {"ge", ge},
                                    {"logical_and", logical_and},
                                    {"logical_or", logical_or},
                                    {"logical_xor", logical_xor}};

template <typename Table>
void add_of_one(Calls& all, const Table& table) {
  for (const auto& row : table) all.push_back({row.name, [f = row.call] { f(none()); }});
}

template <typename Table>
void add_of_two(Calls& all, const Table& table) {
  for (const auto& [name, call] : table) {
    all.push_back({name, [f = call] { f(none(), floats()); }});
    all.push_back({name, [f = call] { f(floats(), none()); }});
    all.push_back({name, [f = call] { f(floats(), others()); }});
  }
}

/// What takes a tensor and a dimension.
using Along = std::function<void(const Tensor&, std::int64_t)>;
const std::pair<const char*, Along> kAlong[] = {
    {"prod", [](const Tensor& x, std::int64_t dim) { prod(x, dim); }},
    {"sum", [](const Tensor& x, std::int64_t dim) { sum(x, {dim}); }},
    {"mean", [](const Tensor& x, std::int64_t dim) { mean(x, {dim}); }},
    {"var", [](const Tensor& x, std::int64_t dim) { var(x, {dim}); }},
    {"std", [](const Tensor& x, std::int64_t dim) { switchyard::std(x, {dim}); }},
    {"logsumexp", [](const Tensor& x, std::int64_t dim) { logsumexp(x, {dim}); }},
    {"norm", [](const Tensor& x, std::int64_t dim) { norm(x, 2, {dim}); }},
    {"amax", [](const Tensor& x, std::int64_t dim) { amax(x, {dim}); }},
    {"amin", [](const Tensor& x, std::int64_t dim) { amin(x, {dim}); }},
    {"max", [](const Tensor& x, std::int64_t dim) { max(x, dim); }},
    {"min", [](const Tensor& x, std::int64_t dim) { min(x, dim); }},
    {"argmax", [](const Tensor& x, std::int64_t dim) { argmax(x, dim); }},
    {"argmin", [](const Tensor& x, std::int64_t dim) { argmin(x, dim); }},
    {"any", [](const Tensor& x, std::int64_t dim) { any(x, dim); }},
    {"all", [](const Tensor& x, std::int64_t dim) { all(x, dim); }},
    {"cumsum", [](const Tensor& x, std::int64_t dim) { cumsum(x, dim); }},
    {"softmax", [](const Tensor& x, std::int64_t dim) { softmax(x, dim); }},
    {"log_softmax", [](const Tensor& x, std::int64_t dim) { log_softmax(x, dim); }},
    {"topk", [](const Tensor& x, std::int64_t dim) { topk(x, 1, dim); }},
    {"sort", [](const Tensor& x, std::int64_t dim) { sort(x, dim); }},
    {"argsort", [](const Tensor& x, std::int64_t dim) { argsort(x, dim); }},
    {"transpose", [](const Tensor& x, std::int64_t dim) { transpose(x, dim, 0); }},
    {"movedim", [](const Tensor& x, std::int64_t dim) { movedim(x, dim, 0); }},
    {"squeeze", [](const Tensor& x, std::int64_t dim) { squeeze(x, dim); }},
    {"select", [](const Tensor& x, std::int64_t dim) { select(x, dim, 0); }},
    {"narrow", [](const Tensor& x, std::int64_t dim) { narrow(x, dim, 0, 1); }},
    {"slice", [](const Tensor& x, std::int64_t dim) { slice(x, dim, 0, 1); }},
    {"split", [](const Tensor& x, std::int64_t dim) { split(x, 1, dim); }},
    {"chunk", [](const Tensor& x, std::int64_t dim) { chunk(x, 2, dim); }},
    {"unbind", [](const Tensor& x, std::int64_t dim) { unbind(x, dim); }},
    {"flatten", [](const Tensor& x, std::int64_t dim) { flatten(x, 0, dim); }},
    {"unflatten", [](const Tensor& x, std::int64_t dim) { unflatten(x, dim, {1, -1}); }},
    {"flip", [](const Tensor& x, std::int64_t dim) { flip(x, {dim}); }},
    {"roll", [](const Tensor& x, std::int64_t dim) { roll(x, 1, dim); }},
    {"diagonal", [](const Tensor& x, std::int64_t dim) { diagonal(x, 0, 0, dim); }},
    {"index_select", [](const Tensor& x, std::int64_t dim) { index_select(x, dim, places()); }},
    {"gather", [](const Tensor& x, std::int64_t dim) { gather(x, dim, places()); }},
    {"scatter", [](const Tensor& x, std::int64_t dim) { scatter(x, dim, places(), 1); }},
    {"scatter_add",
     [](const Tensor& x, std::int64_t dim) { scatter_add(x, dim, places(), floats()); }},
    {"index_add", [](const Tensor& x, std::int64_t dim) { index_add(x, dim, places(), floats()); }},
    {"cat", [](const Tensor& x, std::int64_t dim) { cat({x, x}, dim); }},
    {"stack", [](const Tensor& x, std::int64_t dim) { stack({x, x}, dim + (dim < 0 ? -1 : 1)); }},
    {"normalize", [](const Tensor& x, std::int64_t dim) { normalize(x, 2, dim); }},
    {"cosine_similarity", [](const Tensor& x, std::int64_t dim) { cosine_similarity(x, x, dim); }}};

void add_along(Calls& all) {
  for (const auto& [name, call] : kAlong) {
    all.push_back({name, [f = call] { f(none(), 0); }});
    all.push_back({name, [f = call] { f(floats(), 2); }});
    all.push_back({name, [f = call] { f(floats(), -3); }});
  }
}

void add_creation(Calls& all) {
  const Calls calls = {
      {"zeros", [] { zeros({-1}); }},
      {"ones",
       [] {
         ones({2, -3});
       }},
      {"full", [] { full({2}, none()); }},
      {"full", [] { full({-2}, 1); }},
      {"full", [] { full({2}, floats()); }},
      {"full", [] { full({2}, 300, {.dtype = DType::uint8}); }},
      {"empty", [] { empty({-1}); }},
      {"zeros_like", [] { zeros_like(none()); }},
      {"ones_like", [] { ones_like(none()); }},
      {"full_like", [] { full_like(none(), 1); }},
      {"empty_like", [] { empty_like(none()); }},
      {"arange", [] { arange(0, 5, 0); }},
      {"arange", [] { arange(none()); }},
      {"arange", [] { arange(floats()); }},
      {"linspace", [] { linspace(0, 1, -2); }},
      {"eye", [] { eye(-1); }},
      {"place", [] { place(none()); }},
      {"from_data",
       [] {
         from_data(std::vector<float>{1, 2}, {3});
       }},
      {"rand", [] { rand({-1}); }},
      {"rand", [] { rand({2}, {.dtype = DType::int64}); }},
      {"randn", [] { randn({-1}); }},
      {"rand_like", [] { rand_like(none()); }},
      {"randn_like", [] { randn_like(none()); }},
      {"randn_like", [] { randn_like(integers()); }},
      {"randint", [] { randint(5, 5, {3}); }},
      {"randint", [] { randint(0, 300, {3}, {.dtype = DType::uint8}); }},
      {"randperm", [] { randperm(-1); }},
      {"multinomial", [] { multinomial(none(), 1); }},
      {"multinomial", [] { multinomial(floats(), 9); }},
      {"multinomial", [] { multinomial(integers(), 1); }},
      {"bernoulli", [] { bernoulli(integers()); }},
      {"tensor",
       [] {
         tensor({{1, 2}, {3}});
       }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_shaping(Calls& all) {
  const Calls calls = {
      {"reshape", [] { reshape(floats(), {7}); }},
      {"reshape", [] { reshape(none(), {7}); }},
      {"flatten", [] { flatten(floats(), 1, 0); }},
      {"unflatten",
       [] {
         unflatten(floats(), 1, {2, 2});
       }},
      {"permute",
       [] {
         permute(floats(), {0, 0});
       }},
      {"permute", [] { permute(none(), {0}); }},
      {"unsqueeze", [] { unsqueeze(floats(), 4); }},
      {"unsqueeze", [] { unsqueeze(none(), 0); }},
      {"expand",
       [] {
         expand(floats(), {5, 3});
       }},
      {"expand",
       [] {
         expand(none(), {5, 3});
       }},
      {"broadcast_to", [] { broadcast_to(floats(), {3}); }},
      {"select", [] { select(floats(), 0, 2); }},
      {"narrow", [] { narrow(floats(), 0, 1, 5); }},
      {"slice", [] { slice(floats(), 0, 0, 2, -1); }},
      {"as_strided", [] { as_strided(floats(), {100}, {1}); }},
      {"as_strided", [] { as_strided(none(), {1}, {1}); }},
      {"diagonal", [] { diagonal(ones({3})); }},
      {"split",
       [] {
         split(floats(), Dims{1, 5}, 0);
       }},
      {"chunk", [] { chunk(floats(), 0); }},
      {"cat",
       [] {
         cat({floats(), ones({2, 4, 1})});
       }},
      {"cat",
       [] {
         cat({ones({2, 3}), ones({3, 2})});
       }},
      {"cat", [] { cat(std::span<const Tensor>{}); }},
      {"stack",
       [] {
         stack({floats(), others()});
       }},
      {"repeat", [] { repeat(floats(), {2}); }},
      {"repeat",
       [] {
         repeat(floats(), {2, -1});
       }},
      {"repeat", [] { repeat(none(), {2}); }},
      {"triu", [] { triu(ones({3})); }},
      {"tril", [] { tril(none()); }},
      {"as_strided_scatter_add",
       [] {
         as_strided_scatter_add({2}, floats(), {100, 100}, 0).to_vector<float>();
       }},
      {"sum_to", [] { sum_to(floats(), {5}); }},
      {"sum_to", [] { sum_to(none(), {5}); }},
      {"pad", [] { pad(floats(), {1}); }},
      {"pad",
       [] {
         pad(none(), {1, 1});
       }},
      {"pad",
       [] {
         pad(floats(), {1, 1}, "odd");
       }},
      {"interpolate", [] { interpolate(floats(), {.size = {2}}); }},
      {"interpolate", [] { interpolate(none(), {.size = {2}}); }},
      {"interpolate",
       [] {
         interpolate(image(), {.size = {2, 3, 4}});
       }},
      {"interpolate", [] { interpolate(image(), {.scale_factor = -1.0}); }},
      {"interpolate",
       [] { interpolate(image().to(DType::float64), {.scale_factor = 0.1, .mode = "bilinear"}); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_pointwise(Calls& all) {
  const Calls calls = {
      {"result_type", [] { result_type(none(), floats()); }},
      {"add", [] { add(floats(), others()); }},
      {"add", [] { add(none(), floats()); }},
      {"sub", [] { sub(gt(floats(), 0), gt(floats(), 0)); }},
      {"sub", [] { sub(floats(), none()); }},
      {"add", [] { add(integers(), integers(), 0.5); }},
      {"lerp", [] { lerp(floats(), others(), 0.5); }},
      {"lerp", [] { lerp(floats(), none(), 0.5); }},
      {"addcmul", [] { addcmul(floats(), others(), floats()); }},
      {"addcdiv", [] { addcdiv(none(), floats(), floats()); }},
      {"isclose", [] { isclose(floats(), others()); }},
      {"isclose", [] { isclose(floats(), none()); }},
      {"allclose", [] { allclose(floats(), others()); }},
      {"equal", [] { equal(floats(), none()); }},
      {"bitwise_and", [] { bitwise_and(floats(), floats()); }},
      {"bitwise_not", [] { bitwise_not(floats()); }},
      {"bitwise_not", [] { bitwise_not(none()); }},
      {"where", [] { where(floats(), floats(), others()); }},
      {"where", [] { where(none(), floats(), others()); }},
      {"clamp", [] { clamp(floats(), others()); }},
      {"clamp", [] { clamp(none(), 1); }},
      {"masked_fill", [] { masked_fill(floats(), others(), 1); }},
      {"masked_fill", [] { masked_fill(none(), floats(), 1); }},
      {"nan_to_num", [] { nan_to_num(none()); }},
      {"hardtanh", [] { hardtanh(none()); }},
      {"leaky_relu", [] { leaky_relu(integers()); }},
      {"elu", [] { elu(none()); }},
      {"gelu", [] { gelu(floats(), "odd"); }},
      {"prelu", [] { prelu(floats(), ones({7})); }},
      {"prelu", [] { prelu(floats(), none()); }},
      {"pow", [] { pow(integers(), -1); }},
      {"add", [] { add(ones({2}, {.dtype = DType::uint64}), ones({2}, {.dtype = DType::int32})); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_indices(Calls& all) {
  const Calls calls = {
      {"index_select", [] { index_select(floats(), 0, floats()); }},
      {"index_select", [] { index_select(floats(), 0, none()); }},
      {"index_select", [] { index_select(floats(), 0, tensor({7})).to_vector<float>(); }},
      {"gather",
       [] {
         gather(floats(), 0, tensor({{5, 0}})).to_vector<float>();
       }},
      {"gather", [] { gather(floats(), 0, none()); }},
      {"scatter",
       [] {
         scatter(floats(), 0, tensor({{0, 0, 0}}), none());
       }},
      {"scatter_add", [] { scatter_add(floats(), 0, floats(), floats()); }},
      {"index_add", [] { index_add(floats(), 0, tensor({0}), others()); }},
      {"masked_select", [] { masked_select(floats(), others()); }},
      {"masked_select", [] { masked_select(floats(), none()); }},
      {"embedding", [] { embedding(floats(), floats()); }},
      {"embedding", [] { embedding(places(), none()); }},
      {"embedding", [] { embedding(tensor({9}), floats()).to_vector<float>(); }},
      {"one_hot", [] { one_hot(floats(), 3); }},
      {"one_hot", [] { one_hot(tensor({5}), 3); }},
      {"one_hot", [] { one_hot(none(), 3); }},
      {"topk", [] { topk(floats(), 9); }},
      {"index",
       [] {
         Tensor(floats()[{0, 0, 0}]);
       }},
      {"index", [] { Tensor(floats()[{5}]); }},
      {"index", [] { Tensor(floats()[{ones({2})}]); }},
      {"index_put_", [] { floats().index_put_({0}, others()); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_layers(Calls& all) {
  const Calls calls = {
      {"addmm", [] { addmm(floats(), floats(), floats()); }},
      {"addmm",
       [] {
         addmm(none(), floats(), ones({3, 2}));
       }},
      {"einsum",
       [] {
         einsum("ij,jk->ik", {floats(), others()});
       }},
      {"einsum", [] { einsum("ij->", {none()}); }},
      {"einsum", [] { einsum("i?j", {floats()}); }},
      {"linear",
       [] {
         linear(floats(), ones({5, 4}));
       }},
      {"linear",
       [] {
         linear(none(), ones({5, 4}));
       }},
      {"linear",
       [] {
         linear(floats(), ones({5, 3}), ones({4}));
       }},
      {"conv1d",
       [] {
         conv1d(ones({1, 4, 8}), ones({8, 3, 3}));
       }},
      {"conv1d",
       [] {
         conv1d(none(), ones({8, 3, 3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 3, 3, 3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 7, 7}));
       }},
      {"conv2d", [] { conv2d(image(), none()); }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), ones({3}));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}).to(DType::float64));
       }},
      {"conv2d",
       [] {
         conv2d(image(), ones({8, 4, 3, 3}), {}, {.stride = {0}});
       }},
      {"conv_transpose1d",
       [] {
         conv_transpose1d(ones({1, 4, 8}), ones({3, 8, 3}));
       }},
      {"conv_transpose2d",
       [] {
         conv_transpose2d(image(), ones({3, 8, 3, 3}));
       }},
      {"conv_transpose2d", [] { conv_transpose2d(image(), none()); }},
      {"max_pool1d", [] { max_pool1d(image(), {2}); }},
      {"max_pool2d", [] { max_pool2d(image(), {9}); }},
      {"max_pool2d", [] { max_pool2d(none(), {2}); }},
      {"max_pool2d",
       [] {
         max_pool2d(image(), {2, 2, 2});
       }},
      {"avg_pool1d", [] { avg_pool1d(image(), {2}); }},
      {"avg_pool2d", [] { avg_pool2d(image(), {9}); }},
      {"avg_pool2d", [] { avg_pool2d(image(), {0}); }},
      {"adaptive_avg_pool2d", [] { adaptive_avg_pool2d(floats(), {2}); }},
      {"adaptive_avg_pool2d",
       [] {
         adaptive_avg_pool2d(ones({1, 1, 0, 2}), {2, 3});
       }},
      {"batch_norm", [] { batch_norm(floats(), {}, {}); }},
      {"batch_norm", [] { batch_norm(none(), {}, {}, {}, {}, true); }},
      {"batch_norm", [] { batch_norm(floats(), ones({5}), ones({5})); }},
      {"batch_norm",
       [] {
         batch_norm(ones({1, 3}), {}, {}, {}, {}, true);
       }},
      {"layer_norm", [] { layer_norm(floats(), {4}); }},
      {"layer_norm", [] { layer_norm(none(), {4}); }},
      {"layer_norm", [] { layer_norm(floats(), {3}, ones({4})); }},
      {"group_norm", [] { group_norm(image(), 3); }},
      {"group_norm", [] { group_norm(none(), 3); }},
      {"rms_norm", [] { rms_norm(floats(), {4}); }},
      {"scaled_dot_product_attention",
       [] {
         scaled_dot_product_attention(floats(), ones({2, 4}), ones({2, 4}));
       }},
      {"scaled_dot_product_attention",
       [] { scaled_dot_product_attention(none(), floats(), floats()); }},
      {"dropout", [] { dropout(floats(), 1.5); }},
      {"dropout", [] { dropout(none()); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_losses(Calls& all) {
  const Tensor classes = tensor({0, 1, 2, 0});
  const Calls calls = {
      {"cross_entropy", [=] { cross_entropy(floats(), classes); }},
      {"cross_entropy", [=] { cross_entropy(none(), classes); }},
      {"cross_entropy", [=] { cross_entropy(others(), full({4}, 7)).item(); }},
      {"cross_entropy", [=] { cross_entropy(others(), classes, {.weight = ones({7})}); }},
      {"nll_loss", [=] { nll_loss(floats(), classes); }},
      {"nll_loss", [=] { nll_loss(floats(), none()); }},
      {"binary_cross_entropy_with_logits",
       [] { binary_cross_entropy_with_logits(floats(), others()); }},
      {"binary_cross_entropy", [] { binary_cross_entropy(floats(), none()); }},
      {"mse_loss", [] { mse_loss(floats(), others()); }},
      {"mse_loss", [] { mse_loss(integers(), integers()); }},
      {"l1_loss", [] { l1_loss(none(), floats()); }},
      {"huber_loss", [] { huber_loss(floats(), others()); }},
      {"smooth_l1_loss", [] { smooth_l1_loss(floats(), floats(), -1); }},
      {"kl_div", [] { kl_div(floats(), others()); }},
      {"margin_ranking_loss", [] { margin_ranking_loss(floats(), others(), floats()); }},
      {"cosine_embedding_loss", [] { cosine_embedding_loss(floats(), others(), ones({2})); }},
      {"triplet_margin_loss", [] { triplet_margin_loss(floats(), others(), floats()); }},
      {"pairwise_distance", [] { pairwise_distance(floats(), others()); }},
      {"pairwise_distance", [] { pairwise_distance(floats(), none()); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

void add_members(Calls& all) {
  const Tensor target = floats();
  const Calls calls = {
      {"Tensor::add_", [=] { target.add_(others()); }},
      {"Tensor::sub_", [=] { target.sub_(none()); }},
      {"Tensor::mul_", [=] { target.mul_(others()); }},
      {"Tensor::div_", [] { integers().div_(2); }},
      {"Tensor::pow_", [=] { target.pow_(none()); }},
      {"Tensor::addcmul_", [=] { target.addcmul_(others(), floats()); }},
      {"Tensor::addcdiv_", [=] { target.addcdiv_(floats(), others()); }},
      {"Tensor::lerp_", [=] { target.lerp_(others(), 0.5); }},
      {"Tensor::clamp_", [=] { target.clamp_(others(), {}); }},
      {"Tensor::exp_", [] { integers().exp_(); }},
      {"Tensor::abs_", [] { none().abs_(); }},
      {"Tensor::copy_", [=] { target.copy_(others()); }},
      {"Tensor::copy_", [=] { target.copy_(none()); }},
      {"Tensor::fill_", [=] { target.fill_(others()); }},
      {"Tensor::fill_", [=] { target.fill_(none()); }},
      {"Tensor::zero_", [] { none().zero_(); }},
      {"Tensor::masked_fill_", [=] { target.masked_fill_(others(), 1); }},
      {"Tensor::uniform_", [=] { target.uniform_(1, 0); }},
      {"Tensor::normal_", [=] { target.normal_(0, -1); }},
      {"Tensor::view", [=] { target.t().view({6}); }},
      {"Tensor::item", [=] { target.item(); }},
      {"Tensor::item", [=] { ones({}).item<double>(); }},
      {"Tensor::to_vector", [=] { target.to_vector<double>(); }},
      {"Tensor::shape", [] { none().shape(); }},
      {"Tensor::to", [] { none().to(DType::int64); }},
      {"Tensor::to", [] { floats().to(DType::string); }},
      {"Tensor::to", [] { floats().to(DType::undefined); }},
      {"Tensor::backward", [=] { target.backward(); }},
      {"Tensor::requires_grad_", [] { integers().requires_grad_(); }},
      {"Tensor::set_grad", [=] { target.set_grad(others()); }},
      {"Tensor::copy_of", [] { Tensor::copy_of(DType::float32, {3}, nullptr, 4); }},
      {"grad", [=] { grad(target.sum(), ones({2}).requires_grad_()); }},
  };
  all.insert(all.end(), calls.begin(), calls.end());
}

Calls wrong_calls() {
  Calls all;
  add_of_one(all, kOfAny);
  add_of_one(all, kMasks);
  add_of_one(all, kOfFloats);
  for (const One& row : kOfFloats) {
    if (kTakesIntegers.count(row.name)) continue;
    all.push_back({row.name, [f = row.call] { f(integers()); }});
  }
  add_of_two(all, kOfTwo);
  add_of_two(all, kComparisons);
  for (const auto& add : {add_along, add_creation, add_shaping, add_pointwise, add_indices,
                          add_layers, add_losses, add_members}) {
    add(all);
  }
  return all;
}

const char* word_of(ErrorKind kind) {
  constexpr const char* words[] = {"usage",         "config",      "model",  "plugin",
                                   "out_of_memory", "unsupported", "device", "internal"};
  return words[static_cast<std::size_t>(kind)];
}

TEST(ErrorKind, OfAFunctionIsUsage) {
  const Calls calls = wrong_calls();
  EXPECT_GE(calls.size(), 400u);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    SCOPED_TRACE(calls[i].function + ", wrong call " + std::to_string(i));
    try {
      calls[i].call();
      ADD_FAILURE() << "throws nothing";
    } catch (const Error& error) {
      EXPECT_STREQ(word_of(error.kind()), "usage") << error.what();
    } catch (const std::exception& error) {
      ADD_FAILURE() << "throws another exception: " << error.what();
    }
  }
}

/// These take whatever C++ lets one pass.
const std::set<std::string> kTakeAnything{"manual_seed", "random_state", "set_random_state"};

TEST(ErrorKind, IsTriedForEveryFunction) {
  std::set<std::string> tried = kTakeAnything;
  for (const Wrong& wrong : wrong_calls()) tried.insert(wrong.function);
  const std::filesystem::path folder = SWITCHYARD_SOURCE_DIR "/host/include/switchyard/functions";
  const std::regex declared("\nSWITCHYARD_API [A-Za-z:<>0-9]+ ([a-z_0-9]+)\\(");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string text = trace::content_of(entry.path());
    for (std::sregex_iterator it(text.begin(), text.end(), declared), end; it != end; ++it) {
      EXPECT_TRUE(tried.count((*it)[1])) << (*it)[1] << " has no wrong call above";
    }
  }
}

/// A file that cannot be read is at fault itself; where one cannot be written, the caller is.
TEST(ErrorKind, OfFilesIsAsTheirHeadersSay) {
  const auto expect_kind = [](const char* kind, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << "throws nothing";
    } catch (const Error& error) {
      EXPECT_STREQ(word_of(error.kind()), kind) << error.what();
    }
  };
  const std::filesystem::path nowhere = "/nowhere/at.all";
  expect_kind("model", [&] { load_safetensors(nowhere); });
  expect_kind("model", [&] { load_npy(nowhere); });
  expect_kind("model", [&] { load_npy(SWITCHYARD_SOURCE_DIR "/README.md"); });
  expect_kind("model", [&] { load_safetensors(SWITCHYARD_SOURCE_DIR); });
  expect_kind("model", [&] { Model::load(current_runtime(), nowhere); });
  expect_kind("model", [&] { Model::load(current_runtime(), SWITCHYARD_SOURCE_DIR "/README.md"); });
  expect_kind("usage", [&] { save_safetensors(nowhere, {{"a", ones({1})}}); });
  expect_kind("usage", [&] { save_safetensors("a.safetensors", {{"a", none()}}); });
  expect_kind("usage", [&] { save_npy(nowhere, ones({1})); });
  expect_kind("usage", [&] { save_npy("a.npy", none()); });
}

/// An op that is called by itself gets its inputs from the caller, too.
TEST(ErrorKind, OfAnOperationIsUsage) {
  const Runtime runtime = current_runtime();
  const auto kind_of = [](const std::function<void()>& call) {
    try {
      call();
    } catch (const Error& error) {
      return std::string(word_of(error.kind()));
    }
    return std::string("nothing");
  };
  EXPECT_EQ(kind_of([&] { runtime.operation("NoSuchOp"); }), "usage");
  EXPECT_EQ(kind_of([&] { runtime.operation("Softmax", {{"sixes", std::int64_t{1}}}); }), "usage");
  EXPECT_EQ(kind_of([&] { runtime.operation("Softmax", {{"axis", 0.5F}}); }), "usage");
  EXPECT_EQ(kind_of([&] { runtime.operation("Loop"); }), "usage");
  const Operation add = runtime.operation("Add"), softmax = runtime.operation("Softmax");
  EXPECT_EQ(kind_of([&] { add(floats(), others()); }), "usage");
  EXPECT_EQ(kind_of([&] { add(floats(), integers()); }), "usage");
  EXPECT_EQ(kind_of([&] { add(floats()); }), "usage");
  EXPECT_EQ(kind_of([&] { add(none(), floats()); }), "usage");
  EXPECT_EQ(kind_of([&] { softmax(integers()); }), "usage");
  EXPECT_EQ(kind_of([&] { softmax(floats(), floats()); }), "usage");
  EXPECT_EQ(kind_of([&] { softmax(std::vector<Tensor>{}); }), "usage");
}

}  // namespace
}  // namespace switchyard
