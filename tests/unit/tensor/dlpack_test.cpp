// DLPack, both ways: for exchange, without a copy where the memory allows.
#include <dlpack/dlpack.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/functions/creation.hpp>
#include <switchyard/model.hpp>
#include <switchyard/nn/linear.hpp>
#include <switchyard/run.hpp>

#include "onnx/small_models.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

// A capsule as another library makes it; counts how often it is given back.
struct Foreign {
  Floats data{1, 2, 3, 4, 5, 6};
  std::vector<std::int64_t> shape{2, 3};
  std::vector<std::int64_t> strides;
  int released = 0;
  DLManagedTensor capsule{};

  Foreign() {
    DLTensor& tensor = capsule.dl_tensor;
    tensor.data = data.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 2;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape.data();
    capsule.manager_ctx = this;
    capsule.deleter = [](DLManagedTensor* self) {
      ++static_cast<Foreign*>(self->manager_ctx)->released;
    };
  }
};

struct Capsule {
  explicit Capsule(const Tensor& tensor) : held(tensor.to_dlpack()) {}
  ~Capsule() { held->deleter(held); }
  DLManagedTensor* held;
  const DLTensor* operator->() const { return &held->dl_tensor; }
};

TEST(FromDlpack, AHostInputThatItsOwnerChangesIsReadAnew) {
  const Runtime runtime = start({{"cpu"}});
  std::vector<std::int64_t> repeats{2};
  Foreign foreign;
  foreign.shape = {1};
  foreign.capsule.dl_tensor.ndim = 1;
  foreign.capsule.dl_tensor.data = repeats.data();
  foreign.capsule.dl_tensor.dtype = {kDLInt, 64, 1};
  const Operation tile = runtime.operation("Tile");
  for (const std::int64_t count : {2, 3, 1}) {
    repeats[0] = count;
    const Tensor times = Tensor::from_dlpack(&foreign.capsule, Device::host());
    EXPECT_EQ(tile(floats({2}, {1, 2}), times).shape(), (Dims{2 * count}));
  }
}

TEST(FromDlpack, ACapsuleWithoutAShapeIsRefused) {
  Foreign foreign;
  foreign.capsule.dl_tensor.ndim = -1;
  EXPECT_EQ(error_of([&] { Tensor::from_dlpack(&foreign.capsule); }).kind(),
            ErrorKind::invalid_argument);
  foreign.capsule.dl_tensor.ndim = 2;
  foreign.capsule.dl_tensor.shape = nullptr;
  EXPECT_EQ(error_of([&] { Tensor::from_dlpack(&foreign.capsule); }).kind(),
            ErrorKind::invalid_argument);
  std::int64_t two[] = {1, 1};
  foreign.capsule.dl_tensor.shape = two;
  foreign.capsule.dl_tensor.ndim = 1 << 30;  // of which no extent is read
  EXPECT_THAT(error_of([&] { Tensor::from_dlpack(&foreign.capsule); }).what(),
              testing::HasSubstr("dimensions are more than the 32"));
  EXPECT_EQ(foreign.released, 3);
}

// Host values do not change, and some are cached: who writes to the capsule writes to its own copy.
TEST(ToDlpack, ShowsACopyOfAHostValue) {
  const Tensor tensor = counting({2, 3});
  const Capsule capsule(tensor);
  EXPECT_EQ(capsule->device.device_type, kDLCPU);
  EXPECT_EQ(capsule->dtype.code, kDLFloat);
  EXPECT_EQ(capsule->dtype.bits, 32);
  ASSERT_EQ(capsule->ndim, 2);
  EXPECT_EQ(capsule->shape[1], 3);
  EXPECT_EQ(static_cast<const float*>(capsule->data)[5], 5);
  static_cast<float*>(capsule->data)[5] = 9;
  EXPECT_EQ(tensor.to_vector<float>()[5], 5);
}

TEST(ToDlpack, WhoWritesToAnOutputThatIsAConstantLeavesTheModelAsItIs) {
  const Runtime runtime = start({{"cpu"}});
  const std::string bytes = onnx::encode(model_of(
      "g (float[2] x) => (float[2] c, float[2] y) <float[2] c = {1, 2}> { y = Add (x, c) }"));
  const Model model = Model::from_bytes(runtime, bytes_of(bytes));
  for (int i = 0; i < 2; ++i) {
    switchyard::Run run(model);
    run.set_input(0, floats({2}, {10, 20}));
    run.execute();
    EXPECT_EQ(run.output("c").to_vector<float>(), (Floats{1, 2})) << "of run " << i;
    EXPECT_EQ(run.output("y").to_vector<float>(), (Floats{11, 22})) << "of run " << i;
    const Capsule capsule(run.output("c"));
    static_cast<float*>(capsule->data)[0] = 9;
    run.output("c").to(runtime.device("cpu")).fill_(7);
  }
}

TEST(ToDlpack, ShowsDeviceMemoryThatTheHostCanAddressStridesAndAll) {
  const Runtime runtime = start({{"cpu"}});
  const Tensor on_device = counting({4, 3}).to(runtime.device("cpu"));
  const std::array<Tensor, 3> slice{on_device, integers({1}), integers({3})};
  const Tensor view = runtime.operation("Transpose")(runtime.operation("Slice")(slice)[0]);
  const Capsule capsule(view);
  EXPECT_EQ(capsule->shape[0], 3);
  EXPECT_EQ(capsule->strides[0], 1);
  EXPECT_EQ(capsule->strides[1], 3);
  EXPECT_EQ(capsule->byte_offset, 12u);
  const auto* first = reinterpret_cast<const float*>(static_cast<const char*>(capsule->data) +
                                                     capsule->byte_offset);
  EXPECT_EQ(*first, 3);
}

TEST(ToDlpack, KeepsTheElementsAlive) {
  Runtime runtime = start({{"cpu"}});
  auto capsule = std::make_unique<Capsule>(counting({3}).to(runtime.device("cpu")));
  runtime = start({{"null"}});
  EXPECT_EQ(static_cast<const float*>((*capsule)->data)[2], 2);
}

TEST(ToDlpack, KeepsTheElementsOfAParameterThatIsConvertedMeanwhile) {
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope(runtime);
  nn::Linear layer(full({2, 2}, 3.0));
  const Capsule capsule(layer.weight);
  layer.to(DType::float64);
  const Tensor other = full({2, 2}, 7.0);  // in memory that was given back
  EXPECT_EQ(static_cast<const float*>(capsule->data)[3], 3);
}

TEST(ToDlpack, IsRefusedForMemoryThatNobodyElseReads) {
  const Runtime runtime = start({{"template"}, "", "", {"cpu"}});
  const Tensor tensor = counting({3}).to(runtime.device("template"));
  const Error error = error_of([&] { tensor.to_dlpack(); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), testing::HasSubstr("copy the tensor to another device first"));
}

TEST(ToDlpack, IsRefusedForTypesThatItDoesNotHave) {
  EXPECT_THROW(host_texts({1}, {"a"}).to_dlpack(), Error);
  const std::uint8_t byte = 0;
  EXPECT_THROW(
      host_tensor_from_bytes(DType::int4, {reinterpret_cast<const std::byte*>(&byte), 1}, {2})
          .to_dlpack(),
      Error);
}

TEST(FromDlpack, SharesTheElementsAndGivesThemBackOnce) {
  Foreign foreign;
  {
    const Tensor tensor = Tensor::from_dlpack(&foreign.capsule, Device::host());
    EXPECT_EQ(tensor.shape(), (Dims{2, 3}));
    EXPECT_EQ(tensor.to_vector<float>(), (Floats{1, 2, 3, 4, 5, 6}));
    const Runtime runtime = start({{"good"}});
    EXPECT_EQ(runtime.operation("Relu")(tensor).to_vector<float>()[5], 6);
    EXPECT_EQ(foreign.released, 0);
  }
  EXPECT_EQ(foreign.released, 1);
}

TEST(FromDlpack, StartsAtTheOffset) {
  Foreign foreign;
  foreign.capsule.dl_tensor.byte_offset = 8;
  foreign.shape = {2, 2};
  foreign.capsule.dl_tensor.shape = foreign.shape.data();
  EXPECT_EQ(Tensor::from_dlpack(&foreign.capsule, Device::host()).to_vector<float>(),
            (Floats{3, 4, 5, 6}));
}

TEST(FromDlpack, RefusesWhatItCannotShareAndGivesItBack) {
  const auto kind_of = [](const std::function<void(Foreign&)>& change) {
    Foreign foreign;
    change(foreign);
    const Error error = error_of([&] { Tensor::from_dlpack(&foreign.capsule, Device::host()); });
    EXPECT_EQ(foreign.released, 1) << "a capsule is taken over even so";
    return error.kind();
  };
  EXPECT_EQ(kind_of([](Foreign& f) {
              f.capsule.dl_tensor.device = {kDLCUDA, 0};
            }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([](Foreign& f) { f.capsule.dl_tensor.dtype.lanes = 4; }),
            ErrorKind::unsupported);
  EXPECT_EQ(kind_of([](Foreign& f) {
              f.strides = {1, 2};
              f.capsule.dl_tensor.strides = f.strides.data();
            }),
            ErrorKind::unsupported);
}

// As borrow(): the device computes in the capsule's memory, strides and all.
TEST(FromDlpack, LiesOnTheDeviceAndIsWrittenTo) {
  const Runtime runtime = start({{"cpu"}});
  Foreign foreign;
  foreign.shape = {3, 2};
  foreign.strides = {1, 3};
  foreign.capsule.dl_tensor.shape = foreign.shape.data();
  foreign.capsule.dl_tensor.strides = foreign.strides.data();
  {
    const RuntimeScope scope(runtime);
    const Tensor tensor = Tensor::from_dlpack(&foreign.capsule);
    EXPECT_EQ(tensor.device(), runtime.device("cpu"));
    EXPECT_EQ(tensor.to_vector<float>(), (Floats{1, 4, 2, 5, 3, 6}));
    tensor.select(0, 1).fill_(9);
    EXPECT_EQ(foreign.released, 0);
  }
  EXPECT_EQ(foreign.data, (Floats{1, 9, 3, 4, 9, 6}));
  EXPECT_EQ(foreign.released, 1);
}

TEST(FromDlpack, RefusesNoCapsule) {
  const Error error = error_of([] { Tensor::from_dlpack(static_cast<DLManagedTensor*>(nullptr)); });
  EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
  EXPECT_EQ(error.function(), "from_dlpack");
}

TEST(FromDlpack, TakesBackWhatToDlpackGave) {
  const Tensor tensor = counting({2, 2});
  EXPECT_EQ(Tensor::from_dlpack(tensor.to_dlpack(), Device::host()).to_vector<float>(),
            (Floats{0, 1, 2, 3}));
}

// A device that shows its memory, and takes what others show of it.
struct DeviceMemoryExchange : testing::Test {
  Runtime runtime = start({{"exchange", "exchange_too"}, "", "", {"cpu"}});
  Device device = runtime.device("exchange"), other = runtime.device("exchange_too");
};

TEST_F(DeviceMemoryExchange, SharesElementsOfMemoryThatTheHostCannotRead) {
  const Tensor x = counting({4, 6}).to(device);
  const Capsule capsule(x.narrow(1, 2, 4));
  EXPECT_EQ(capsule->device.device_type, kDLExtDev);
  EXPECT_EQ(capsule->device.device_id, 0);
  EXPECT_EQ(capsule->byte_offset, 2 * sizeof(float));
  EXPECT_EQ(capsule->strides[0], 6);
}

TEST_F(DeviceMemoryExchange, TakesACapsuleOfAnotherPluginWithoutACopy) {
  Tensor x = counting({4, 6}).to(device);
  {
    const Tensor there = Tensor::from_dlpack(x.narrow(1, 2, 4).to_dlpack(), other);
    EXPECT_EQ(there.device(), other);
    EXPECT_EQ(there.to_vector<float>()[4], 8.0F);
    there.device().synchronize();
    x.fill_(5);
    device.synchronize();
    EXPECT_EQ(there.to_vector<float>(), Floats(16, 5)) << "it is the same memory";
  }
  EXPECT_EQ(x.to_vector<float>()[0], 5.0F);
}

TEST_F(DeviceMemoryExchange, RefusesACapsuleOfAnotherDevice) {
  Foreign foreign;
  foreign.capsule.dl_tensor.device = {kDLExtDev, 3};
  const Error error = error_of([&] { (void)Tensor::from_dlpack(&foreign.capsule, device); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), testing::HasSubstr("does not lie on exchange:0"));
  EXPECT_EQ(foreign.released, 1);
}

TEST(FromDlpack, RefusesAnOffsetBeyondAnyMemory) {
  const Runtime runtime = start({{"cpu"}});
  Foreign foreign;
  foreign.capsule.dl_tensor.byte_offset = UINT64_MAX - 3;
  EXPECT_EQ(error_of([&] { (void)Tensor::from_dlpack(&foreign.capsule); }).kind(),
            ErrorKind::invalid_argument);
}

}  // namespace
}  // namespace switchyard
