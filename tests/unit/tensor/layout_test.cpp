// Strides: views are free, kernels that read strides get them, others get contiguous inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

const Dims kShape{2, 3};
const Floats kTransposed{0, 3, 1, 4, 2, 5};  // of counting({2, 3})

Tensor transposed_on(const Runtime& runtime, const std::string& device, const Tensor& tensor) {
  const Operation transpose = runtime.operation("Transpose", {{"perm", Integers{1, 0}}});
  return transpose(tensor.to(runtime.device(device)));
}

class Layout : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start({{GetParam(), "cpu"}});
};

TEST_P(Layout, AViewMovesNoBytesAndStaysOnItsDevice) {
  const Tensor tensor = counting(kShape).to(runtime.device(GetParam()));
  const std::size_t used = runtime.device(GetParam()).memory().used_bytes;
  const Tensor view = runtime.operation("Transpose", {{"perm", Integers{1, 0}}})(tensor);
  EXPECT_EQ(view.device(), tensor.device());
  EXPECT_EQ(view.strides(), (Dims{1, 3}));
  EXPECT_FALSE(view.is_contiguous());
  EXPECT_EQ(runtime.device(GetParam()).memory().used_bytes, used);
  EXPECT_EQ(view.to_vector<float>(), kTransposed);
}

TEST_P(Layout, AKernelThatReadsStridesIsGivenThem) {
  const Tensor view = transposed_on(runtime, GetParam(), counting(kShape));
  const Tensor result = runtime.operation("Relu")(view);
  EXPECT_EQ(result.device(), view.device());
  EXPECT_EQ(result.to_vector<float>(), kTransposed);
}

TEST_P(Layout, OffsetsAndZeroStridesAreRead) {
  const Tensor tensor = counting({4, 3}).to(runtime.device(GetParam()));
  const std::array<Tensor, 3> slice{tensor, integers({1}), integers({3})};
  const Tensor middle = runtime.operation("Slice")(slice)[0];
  EXPECT_EQ(runtime.operation("Relu")(middle).to_vector<float>(), (Floats{3, 4, 5, 6, 7, 8}));

  const Tensor row =
      runtime.operation("Expand")(counting({3}).to(runtime.device(GetParam())), integers({2, 3}));
  EXPECT_EQ(row.strides(), (Dims{0, 1}));
  EXPECT_EQ(runtime.operation("Add")(row, row).to_vector<float>(), (Floats{0, 2, 4, 0, 2, 4}));
}

TEST_P(Layout, ANegativeStepBecomesContiguousAtOnce) {
  const Tensor tensor = counting({4}).to(runtime.device(GetParam()));
  const std::array<Tensor, 5> slice{tensor, integers({3}), integers({-5}), integers({0}),
                                    integers({-1})};
  const Tensor reversed = runtime.operation("Slice")(slice)[0];
  EXPECT_TRUE(reversed.is_contiguous()) << "no plugin is shown a negative stride";
  EXPECT_EQ(reversed.to_vector<float>(), (Floats{3, 2, 1, 0}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Layout,
                         testing::Values("good", "asynchronous", "mappable", "template", "cpu"),
                         [](const auto& info) { return info.param; });

// ---------------------------------------------------------------- STRIDE, then contiguous

TEST(StridesThatAKernelCannotRead, AreMadeContiguousByItsDevice) {
  const Runtime strict = start({{"refuses_strides", "cpu"}});
  const Tensor view = transposed_on(strict, "refuses_strides", counting(kShape));
  const Tensor result = strict.operation("Relu")(view);
  EXPECT_EQ(result.device().name(), "refuses_strides:0");
  EXPECT_EQ(result.to_vector<float>(), kTransposed);
  EXPECT_TRUE(strict.fallbacks().empty());
  EXPECT_EQ(strict.operation("Add")(view, view).to_vector<float>(), (Floats{0, 6, 2, 8, 4, 10}));
}

TEST(StridesThatAKernelDoesNotClaim, AreNotEvenOffered) {
  const Runtime runtime = start({{"cpu"}});
  const Tensor view = transposed_on(runtime, "cpu", counting(kShape));
  const Tensor rows = host_tensor<std::int64_t>({1, 2}, Integers{2, 0});
  EXPECT_EQ(runtime.operation("GatherElements")(view, rows).to_vector<float>(), (Floats{2, 3}));
}

TEST(StridesOfAnotherDevice, AreRoutedAsTheyArrive) {
  const Runtime runtime = start({{"template", "cpu"}, "fallback = \"allow\""});
  const Tensor image = runtime.operation("Relu")(counting({1, 4, 4, 2}));
  EXPECT_EQ(image.device().name(), "template:0");
  const Tensor planes = runtime.operation("Transpose", {{"perm", Integers{0, 3, 1, 2}}})(image);
  const Tensor weights = counting({1, 2, 3, 3});
  const Tensor result = runtime.operation("Conv")(planes, weights);
  EXPECT_EQ(result.device().name(), "cpu:0");
  const Runtime alone = start({{"cpu"}});
  const Tensor contiguous = host_tensor<float>({1, 2, 4, 4}, planes.to_vector<float>());
  EXPECT_EQ(result.to_vector<float>(),
            alone.operation("Conv")(contiguous, weights).to_vector<float>());
}

TEST(ViewsOfHalfBytes, AreRefusedWhereTheyWouldSplitOne) {
  const Runtime runtime = start({{"cpu"}});
  const std::array<std::uint8_t, 2> bytes{0x21, 0x43};
  const Tensor nibbles = host_tensor_from_bytes(
      DType::uint4, {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, {4});
  const std::array<Tensor, 3> odd{nibbles, integers({1}), integers({3})};
  const Error error = error_of([&] { runtime.operation("Slice")(odd); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  const std::array<Tensor, 3> even{nibbles, integers({2}), integers({4})};
  EXPECT_EQ(runtime.operation("Slice")(even)[0].shape(), (Dims{2}));
}

// ---------------------------------------------------------------- proposals

TEST(ProposedStrides, AreTakenAndReadByEveryUser) {
  const Runtime runtime = start({{"channels_last", "cpu"}});
  const Tensor input = counting({1, 2, 2, 2});
  const Tensor result = runtime.operation("Relu")(input);
  EXPECT_EQ(result.device().name(), "channels_last:0");
  EXPECT_EQ(result.strides(), (Dims{8, 1, 4, 2}));
  EXPECT_EQ(result.to_vector<float>(), input.to_vector<float>()) << "out to the host";
  EXPECT_EQ(runtime.operation("Relu")(result).to_vector<float>(), input.to_vector<float>());
  EXPECT_EQ(runtime.operation("Neg")(result).to_vector<float>()[7], -7) << "on another device";
  const Tensor reshaped = runtime.operation("Reshape")(result, integers({8}));
  EXPECT_EQ(reshaped.to_vector<float>(), input.to_vector<float>()) << "as a view";
}

TEST(ProposedStrides, AreNotGivenForOtherRanks) {
  const Runtime runtime = start({{"channels_last", "cpu"}});
  EXPECT_TRUE(runtime.operation("Relu")(counting({2, 2})).is_contiguous());
}

}  // namespace
}  // namespace switchyard
