// Integers from end to end of their type, wherever a function takes one: it gives a result or
// throws an error of its own. The sanitizers see the sums and products that overflow on the way.
#include <gtest/gtest.h>

#include <functional>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

#include "functions/indexing/indexed_elements.hpp"
#include "functions/reductions/sum_to.hpp"

namespace switchyard::extreme_numbers {
namespace {

constexpr std::int64_t kLeast = INT64_MIN, kMost = INT64_MAX;
/// None is a length that memory would hold and that takes long to fill.
constexpr std::int64_t kNumbers[] = {kLeast,
                                     kLeast + 1,
                                     kLeast / 2,
                                     -(std::int64_t{1} << 40),
                                     INT32_MIN - std::int64_t{1},
                                     -3,
                                     -2,
                                     -1,
                                     0,
                                     1,
                                     2,
                                     3,
                                     std::int64_t{1} << 40,
                                     std::int64_t{1} << 62,
                                     kMost / 2 + 1,
                                     kMost - 1,
                                     kMost};

struct Call {
  const char* name;
  std::function<void(std::int64_t n)> call;
};

Tensor x() { return ones({2, 3}); }
Tensor image() { return ones({1, 2, 5, 5}); }
Tensor line() { return ones({1, 2, 5}); }
Tensor positions() { return tensor({0, 1}); }
Tensor filter() { return ones({2, 2, 3, 3}); }

const Call kShaping[] = {
    {"zeros", [](auto n) { zeros({n}); }},
    {"ones of two",
     [](auto n) {
       ones({n, n});
     }},
    {"full",
     [](auto n) {
       full({2, n}, 1);
     }},
    {"full of a number", [](auto n) { full({2}, n, {.dtype = DType::int8}); }},
    {"empty of nothing",
     [](auto n) {
       empty({0, n});
     }},
    {"arange",
     [](auto n) {
       if (n <= 3 || n > 1 << 30) arange(n);
     }},
    {"arange from",
     [](auto n) {
       if (n >= 0) arange(n, 5);
     }},
    {"arange by", [](auto n) { arange(0, 5, n); }},
    {"arange from end to end", [](auto n) { arange(kLeast, kMost, n); }},
    {"linspace", [](auto n) { linspace(0, 1, n); }},
    {"eye", [](auto n) { eye(n); }},
    {"eye of columns", [](auto n) { eye(2, n); }},
    {"rand", [](auto n) { rand({n}); }},
    {"randint from", [](auto n) { randint(n, kMost, {2}); }},
    {"randint to", [](auto n) { randint(kLeast, n, {2}); }},
    {"randperm", [](auto n) { randperm(n); }},
    {"multinomial", [](auto n) { multinomial(ones({3}), n, true); }},
    {"reshape",
     [](auto n) {
       reshape(x(), {n, -1});
     }},
    {"reshape of nothing",
     [](auto n) {
       reshape(ones({0}), {n, 0, n});
     }},
    {"flatten", [](auto n) { flatten(x(), n, 1); }},
    {"flatten to", [](auto n) { flatten(x(), 0, n); }},
    {"unflatten",
     [](auto n) {
       unflatten(x(), n, {2, 1});
     }},
    {"unflatten to",
     [](auto n) {
       unflatten(x(), 1, {n, -1});
     }},
    {"transpose", [](auto n) { transpose(x(), 0, n); }},
    {"permute",
     [](auto n) {
       permute(x(), {n, 1});
     }},
    {"movedim", [](auto n) { movedim(x(), n, 0); }},
    {"movedim to", [](auto n) { movedim(x(), 0, n); }},
    {"squeeze", [](auto n) { squeeze(x(), n); }},
    {"unsqueeze", [](auto n) { unsqueeze(x(), n); }},
    {"expand", [](auto n) { expand(ones({1}), {n}); }},
    {"expand of two",
     [](auto n) {
       expand(ones({1}), {n, n});
     }},
    {"select", [](auto n) { select(x(), 0, n); }},
    {"select along", [](auto n) { select(x(), n, 0); }},
    {"narrow", [](auto n) { narrow(x(), 1, n, 1); }},
    {"narrow to", [](auto n) { narrow(x(), 1, 1, n); }},
    {"slice", [](auto n) { slice(x(), 1, n, 2); }},
    {"slice to", [](auto n) { slice(x(), 1, 1, n); }},
    {"slice by", [](auto n) { slice(x(), 1, 0, 3, n); }},
    {"slice back by", [](auto n) { slice(x(), 1, kMost, kLeast, n); }},
    {"index", [](auto n) { static_cast<void>(x()[{n}]); }},
    {"index of a slice", [](auto n) { static_cast<void>(x()[{Slice(n, kMost, 2)}]); }},
    {"index of a step", [](auto n) { static_cast<void>(x()[{Slice({}, {}, n)}]); }},
    {"index of a tensor", [](auto n) { static_cast<void>(x()[{tensor({n})}]); }},
    {"as_strided", [](auto n) { as_strided(x(), {n}, {1}); }},
    {"as_strided by", [](auto n) { as_strided(x(), {2}, {n}); }},
    {"as_strided from", [](auto n) { as_strided(x(), {2}, {1}, n); }},
    {"as_strided of two",
     [](auto n) {
       as_strided(x(), {n, 2}, {n, n}, n);
     }},
    {"diagonal", [](auto n) { diagonal(x(), n); }},
    {"diagonal along", [](auto n) { diagonal(x(), 0, n, 1); }},
    {"split", [](auto n) { split(x(), n); }},
    {"split along", [](auto n) { split(x(), 1, n); }},
    {"split to sizes",
     [](auto n) {
       split(x(), {n, 1, n}, 1);
     }},
    {"chunk", [](auto n) { chunk(x(), n); }},
    {"unbind", [](auto n) { unbind(x(), n); }},
    {"cat",
     [](auto n) {
       cat({x(), x()}, n);
     }},
    {"cat of long ones",
     [](auto n) {
       const Tensor longest = ones({1}).expand({n});
       cat({longest, longest}, 0);
     }},
    {"stack",
     [](auto n) {
       stack({x(), x()}, n);
     }},
    {"repeat",
     [](auto n) {
       repeat(x(), {n, 1});
     }},
    {"repeat of three",
     [](auto n) {
       repeat(x(), {n, n, n});
     }},
    {"flip", [](auto n) { flip(x(), {n}); }},
    {"roll", [](auto n) { roll(x(), n, 1); }},
    {"roll along", [](auto n) { roll(x(), 1, n); }},
    {"triu", [](auto n) { triu(x(), n); }},
    {"tril", [](auto n) { tril(x(), n); }},
    {"sum_to", [](auto n) { sum_to(x(), {n}); }},
    {"as_strided_scatter_add", [](auto n) { as_strided_scatter_add({4}, ones({2}), {n}, n); }},
    {"pad",
     [](auto n) {
       pad(x(), {n, 1});
     }},
    {"pad of both ends",
     [](auto n) {
       pad(x(), {n, n});
     }},
    {"pad by reflection",
     [](auto n) {
       pad(line(), {n, n}, PaddingMode::reflect);
     }},
    {"pad by circling",
     [](auto n) {
       pad(line(), {n, 1}, PaddingMode::circular);
     }},
    {"interpolate",
     [](auto n) {
       interpolate(image(), {.size = {n, 2}});
     }},
};

const Call kElements[] = {
    {"sum", [](auto n) { sum(x(), {n}); }},
    {"sum of two",
     [](auto n) {
       sum(x(), {0, n});
     }},
    {"prod", [](auto n) { prod(x(), n); }},
    {"amax", [](auto n) { amax(x(), {n}); }},
    {"max", [](auto n) { max(x(), n); }},
    {"argmax", [](auto n) { argmax(x(), n); }},
    {"cumsum", [](auto n) { cumsum(x(), n); }},
    {"var", [](auto n) { var(x(), {0}, static_cast<double>(n)); }},
    {"topk", [](auto n) { topk(x(), n); }},
    {"topk along", [](auto n) { topk(x(), 1, n); }},
    {"sort", [](auto n) { sort(x(), n); }},
    {"softmax", [](auto n) { softmax(x(), n); }},
    {"normalize", [](auto n) { normalize(x(), 2, n); }},
    {"index_select", [](auto n) { index_select(x(), n, positions()); }},
    {"index_select of", [](auto n) { index_select(x(), 0, tensor({n})); }},
    {"gather",
     [](auto n) {
       gather(x(), 0, tensor({{n, n, n}}));
     }},
    {"gather along",
     [](auto n) {
       gather(x(), n, tensor({{0, 0, 0}}));
     }},
    {"scatter",
     [](auto n) {
       scatter(x(), 0, tensor({{n, n, n}}), ones({1, 3}));
     }},
    {"index_add",
     [](auto n) {
       index_add(x(), 0, tensor({n, n}), x());
     }},
    {"embedding", [](auto n) { embedding(tensor({n}), x()); }},
    {"embedding with padding", [](auto n) { embedding(positions(), x(), n); }},
    {"one_hot", [](auto n) { one_hot(positions(), n); }},
    {"one_hot of", [](auto n) { one_hot(tensor({n}), 3); }},
    {"cross_entropy",
     [](auto n) {
       cross_entropy(x(), tensor({n, n}));
     }},
    {"add", [](auto n) { static_cast<void>(tensor({n}) + n); }},
    {"multiply", [](auto n) { static_cast<void>(tensor({n}) * n); }},
    {"divide",
     [](auto n) {
       floor_divide(tensor({kLeast, kMost}), n);
     }},
    {"remainder",
     [](auto n) {
       remainder(tensor({kLeast, kMost}), n);
     }},
    {"pow",
     [](auto n) {
       pow(tensor({-2, 0, 2}), n);
     }},
    {"negative", [](auto n) { neg(tensor({n})); }},
    {"abs", [](auto n) { abs(tensor({n})); }},
    {"to int8", [](auto n) { tensor({n}).to(DType::int8); }},
    {"to float16", [](auto n) { tensor({n}).to(DType::float16); }},
};

const Call kLayers[] = {
    {"conv2d by", [](auto n) { conv2d(image(), filter(), {}, {.stride = {n}}); }},
    {"conv2d with padding", [](auto n) { conv2d(image(), filter(), {}, {.padding = {n}}); }},
    {"conv2d dilated", [](auto n) { conv2d(image(), filter(), {}, {.dilation = {n}}); }},
    {"conv2d in groups", [](auto n) { conv2d(image(), filter(), {}, {.groups = n}); }},
    {"conv_transpose2d by",
     [](auto n) { conv_transpose2d(image(), filter(), {}, {.stride = {n}}); }},
    {"conv_transpose2d with padding",
     [](auto n) { conv_transpose2d(image(), filter(), {}, {.padding = {n}}); }},
    {"conv_transpose2d with more",
     [](auto n) {
       conv_transpose2d(image(), filter(), {}, {.output_padding = {n}, .stride = {kMost}});
     }},
    {"conv_transpose2d dilated",
     [](auto n) { conv_transpose2d(image(), filter(), {}, {.dilation = {n}}); }},
    {"max_pool2d", [](auto n) { max_pool2d(image(), {n}); }},
    {"max_pool2d by", [](auto n) { max_pool2d(image(), {2}, {.stride = {n}}); }},
    {"max_pool2d with padding", [](auto n) { max_pool2d(image(), {2}, {.padding = {n}}); }},
    {"max_pool2d with room for its padding",
     [](auto n) { max_pool2d(image(), {kMost}, {.padding = {n}}); }},
    {"max_pool2d dilated", [](auto n) { max_pool2d(image(), {2}, {.dilation = {n}}); }},
    {"max_pool2d by and to the end",
     [](auto n) { max_pool2d(image(), {2}, {.ceil_mode = true, .stride = {n}}); }},
    {"avg_pool1d", [](auto n) { avg_pool1d(line(), {n}); }},
    {"adaptive_avg_pool2d",
     [](auto n) {
       adaptive_avg_pool2d(image(), {n, 2});
     }},
    {"layer_norm", [](auto n) { layer_norm(x(), {n}); }},
    {"group_norm", [](auto n) { group_norm(image(), n); }},
    {"nn::Linear", [](auto n) { nn::Linear(n, 1); }},
    {"nn::Linear of two", [](auto n) { nn::Linear(n, n); }},
    {"nn::Conv2d", [](auto n) { nn::Conv2d(n, n, {3}); }},
    {"nn::Conv2d with a kernel", [](auto n) { nn::Conv2d(2, 2, {n}); }},
    {"nn::Embedding", [](auto n) { nn::Embedding(n, 2); }},
};

bool is_expected(const Error& error) {
  return error.kind() == ErrorKind::invalid_argument || error.kind() == ErrorKind::out_of_memory ||
         error.kind() == ErrorKind::unsupported || error.kind() == ErrorKind::shape_mismatch;
}

void try_each(std::span<const Call> calls) {
  for (const Call& tried : calls) {
    for (const std::int64_t number : kNumbers) {
      SCOPED_TRACE(std::string(tried.name) + " with " + std::to_string(number));
      try {
        tried.call(number);
      } catch (const Error& error) {
        EXPECT_TRUE(is_expected(error)) << name_of(error.kind()) << ": " << error.what();
      } catch (const std::exception& error) {
        ADD_FAILURE() << "throws another exception: " << error.what();
      }
    }
  }
}

TEST(ExtremeNumbers, OfShapesAreTakenOrRefused) { try_each(kShaping); }
TEST(ExtremeNumbers, AmongElementsAreTakenOrRefused) { try_each(kElements); }
TEST(ExtremeNumbers, OfLayersAreTakenOrRefused) { try_each(kLayers); }

}  // namespace
}  // namespace switchyard::extreme_numbers
