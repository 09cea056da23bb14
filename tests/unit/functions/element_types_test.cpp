// Reductions, indices, order and moves give the same for small integers of every type.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <switchyard/functions.hpp>

#include "functions/index_tensors.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using Function = std::function<Tensor(const Tensor&)>;

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all_of_them{
      {"amax", [](const Tensor& t) { return amax(t, {1}); }},
      {"min", [](const Tensor& t) { return min(t, 0).values; }},
      {"argmax", [](const Tensor& t) { return argmax(t, 1); }},
      {"prod", [](const Tensor& t) { return prod(t, 1); }},
      {"cumsum", [](const Tensor& t) { return cumsum(t, 1); }},
      {"any", [](const Tensor& t) { return any(t, 0); }},
      {"count_nonzero", [](const Tensor& t) { return count_nonzero(t); }},
      {"view",
       [](const Tensor& t) -> Tensor {
         return t[{1, Slice(1)}];
       }},
      {"index",
       [](const Tensor& t) -> Tensor {
         return t[longs({1, 0, 1})];
       }},
      {"indices",
       [](const Tensor& t) -> Tensor {
         return t[{longs({1, 0}), longs({2, 2})}];
       }},
      {"mask", [](const Tensor& t) -> Tensor { return t[gt(t, 1)]; }},
      {"gather",
       [](const Tensor& t) {
         return gather(t, 1, longs({1, 0}).reshape({2, 1}));
       }},
      {"scatter_add",
       [](const Tensor& t) {
         return scatter_add(t, 1, longs({1, 0}).reshape({2, 1}), t);
       }},
      {"index_add",
       [](const Tensor& t) {
         return index_add(t, 0, longs({1, 1}), t);
       }},
      {"nonzero", [](const Tensor& t) { return nonzero(t); }},
      {"sort", [](const Tensor& t) { return sort(t, 1, true).values; }},
      {"argsort", [](const Tensor& t) { return argsort(t, 0); }},
      {"flip", [](const Tensor& t) { return flip(t, {1}); }},
      {"roll", [](const Tensor& t) { return roll(t, 1, 1); }},
      {"tril", [](const Tensor& t) { return tril(t); }},
      {"repeat",
       [](const Tensor& t) {
         return repeat(t, {2, 1});
       }},
      {"put",
       [](const Tensor& t) {
         const Tensor copy = t.clone();
         copy[{0, longs({2, 0})}] = 3;
         return copy;
       }},
  };
  return all_of_them;
}

class ElementTypes : public testing::TestWithParam<DType> {};

INSTANTIATE_TEST_SUITE_P(All, ElementTypes,
                         testing::Values(DType::float16, DType::bfloat16, DType::float64,
                                         DType::int8, DType::uint8, DType::int16, DType::int32,
                                         DType::int64),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST_P(ElementTypes, GiveTheSameNumbers) {
  const Tensor whole = tensor({{0., 3., 1.}, {2., 0., 1.}});
  for (const auto& [name, function] : functions()) {
    SCOPED_TRACE(name);
    const Tensor expected = function(whole), result = function(whole.to(GetParam()));
    EXPECT_EQ(result.shape(), expected.shape());
    EXPECT_EQ(values(result), values(expected));
  }
}

// Their squares are beyond what float16 has, and the norms are not.
TEST(ElementTypes, NormsOfLargeNumbers) {
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32}) {
    SCOPED_TRACE(name_of(dtype));
    const Tensor x = tensor({{-512., 512., 512., -512.}}).to(dtype);
    for (const Tensor& y : {rms_norm(x, {4}), layer_norm(x, {4}), group_norm(x, 1)}) {
      EXPECT_EQ(y.dtype(), dtype);
      EXPECT_EQ(values(y), (std::vector<double>{-1, 1, 1, -1}));
    }
  }
}

}  // namespace
}  // namespace switchyard
