// Indices as views and as positions to write to, and what they refuse.
#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <string>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>
#include <type_traits>

#include "functions/index_tensors.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "functions/thrown.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using Floats = std::vector<float>;

Tensor matrix() { return arange(6.0).reshape({2, 3}); }
Tensor bools(const std::vector<bool>& values) {
  return tensor(values, {static_cast<std::int64_t>(values.size())});
}

TEST(Indexing, ShowsTheElementsThemselvesWithoutTensors) {
  const Tensor t = matrix();
  const Tensor row = t[{1, Slice(0, {}, 2)}];
  row.fill_(9);
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 9, 4, 9}));
  const Tensor copy = t[longs({1})];
  copy.zero_();
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 9, 4, 9}));
}

TEST(Indexing, WritesWhatIsAssigned) {
  const Tensor t = matrix();
  t[0] = 7;
  t[{1, Slice(1)}] = tensor({1., 2.});
  t[t == 3.0] = -1;
  EXPECT_EQ(t.to_vector<float>(), (Floats{7, 7, 7, -1, 1, 2}));
  t[1] = t[0];
  EXPECT_EQ(t.to_vector<float>(), (Floats{7, 7, 7, 7, 7, 7}));
}

TEST(Indexing, ChangesWhatItShows) {
  const Tensor t = matrix();
  t[t > 3.0] += 10;
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 3, 14, 15}));
  t[{longs({1, 0}), longs({0, 1})}] *= tensor({2., 3.});
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 3, 2, 6, 14, 15}));
  t[{0, Slice(1)}] -= 1;
  t[{1, longs({2})}] /= 3;
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 2, 1, 6, 14, 5}));
  t[longs({0, 0})] += 1;
  EXPECT_EQ(t[0].to_vector<float>(), (Floats{1, 3, 2})) << "once, as in Python";
  EXPECT_THAT(thrown([&] { arange(3)[longs({0})] += 0.5; }), HasSubstr("float32"));
}

TEST(Indexing, RefusesToWriteToAValueOfTheHost) {
  const Tensor host = host_tensor<float>({3}, std::vector<float>{1, 2, 3});
  const auto refused = testing::AllOf(HasSubstr("[index_put_]"), HasSubstr("value of the host"));
  EXPECT_THAT(thrown([&] { host[0] = 5; }), refused);
  EXPECT_THAT(thrown([&] { host[longs({1})] = 5; }), refused);
  EXPECT_THAT(thrown([&] { host[Slice(1)] += 5; }), refused);
  EXPECT_THAT(thrown([&] { host[host > 1] *= 5; }), refused);
  EXPECT_EQ(host.to_vector<float>(), (Floats{1, 2, 3}));
}

TEST(Indexing, UnderANameIsTheCopyOrTheView) {
  const Tensor t = matrix();
  auto copy = t[longs({0})];
  copy += 1;
  EXPECT_EQ(copy.to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 3, 4, 5}));
  auto row = t[1];
  row += 1;
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 4, 5, 6}));
  static_assert(!std::is_assignable_v<Indexed&, Tensor>, "would write, not name another tensor");
  static_assert(!std::is_assignable_v<Indexed&, Indexed>);
  static_assert(std::is_assignable_v<Indexed, Tensor> && std::is_assignable_v<Indexed, Indexed>);
}

TEST(Indexing, WhatIsChangedHasItsGradient) {
  const Tensor leaf = ones({3}).requires_grad_(), y = leaf * 2;
  y[longs({0, 2})] *= 5;
  y.sum().backward();
  EXPECT_EQ(leaf.grad().to_vector<float>(), (Floats{10, 2, 10}));
}

TEST(Indexing, WritesThroughViewsOfViews) {
  const Tensor t = matrix();
  const Tensor turned = t.t();
  turned[{longs({2, 0}), 1}] = tensor({-1., -2.});
  turned[bools({false, true, false})] = tensor({-3., -4.});
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, -3, 2, -2, -4, -1}));
}

TEST(Indexing, WritesElementsOfItsOwn) {
  const Tensor t = arange(4.0);
  t[longs({0, 1, 2})] = t[Slice(1)];
  EXPECT_EQ(t.to_vector<float>(), (Floats{1, 2, 3, 3}));
}

TEST(Indexing, WritesOneOfTwoValuesToOnePosition) {
  const Tensor t = zeros({2});
  t[longs({1, 1})] = tensor({5., 6.});
  const Floats values = t.to_vector<float>();
  EXPECT_EQ(values[0], 0);
  EXPECT_TRUE(values[1] == 5 || values[1] == 6);
}

/// What is said of an index of dimension 1; by a device that computes later, when its work is over.
testing::Matcher<std::string> says_outside(const std::string& function, const std::string& index) {
  const std::string dimension = function == "embedding" ? "0" : "1";
  return testing::AnyOf(HasSubstr("[" + function + "] index " + index + " lies outside dimension " +
                                  dimension + ", whose extent is 3"),
                        HasSubstr("an index is " + index + ", but its axis has 3 elements"));
}

/// What a call, and waiting for its result, throws.
template <typename Call>
std::string thrown_in_the_end(const Call& call) {
  return thrown([&] { call().to(DType::float32).template to_vector<float>(); });
}

TEST(Indexing, NamesTheIndexThatLiesOutside) {
  const Tensor t = zeros({2, 3, 4});
  EXPECT_THAT(thrown([&] {
                t[{0, 3}];
              }),
              HasSubstr("[index] index 3 lies outside dimension 1, whose extent is 3"));
  EXPECT_THAT(thrown([&] { t[-3]; }), HasSubstr("index -3 lies outside dimension 0"));
  EXPECT_THAT(thrown([&] {
                one_hot(longs({0, 3}), 3);
              }),
              HasSubstr("[one_hot] index 3 lies outside the 3 classes"));
  EXPECT_THAT(thrown([&] { one_hot(longs({-1}), 3); }), HasSubstr("index -1"));
}

/// Calls with one index of an extent of 3.
std::vector<std::pair<std::string, std::function<Tensor()>>> calls_with(std::int64_t index,
                                                                        DType dtype) {
  const Tensor t = zeros({2, 3, 4}), one = longs({index}).to(dtype);
  const Tensor filled = full({2, 1, 4}, index, {.dtype = dtype});
  return {
      {"index_select", [=] { return index_select(t, 1, one); }},
      {"index_add",
       [=] {
         return index_add(t, 1, one, zeros({2, 1, 4}));
       }},
      {"gather", [=] { return gather(t, 1, filled); }},
      {"scatter", [=] { return scatter(t, 1, filled, 1); }},
      {"scatter_add",
       [=] {
         return scatter_add(t, 1, filled, zeros({2, 1, 4}));
       }},
      {"embedding",
       [=] {
         return embedding(one, zeros({3, 2}));
       }},
  };
}

TEST(Indexing, NamesTheIndexInATensorThatLiesOutside) {
  const Tensor t = zeros({2, 3, 4});
  auto calls = calls_with(3, DType::int64);
  calls.emplace_back("index", [=] { return Tensor(t[{0, longs({0, 3})}]); });
  calls.emplace_back("index", [=] { return Tensor(t[{0, longs({0, 3}), longs({0, 1})}]); });
  calls.emplace_back("index", [=] { return t.index_put_({0, longs({0, 3})}, 1); });
  for (const auto& [function, call] : calls) {
    EXPECT_THAT(thrown_in_the_end(call), says_outside(function, "3")) << function;
  }
}

/// Only x[...] counts from the end, as in PyTorch: -1 in the labels of a data set is not a row.
TEST(Indexing, RefusesNegativeIndicesInFunctions) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t index : {std::int64_t{-1}, kLeast, kLeast + 1}) {
    for (const auto& [function, call] : calls_with(index, DType::int64)) {
      EXPECT_THAT(thrown_in_the_end(call),
                  testing::AnyOf(says_outside(function, std::to_string(index)),
                                 HasSubstr("but its axis has 3")))
          << function;
    }
  }
  constexpr std::int64_t kLeastOfHalf = std::numeric_limits<std::int32_t>::min();
  for (const std::int64_t index : {std::int64_t{-2}, kLeastOfHalf, kLeastOfHalf + 1}) {
    for (const auto& [function, call] : calls_with(index, DType::int32)) {
      EXPECT_THAT(thrown_in_the_end(call),
                  testing::AnyOf(says_outside(function, std::to_string(index)),
                                 HasSubstr("but its axis has 3")))
          << function;
    }
  }
  const Tensor t = matrix();
  EXPECT_EQ(Tensor(t[{0, longs({-1})}]).to_vector<float>(), Floats{2});
  t.index_put_({longs({-1}), longs({-3})}, 9);
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2, 9, 4, 5}));
}

TEST(Indexing, CountsFromTheEndInGradientsOfOps) {
  const Tensor leaf = ones({3}).requires_grad_();
  Tensor(leaf[longs({-1, -1})]).sum().backward();
  EXPECT_EQ(leaf.grad().to_vector<float>(), (Floats{0, 0, 2}));
}

TEST(Indexing, RefusesWhatDoesNotFit) {
  const Tensor t = matrix();
  EXPECT_THAT(thrown([&] { t[{0, 0, 0}]; }), HasSubstr("3 dimensions are indexed"));
  EXPECT_THAT(thrown([&] { t[{Ellipsis(), Ellipsis()}]; }), HasSubstr("at most one Ellipsis"));
  EXPECT_THAT(thrown([&] { t[Slice({}, {}, -1)]; }), HasSubstr("step -1"));
  EXPECT_THAT(thrown([&] { t[bools({true})]; }),
              HasSubstr("a mask of shape [1] does not fit dimension 0 of shape [2, 3]"));
  EXPECT_THAT(thrown([&] { t[tensor({1.0})]; }), HasSubstr("needs int64 or int32 indices"));
  EXPECT_THAT(thrown([&] {
                t[{longs({0, 1}), longs({0, 1, 2})}];
              }),
              HasSubstr("[index] shapes [2] and [3] do not broadcast"));
  EXPECT_THAT(thrown([&] {
                t[0] = tensor({1., 2.});
              }),
              HasSubstr("[index_put_] a value of shape [2] does not broadcast to shape [3]"));
  EXPECT_THAT(thrown([&] { gather(t, 0, longs({0})); }), HasSubstr("ranks must be equal"));
  EXPECT_THAT(thrown([&] {
                scatter_add(t, 0, zeros({1, 3}, {.dtype = DType::int64}), t.to(DType::int32));
              }),
              HasSubstr("[scatter_add]"));
  EXPECT_THAT(thrown([&] { index_add(t, 0, longs({0}), t); }),
              HasSubstr("need a source float32[1, 3]"));
  EXPECT_THAT(thrown([&] { masked_select(t, t); }), HasSubstr("needs a mask of bools"));
  EXPECT_THAT(thrown([&] { topk(t, 4); }), HasSubstr("[topk] k is 4"));
}

TEST(Indexing, RefusesToWriteToALeafThatRequiresAGradient) {
  const Tensor leaf = matrix().requires_grad_();
  EXPECT_THAT(thrown([&] { leaf[0] = 1; }), HasSubstr("leaf"));
  EXPECT_THAT(thrown([&] { leaf[longs({0})] = 1; }), HasSubstr("leaf"));
  const NoGrad off;
  leaf[longs({0})] = 1;
  EXPECT_EQ(leaf.to_vector<float>(), (Floats{1, 1, 1, 3, 4, 5}));
}

TEST(Indexing, WritesToALeafThatSharesElementsWithoutEndingItsGradient) {
  const Tensor leaf = matrix().requires_grad_();  // reshape made it a view
  {
    const NoGrad off;
    leaf[0] = 1;
  }
  EXPECT_TRUE(leaf.requires_grad());
  sum(leaf * leaf).backward();
  EXPECT_EQ(leaf.grad().to_vector<float>(), (Floats{2, 2, 2, 6, 8, 10}));
}

TEST(Moves, AreCopies) {
  const Tensor t = arange(3.0).reshape({1, 3});
  flip(t, {0}).zero_();
  flip(t, {}).zero_();
  roll(t, 0, 1).zero_();
  roll(t, 3, 1).zero_();
  EXPECT_EQ(t.to_vector<float>(), (Floats{0, 1, 2}));
}

TEST(Moves, AddBackWhatAViewShows) {
  const Tensor value = ones({2, 3});
  EXPECT_EQ(as_strided_scatter_add({4}, value, {1, 1}, 0).to_vector<float>(), (Floats{1, 2, 2, 1}));
  EXPECT_EQ(as_strided_scatter_add({2, 3}, value, {0, 1}, 3).to_vector<float>(),
            (Floats{0, 0, 0, 2, 2, 2}));
  EXPECT_EQ(as_strided_scatter_add({3}, full({}, 5.0), {}, 2).to_vector<float>(),
            (Floats{0, 0, 5}));
  EXPECT_EQ(as_strided_scatter_add({2}, zeros({0}), {1}, 0).to_vector<float>(), (Floats{0, 0}));
}

TEST(RandomOrder, HasEveryNumberOnce) {
  manual_seed(7);
  const Tensor order = randperm(1000);
  EXPECT_EQ(order.dtype(), DType::int64);
  EXPECT_TRUE(equal(sort(order).values, arange(1000)));
  EXPECT_FALSE(equal(order, arange(1000)));
  EXPECT_FALSE(equal(order, randperm(1000)));
  manual_seed(7);
  EXPECT_TRUE(equal(order, randperm(1000)));
  EXPECT_EQ(randperm(0).size(), 0);
  EXPECT_EQ(randperm(3, {.dtype = DType::int32}).dtype(), DType::int32);
  EXPECT_THAT(thrown([] { randperm(-1); }), HasSubstr("[randperm]"));
}

}  // namespace
}  // namespace switchyard
