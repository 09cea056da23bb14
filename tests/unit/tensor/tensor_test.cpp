// The public Tensor: values in and out, views, placement, text, and what it refuses.
#include <switchyard/tensor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

TEST(Tensor, HoldsACopyOfWhatItIsGiven) {
  Floats values{1, 2, 3, 4, 5, 6};
  const Tensor tensor = host_tensor<float>({2, 3}, values);
  values.assign(6, 0);
  EXPECT_EQ(tensor.dtype(), DType::float32);
  EXPECT_EQ(tensor.shape(), (Dims{2, 3}));
  EXPECT_EQ(tensor.strides(), (Dims{3, 1}));
  EXPECT_EQ(tensor.size(), 6);
  EXPECT_EQ(tensor.size_bytes(), 24u);
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.device().name(), "host");
  EXPECT_EQ(tensor.to_vector<float>(), (Floats{1, 2, 3, 4, 5, 6}));
}

TEST(Tensor, KnowsTheDTypesOfCpp) {
  EXPECT_EQ(host_scalar(true).dtype(), DType::bool_);
  EXPECT_EQ(host_scalar(std::uint16_t{7}).dtype(), DType::uint16);
  EXPECT_EQ(host_scalar(2.5).item<double>(), 2.5);
  EXPECT_EQ(host_scalar(std::int8_t{-3}).shape(), Dims());
}

TEST(Tensor, TakesBytesOfAnyDType) {
  const std::uint16_t halves[] = {0x3c00, 0x4000};  // 1, 2
  const Tensor tensor = host_tensor_from_bytes(
      DType::float16, {reinterpret_cast<const std::byte*>(halves), sizeof(halves)}, {2});
  std::uint16_t got[2];
  tensor.copy_to(got, sizeof(got));
  EXPECT_EQ(got[1], 0x4000);
  const std::uint8_t nibbles[] = {0x21, 0x03};
  EXPECT_EQ(
      host_tensor_from_bytes(DType::uint4, {reinterpret_cast<const std::byte*>(nibbles), 2}, {3})
          .size_bytes(),
      2u);
}

TEST(Tensor, RefusesBytesThatDoNotFit) {
  const float value = 0;
  const Error error = error_of([&] {
    host_tensor_from_bytes(DType::float32, {reinterpret_cast<const std::byte*>(&value), 4}, {2, 3});
  });
  EXPECT_EQ(error.kind(), ErrorKind::shape_mismatch);
  EXPECT_STREQ(error.what(), "shape [2, 3] of float32 needs 24 bytes, got 4");
  EXPECT_THROW(
      host_tensor_from_bytes(DType::float32, {reinterpret_cast<const std::byte*>(&value), 4}, {-1}),
      Error);
  EXPECT_THROW(
      host_tensor_from_bytes(DType::string, {reinterpret_cast<const std::byte*>(&value), 4}, {1}),
      Error);
}

TEST(Tensor, RefusesShapesThatNoMemoryHolds) {
  const float value = 0;
  for (const Dims& shape : {Dims{std::int64_t{1} << 40}, Dims{std::int64_t{1} << 62, 4},
                            Dims{std::int64_t{1} << 32, std::int64_t{1} << 32}}) {
    EXPECT_THROW(host_tensor_from_bytes(DType::float32,
                                        {reinterpret_cast<const std::byte*>(&value), 4}, shape),
                 Error);
  }
}

TEST(Tensor, RefusesToBeReadAsAnotherType) {
  const Tensor tensor = floats({2}, {1, 2});
  EXPECT_STREQ(error_of([&] { tensor.to_vector<double>(); }).what(),
               "[to_vector] the tensor holds float32, not float64; convert it with to()");
  EXPECT_THROW(tensor.item<float>(), Error) << "it has two elements";
  float one = 0;
  EXPECT_THROW(tensor.copy_to(&one, sizeof(one)), Error);
}

TEST(Tensor, WithoutAValueHasNothing) {
  const Tensor nothing;
  EXPECT_FALSE(nothing.defined());
  EXPECT_STREQ(error_of([&] { nothing.shape(); }).what(),
               "[shape] this Tensor holds nothing; give it a value first");
  EXPECT_THROW(nothing.to_dlpack(), Error);
}

TEST(Tensor, IsCheapToCopyAndMove) {
  Tensor first = floats({1}, {5});
  const Tensor second = first;
  EXPECT_EQ(first.impl(), second.impl());
  const Tensor third = std::move(first);
  EXPECT_FALSE(first.defined());  // NOLINT: moved from, and empty by contract
  EXPECT_EQ(third.item<float>(), 5);
}

TEST(Tensor, MayBeEmptyOrOfRankZero) {
  const Tensor empty = floats({0, 3}, {});
  EXPECT_EQ(empty.size(), 0);
  EXPECT_TRUE(empty.to_vector<float>().empty());
  EXPECT_EQ(floats({}, {7}).item<float>(), 7);
}

// ---------------------------------------------------------------- placement

class Placement : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start({{GetParam()}, "", "", {"cpu"}});
  Device device = runtime.device(GetParam());
};

TEST_P(Placement, TheElementsGoThereAndComeBack) {
  const Tensor here = counting({2, 3});
  const Tensor there = here.to(device);
  EXPECT_EQ(there.device(), device);
  EXPECT_EQ(there.to(device).impl(), there.impl()) << "it lies there already";
  EXPECT_EQ(there.to_vector<float>(), here.to_vector<float>());
  EXPECT_EQ(there.to(runtime.device("cpu")).to_vector<float>(), here.to_vector<float>());
}

TEST_P(Placement, EmptyAndScalarTensorsGoToo) {
  EXPECT_EQ(floats({0, 3}, {}).to(device).shape(), (Dims{0, 3}));
  EXPECT_EQ(floats({}, {7}).to(device).item<float>(), 7);
}

TEST_P(Placement, AStridedTensorArrivesContiguous) {
  const Tensor view = runtime.operation("Transpose")(counting({2, 3}).to(device));
  const Tensor moved = view.to(runtime.device("cpu"));
  EXPECT_TRUE(moved.is_contiguous());
  EXPECT_EQ(moved.to_vector<float>(), (Floats{0, 3, 1, 4, 2, 5}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Placement,
                         testing::Values("good", "asynchronous", "mappable", "opaque", "template"),
                         [](const auto& info) { return info.param; });

TEST(Tensors, CrossFromRuntimeToRuntime) {
  const Runtime first = start({{"good", "cpu"}});
  const Runtime second = start({{"cpu", "template"}});
  const Tensor made = first.operation("Relu")(counting({3}));
  EXPECT_EQ(second.operation("Relu")(made).to_vector<float>(), (Floats{0, 1, 2}));
  EXPECT_EQ(made.to(second.device("template")).to_vector<float>(), (Floats{0, 1, 2}));
}

// ---------------------------------------------------------------- text

TEST(TextTensor, StaysWithTheHost) {
  const Tensor text = host_texts({2, 1}, {"a", "långt"});
  EXPECT_EQ(text.dtype(), DType::string);
  EXPECT_EQ(text.to_texts(), (std::vector<std::string>{"a", "långt"}));
  const Runtime runtime = start({{"cpu"}});
  const Error error = error_of([&] { text.to(runtime.device("cpu")); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_THROW(text.to_vector<float>(), Error);
  EXPECT_THROW(counting({2}).to_texts(), Error);
  EXPECT_THROW(host_texts({3}, {"a"}), Error);
}

}  // namespace
}  // namespace switchyard
