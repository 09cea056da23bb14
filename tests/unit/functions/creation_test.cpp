// New tensors: values, dtypes, devices, errors.
#include <gmock/gmock.h>

#include <cmath>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr DType kDTypes[] = {DType::float32, DType::float64, DType::float16, DType::bfloat16,
                             DType::int8,    DType::uint8,   DType::int16,   DType::int32,
                             DType::int64,   DType::bool_};

TEST(Creation, FillsInEveryType) {
  for (const DType dtype : kDTypes) {
    const TensorOptions options{.dtype = dtype};
    const double two = dtype == DType::bool_ ? 1 : 2;
    EXPECT_EQ(zeros({2, 3}, options).dtype(), dtype);
    EXPECT_EQ(zeros({2, 3}, options).shape(), (Dims{2, 3}));
    EXPECT_THAT(values(zeros({2}, options)), ElementsAre(0, 0));
    EXPECT_THAT(values(ones({2}, options)), ElementsAre(1, 1));
    EXPECT_THAT(values(full({2}, 2, options)), ElementsAre(two, two));
    EXPECT_THAT(values(eye(2, {}, options)), ElementsAre(1, 0, 0, 1));
    EXPECT_EQ(empty({0, 4}, options).dtype(), dtype);
    EXPECT_EQ(full({2}, 2, options).device(), current_device());
  }
}

TEST(Creation, HasItsUsualTypes) {
  EXPECT_EQ(zeros({1}).dtype(), DType::float32);
  EXPECT_EQ(empty({1}).dtype(), DType::float32);
  EXPECT_EQ(eye(1).dtype(), DType::float32);
  EXPECT_EQ(full({1}, 1.5).dtype(), DType::float32);
  EXPECT_EQ(full({1}, 1).dtype(), DType::int64);
  EXPECT_EQ(full({1}, true).dtype(), DType::bool_);
  EXPECT_EQ(full({1}, ones({}, {.dtype = DType::float16})).dtype(), DType::float16);
  EXPECT_EQ(tensor({1, 2}).dtype(), DType::int64);
  EXPECT_EQ(tensor({1., 2.}).dtype(), DType::float32);
  EXPECT_EQ(tensor({true}).dtype(), DType::bool_);
  EXPECT_EQ(tensor(std::vector<std::int8_t>{1}, {1}).dtype(), DType::int8);
  EXPECT_EQ(tensor(std::vector<double>{1}, {1}).dtype(), DType::float64);
  EXPECT_EQ(arange(3).dtype(), DType::int64);
  EXPECT_EQ(arange(3.0).dtype(), DType::float32);
  EXPECT_EQ(linspace(0, 1, 2).dtype(), DType::float32);
}

TEST(Creation, FullTruncatesToIntegersAndTakesTensors) {
  EXPECT_THAT(values(full({2}, 2.9, {.dtype = DType::int64})), ElementsAre(2, 2));
  EXPECT_THAT(values(full({}, -2.9, {.dtype = DType::int32})), ElementsAre(-2));
  EXPECT_THAT(values(full({2}, tensor({7.}))), ElementsAre(7, 7));
  EXPECT_THAT(values(full({0}, 1)), IsEmpty());
  EXPECT_THAT(thrown([] { full({2}, tensor({1., 2.})); }), HasSubstr("one element"));
}

TEST(Creation, ARangeGoesBothWays) {
  EXPECT_THAT(values(arange(4)), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(values(arange(2, 9, 3)), ElementsAre(2, 5, 8));
  EXPECT_THAT(values(arange(5, 0, -2)), ElementsAre(5, 3, 1));
  EXPECT_THAT(values(arange(0)), IsEmpty());
  EXPECT_THAT(values(arange(3, 3)), IsEmpty());
  EXPECT_THAT(values(arange(1, 2.5, 0.5)), ElementsAre(1, 1.5, 2));
  EXPECT_THAT(values(arange(1, 0, -0.25)), ElementsAre(1, 0.75, 0.5, 0.25));
  EXPECT_EQ(arange(0, 1, 0.1).size(), 10);
  EXPECT_EQ(arange(0, 1 + 1e-9, 0.1).size(), 11);
  EXPECT_NEAR(arange(0, 100000, 0.1, {.dtype = DType::float64})[999999].item(), 99999.9, 1e-10);
  EXPECT_EQ(arange(3, 5, 1, {.dtype = DType::float16}).dtype(), DType::float16);
  EXPECT_THAT(values(arange(0, 3, 1, {.dtype = DType::uint8})), ElementsAre(0, 1, 2));
  EXPECT_THAT(values(arange(tensor({2}).squeeze())), ElementsAre(0, 1));
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  EXPECT_THAT(arange(large, large + 2).to_vector<std::int64_t>(), ElementsAre(large, large + 1));
}

TEST(Creation, ARangeRefusesStepsThatLeadAway) {
  EXPECT_THAT(thrown([] { arange(0, 5, 0); }), HasSubstr("[arange] the step is 0"));
  EXPECT_THAT(thrown([] { arange(0, 5, -1); }), HasSubstr("[arange]"));
  EXPECT_THAT(thrown([] { arange(5, 0); }), HasSubstr("[arange]"));
  EXPECT_THAT(thrown([] { arange(0, NAN); }), HasSubstr("[arange]"));
  EXPECT_THAT(thrown([] { arange(0, INFINITY); }), HasSubstr("[arange]"));
}

TEST(Creation, LinspaceHasBothEnds) {
  EXPECT_THAT(values(linspace(-1, 1, 5)), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(values(linspace(3, 0, 4)), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(values(linspace(3, 9, 1)), ElementsAre(3));
  EXPECT_THAT(values(linspace(3, 9, 0)), IsEmpty());
  EXPECT_THAT(values(linspace(0, 10, 5, {.dtype = DType::int64})), ElementsAre(0, 2, 5, 7, 10));
  EXPECT_EQ(values(linspace(0, 0.1, 7, {.dtype = DType::float64})).back(), 0.1);
  EXPECT_THAT(thrown([] { linspace(0, 1, -1); }), HasSubstr("linspace got -1 steps"));
}

TEST(Creation, EyeMayBeOblongOrEmpty) {
  EXPECT_THAT(values(eye(2, 3)), ElementsAre(1, 0, 0, 0, 1, 0));
  EXPECT_THAT(values(eye(3, 1)), ElementsAre(1, 0, 0));
  EXPECT_EQ(eye(0).shape(), (Dims{0, 0}));
  EXPECT_EQ(eye(0, 3).shape(), (Dims{0, 3}));
  EXPECT_THAT(thrown([] { eye(-1); }), HasSubstr("[-1, -1] has a negative extent"));
}

TEST(Creation, ListsAndRowsAndData) {
  EXPECT_THAT(values(tensor({{1., 2.}, {3., 4.}})), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(tensor({{1., 2., 5.}, {3., 4., 6.}}).shape(), (Dims{2, 3}));
  EXPECT_THAT(values(tensor({true, false})), ElementsAre(1, 0));
  EXPECT_THAT(values(tensor(std::vector<bool>{true, false}, {1, 2})), ElementsAre(1, 0));
  EXPECT_THAT(values(tensor(std::vector<int>{1, 2}, {2}, {.dtype = DType::bfloat16})),
              ElementsAre(1, 2));
  EXPECT_THAT(thrown([] {
                tensor({{1., 2.}, {3., 4., 5.}});
              }),
              HasSubstr("rows of shapes [2] and [3]"));
  EXPECT_THAT(thrown([] { tensor(std::vector<float>{1, 2}, {3}); }), HasSubstr("[3]"));
}

TEST(Creation, NestedListsHaveTheirShapeAndType) {
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}).dtype(), DType::int64);
  EXPECT_THAT(values(tensor({{1, 2}, {3, 4}})), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(tensor({{1}, {2}}).shape(), (Dims{2, 1}));
  EXPECT_EQ(tensor({{1.5}, {2.}}).shape(), (Dims{2, 1}));
  EXPECT_EQ(tensor({{{1, 2, 3}, {4, 5, 6}}}).shape(), (Dims{1, 2, 3}));
  EXPECT_EQ(tensor({1, 2.5}).dtype(), DType::float32);
  EXPECT_THAT(values(tensor({1, 2.5})), ElementsAre(1, 2.5));
  EXPECT_EQ(tensor({{true, false}}).dtype(), DType::bool_);
  EXPECT_EQ(tensor({true, 2}).dtype(), DType::int64);
  EXPECT_EQ(tensor({1.5F}).dtype(), DType::float32);
  EXPECT_EQ(tensor({std::int8_t{3}, std::uint8_t{200}}).dtype(), DType::int64);
  EXPECT_EQ(tensor({}).shape(), (Dims{0}));
  EXPECT_EQ(tensor({}).dtype(), DType::float32);
  EXPECT_EQ(tensor({{1.9, -1.9}}, {.dtype = DType::int32}).dtype(), DType::int32);
  EXPECT_THAT(values(tensor({{1.9, -1.9}}, {.dtype = DType::int32})), ElementsAre(1, -1));
  const std::int64_t large = (std::int64_t{1} << 60) + 1;
  EXPECT_EQ(tensor({{large}}).item<std::int64_t>(), large);
  EXPECT_EQ(tensor({0.1}, {.dtype = DType::float64}).item<double>(), 0.1);
  EXPECT_TRUE(tensor({1., 2.}, {.requires_grad = true}).requires_grad());
  EXPECT_THAT(thrown([] { tensor({{1}, {{2}}}); }), HasSubstr("rows of shapes [1] and [1, 1]"));
}

TEST(Creation, ListsHoldWhatTheirTypeHolds) {
  const auto refused = [](const NestedNumbers& numbers, DType dtype) {
    return thrown([&] { tensor(numbers, {.dtype = dtype}); }).find("cannot hold") !=
           std::string::npos;
  };
  EXPECT_TRUE(refused(300, DType::uint8));
  EXPECT_TRUE(refused({{300, 1}}, DType::int8));
  EXPECT_TRUE(refused({1e10, 1.}, DType::int32));
  EXPECT_TRUE(refused({std::nan(""), 1.}, DType::int64));
  EXPECT_TRUE(refused({-1.}, DType::uint8));
  EXPECT_THAT(thrown([] { tensor({~std::uint64_t{0}}); }), HasSubstr("cannot hold")) << "int64";
  EXPECT_EQ(tensor({~std::uint64_t{0}}, {.dtype = DType::uint64}).to_vector<std::uint64_t>()[0],
            ~std::uint64_t{0});
  EXPECT_EQ(tensor({INT64_MAX, INT64_MIN}).to_vector<std::int64_t>(),
            (std::vector{INT64_MAX, INT64_MIN}));
  EXPECT_EQ(tensor({-1, 255}, {.dtype = DType::uint8}).to_vector<std::uint8_t>(),
            (std::vector<std::uint8_t>{255, 255}));
  EXPECT_EQ(tensor({2.7, -2.7}, {.dtype = DType::int32}).to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{2, -2}));
}

TEST(Creation, ANumberHasRankZero) {
  EXPECT_EQ(tensor(0.5).shape(), Dims{});
  EXPECT_EQ(tensor(0.5).dtype(), DType::float32);
  EXPECT_EQ(tensor(3).dtype(), DType::int64);
  EXPECT_EQ(tensor(true).dtype(), DType::bool_);
  EXPECT_EQ(tensor(0.5, {.requires_grad = true}).device(), current_device());
}

TEST(Creation, LikeKeepsShapeTypeAndDevice) {
  const Tensor like = ones({2, 3}, {.dtype = DType::float16}).t();
  for (const Tensor& x : {zeros_like(like), ones_like(like), full_like(like, 7), empty_like(like),
                          rand_like(like), randn_like(like)}) {
    EXPECT_EQ(x.dtype(), DType::float16);
    EXPECT_EQ(x.shape(), (Dims{3, 2}));
    EXPECT_EQ(x.device(), like.device());
  }
  EXPECT_EQ(full_like(like, 7)[0][0].item(), 7);
  EXPECT_EQ(zeros_like(like, {.dtype = DType::int8}).dtype(), DType::int8);
  EXPECT_EQ(like.new_full(Dims{4}, 2).shape(), (Dims{4}));
  EXPECT_EQ(like.new_full(Dims{4}, 2, {.dtype = DType::bool_}).dtype(), DType::bool_);
}

TEST(Creation, LikeStaysOnAnotherDeviceThanTheCurrentOne) {
  const Runtime both = current_runtime();
  for (const PluginInfo& plugin : both.plugins()) {
    if (!plugin.available) continue;
    const Tensor like = zeros({2}, {.device = both.device(plugin.name)});
    EXPECT_EQ(ones_like(like).device().name(), plugin.name + ":0");
    EXPECT_EQ(rand_like(like).device().name(), plugin.name + ":0");
    EXPECT_EQ(arange(0, 3, 1, {.device = both.device(plugin.name)}).device().name(),
              plugin.name + ":0");
    EXPECT_EQ(eye(2, {}, {.device = both.device(plugin.name)}).device().name(), plugin.name + ":0");
    EXPECT_EQ(randint(0, 3, {2}, {.device = both.device(plugin.name)}).device().name(),
              plugin.name + ":0");
    EXPECT_EQ(tensor({1, 2}, {.device = both.device(plugin.name)}).device().name(),
              plugin.name + ":0");
  }
}

TEST(Creation, AsksForGradients) {
  const TensorOptions options{.requires_grad = true};
  for (const Tensor& x : {zeros({2}, options), ones({2}, options), full({2}, 1.5, options),
                          empty({2}, options), eye(2, {}, options), linspace(0, 1, 2, options),
                          arange(0, 2, 1.0, options), tensor({1., 2.}, options), rand({2}, options),
                          randn({2}, options), ones_like(ones({2}), options)}) {
    EXPECT_TRUE(x.requires_grad() && x.is_leaf());
  }
  EXPECT_FALSE(ones_like(ones({2}, options)).requires_grad()) << "unless it is asked for";
  EXPECT_THAT(thrown([&] { zeros({2}, {.dtype = DType::int64, .requires_grad = true}); }),
              HasSubstr("int64"));
  EXPECT_THAT(thrown([&] { tensor({1, 2}, options); }), HasSubstr("int64"));
  EXPECT_THAT(thrown([&] { randint(0, 2, {2}, options); }), HasSubstr("int64"));
}

TEST(Creation, RefusesNegativeExtents) {
  for (const auto& made : std::initializer_list<std::function<Tensor()>>{
           [] {
             return zeros({2, -1});
           },
           [] { return ones({-1}); }, [] { return empty({-2}); }, [] { return full({-1}, 0); },
           [] { return rand({-1}); }, [] { return randn({-1}); },
           [] { return randint(0, 2, {-1}); }}) {
    EXPECT_THAT(thrown(made), HasSubstr("negative extent"));
  }
}

}  // namespace
}  // namespace switchyard
