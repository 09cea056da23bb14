// Reading elements where they lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn/linear.hpp>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class ViewHost : public testing::Test {
 protected:
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope{runtime};
};

TEST_F(ViewHost, ShowsTheElementsWhereTheyLie) {
  Floats values{1, 2, 3, 4, 5, 6};
  const Tensor x = Tensor::borrow(std::span(values), {2, 3});
  const HostView<float> view = x.view_host<float>();
  EXPECT_EQ(view.data(), values.data());
  EXPECT_EQ(view.size(), 6u);
  EXPECT_FALSE(view.empty());
  EXPECT_EQ(view.shape(), (Dims{2, 3}));
  EXPECT_EQ(view[4], 5);
  EXPECT_EQ(std::accumulate(view.begin(), view.end(), 0.0F), 21);
  EXPECT_EQ(view.span().size(), 6u);
  EXPECT_EQ(x.select(0, 1).view_host<float>().data(), values.data() + 3);
  x.fill_(7);
  EXPECT_EQ(view[0], 7);
}

TEST_F(ViewHost, KeepsTheMemory) {
  std::optional<HostView<float>> view;
  {
    const Tensor x = full({100}, 3.0);
    view = x.view_host<float>();
  }
  const Tensor other = full({100}, 5.0);  // in memory that was given back
  EXPECT_THAT(*view, testing::Each(3));
}

TEST_F(ViewHost, KeepsTheElementsOfAParameterThatIsConvertedMeanwhile) {
  nn::Linear layer(full({2, 2}, 3.0));
  const HostView<float> view = layer.weight.view_host<float>();
  layer.to(DType::float64);
  const Tensor other = full({2, 2}, 7.0);
  EXPECT_THAT(view, ElementsAre(3, 3, 3, 3));
}

TEST_F(ViewHost, OfValuesOfTheHostAndOfNothing) {
  EXPECT_THAT(counting({3}).view_host<float>(), ElementsAre(0, 1, 2));
  EXPECT_TRUE(empty({0, 2}).view_host<float>().empty());
  EXPECT_THAT(tensor({true, false}).view_host<bool>(), ElementsAre(true, false));
  EXPECT_EQ(full({}, 0.5, {.dtype = DType::float16}).view_host<float16>()[0], 0.5F);
}

TEST_F(ViewHost, OfAnotherTypeIsAnErrorThatNamesBoth) {
  const Error error = error_of([] { ones({2}).view_host<double>(); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error.function(), "view_host");
  EXPECT_THAT(error.what(), AllOf(HasSubstr("float32"), HasSubstr("float64")));
  EXPECT_EQ(error_of([] { Tensor().view_host<float>(); }).function(), "view_host");
}

TEST_F(ViewHost, OfStridedElementsIsAnError) {
  const Error error = error_of([] { ones({2, 3}).t().view_host<float>(); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("[view_host]"), HasSubstr("contiguous()")));
}

TEST(ViewOfOpaqueMemory, SaysThatItMustBeCopied) {
  const Runtime runtime = start({{"template"}, "", "", {"cpu"}});
  const Tensor x = counting({3}).to(runtime.device("template"));
  const Error error = error_of([&] { x.view_host<float>(); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_EQ(error.function(), "view_host");
  EXPECT_THAT(error.what(), AllOf(HasSubstr("template:0"), HasSubstr("to_vector()"),
                                  HasSubstr("to(Device::host())")));
}

TEST(ViewOfLateWork, WaitsForIt) {
  const Runtime runtime = start({{"asynchronous"}, "", "", {"cpu"}});
  const Device device = runtime.default_device();
  const Tensor x = floats({64}, Floats(64, 1)).to(device, true);
  const Tensor sum = runtime.operation("Add")(x, x);
  if (device.open()->addressable()) {
    EXPECT_THAT(sum.view_host<float>(), testing::Each(2));
  }
}

}  // namespace
}  // namespace switchyard
