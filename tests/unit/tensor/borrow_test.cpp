// Tensors over memory of the caller's: who reads and writes it, and when it is given back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>

#include "device/plugin_report.hpp"
#include "tensor/tensor_impl.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Borrow : public testing::Test {
 protected:
  const Runtime runtime = start({{"cpu"}});
  const RuntimeScope scope{runtime};
  const Device device = runtime.default_device();
};

TEST_F(Borrow, ReadsAndWritesTheCallersMemory) {
  Floats values{1, 2, 3, 4, 5, 6};
  const Tensor x = Tensor::borrow(std::span(values), {2, 3});
  EXPECT_EQ(x.device(), device);
  EXPECT_EQ(device.memory().used_bytes, 0u) << "no memory of the device's";
  EXPECT_EQ((x * 2).to_vector<float>(), (Floats{2, 4, 6, 8, 10, 12}));
  values[0] = 10;
  EXPECT_EQ(x.sum().item(), 30) << "as it is now";
  x.add_(1);
  EXPECT_EQ(values, (Floats{11, 3, 4, 5, 6, 7}));
  x.t().select(0, 1).fill_(0);
  EXPECT_EQ(values, (Floats{11, 0, 4, 5, 0, 7}));
}

TEST_F(Borrow, BeginsAtAnyElement) {
  Floats values{1, 2, 3, 4, 5};
  const Tensor x = Tensor::borrow(std::span(values).subspan(1, 3), {3});
  x.mul_(10);
  EXPECT_EQ(values, (Floats{1, 20, 30, 40, 5}));
}

TEST_F(Borrow, OfConstantsIsReadOnly) {
  const Floats values{1, 2, 3};
  const Tensor x = Tensor::borrow(std::span(values), {3});
  for (const Tensor& tensor : {x, x.view({3, 1}), x.narrow(0, 1, 2)}) {
    const Error error = error_of([&] { tensor.mul_(2); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.function(), "mul_");
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("[mul_]"), HasSubstr("read-only"), HasSubstr("clone()")));
  }
  EXPECT_THROW(x.fill_(0), Error);
  EXPECT_THROW(x.copy_(ones({3})), Error);
  EXPECT_THROW(x.uniform_(), Error);
  EXPECT_THROW(x.index_put_({0}, 5), Error);
  EXPECT_THROW(x[0] = 5, Error);
  EXPECT_EQ(values, (Floats{1, 2, 3}));
  x.clone().mul_(2);
  EXPECT_EQ(x.square().to_vector<float>(), (Floats{1, 4, 9}));
}

TEST_F(Borrow, FollowsStrides) {
  Floats values{1, 2, 3, 4, 5, 6};
  const Tensor columns = Tensor::borrow(values.data(), {3, 2}, {}, {.strides = Dims{1, 3}});
  EXPECT_EQ(columns.to_vector<float>(), (Floats{1, 4, 2, 5, 3, 6}));
  columns.select(1, 0).fill_(0);
  EXPECT_EQ(values, (Floats{0, 0, 0, 4, 5, 6}));
  const Tensor every_other =
      Tensor::borrow(std::span(values).first(5), {3}, {}, {.strides = Dims{2}});
  EXPECT_EQ(every_other.to_vector<float>(), (Floats{0, 0, 5}));
}

TEST_F(Borrow, TakesEveryElementType) {
  std::array<bool, 2> flags{true, false};
  EXPECT_EQ(Tensor::borrow(std::span(flags), {2}).to_vector<bool>(),
            (std::vector<bool>{true, false}));
  float16 half(0.5F);
  EXPECT_EQ(Tensor::borrow(&half, {}).item(), 0.5);
  std::uint8_t nibbles = 0x21;
  const Tensor packed = Tensor::borrow({DType::uint4, &nibbles}, {2});
  EXPECT_EQ(packed.to(DType::int64).to_vector<std::int64_t>(), (Integers{1, 2}));
}

TEST_F(Borrow, CallsTheDeleterOnceWhenNobodyUsesTheMemory) {
  Floats values{1, 2, 3, 4};
  int called = 0;
  std::optional<Tensor> x = Tensor::borrow(std::span(values), {4}, [&called] { ++called; });
  std::optional<Tensor> view = x->view({2, 2}).t();
  x.reset();
  EXPECT_EQ(called, 0);
  std::optional<Tensor> further = view->select(0, 1);
  view.reset();
  EXPECT_EQ(called, 0);
  EXPECT_EQ(further->to_vector<float>(), (Floats{2, 4}));
  further.reset();
  EXPECT_EQ(called, 1);
}

TEST_F(Borrow, TakesNullAsNoOwner) {
  Floats values{1, 2};
  void (*no_function)() = nullptr;
  EXPECT_EQ(Tensor::borrow(std::span(values), {2}, no_function).sum().item(), 3);
  EXPECT_EQ(Tensor::borrow(std::span(values), {2}, std::function<void()>()).sum().item(), 3);
}

TEST_F(Borrow, LetsGoOfASharedOwner) {
  const auto values = std::make_shared<Floats>(Floats{1, 2});
  {
    const Tensor x = Tensor::borrow(values->data(), {2}, values);
    EXPECT_EQ(values.use_count(), 2);
    const Tensor y = x + 1;
    EXPECT_EQ(values.use_count(), 2);
  }
  EXPECT_EQ(values.use_count(), 1);
}

TEST_F(Borrow, CallsTheDeleterWhereItThrows) {
  Floats values{1, 2};
  int called = 0;
  const auto deleter = [&called] { ++called; };
  const auto refused = [&](const std::function<void()>& call, ErrorKind kind, const char* part) {
    called = 0;
    const Error error = error_of(call);
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(error.function(), "borrow");
    EXPECT_THAT(error.what(), HasSubstr(part));
    EXPECT_EQ(called, 1);
  };
  refused([&] { Tensor::borrow(std::span(values), {3}, deleter); }, ErrorKind::shape_mismatch,
          "needs 12 bytes, and the span has 8");
  refused([&] { Tensor::borrow(std::span(values), {2}, deleter, {.strides = Dims{2}}); },
          ErrorKind::shape_mismatch, "needs 12 bytes");
  refused(
      [&] {
        Tensor::borrow(std::span(values), {2}, deleter, {.strides = Dims{1, 1}});
      },
      ErrorKind::invalid_argument, "2 strides");
  refused([&] { Tensor::borrow(values.data(), {2}, deleter, {.strides = Dims{-1}}); },
          ErrorKind::invalid_argument, "negative");
  refused([&] { Tensor::borrow(values.data(), {-2}, deleter); }, ErrorKind::invalid_argument,
          "negative");
  refused([&] { Tensor::borrow(static_cast<float*>(nullptr), {2}, deleter); },
          ErrorKind::invalid_argument, "null");
  refused(
      [&] {
        Tensor::borrow(values.data(), {INT64_MAX, 3}, deleter);
      },
      ErrorKind::invalid_argument, "larger than any memory");
  refused(
      [&] {
        Tensor::borrow({DType::string, values.data()}, {2}, deleter);
      },
      ErrorKind::invalid_argument, "text");
  refused(
      [&] {
        Tensor::borrow(values.data(), {2}, deleter, {.device = Device::host(), .strides = Dims{2}});
      },
      ErrorKind::unsupported, "contiguous");
}

TEST_F(Borrow, OfNoElementsUsesNoMemory) {
  int called = 0;
  const Tensor x = Tensor::borrow(static_cast<float*>(nullptr), {0, 3}, [&called] { ++called; });
  EXPECT_EQ(x.shape(), (Dims{0, 3}));
  EXPECT_EQ(called, 1);
  x.add_(1);
}

// What a result may take over is memory that has no other owner; the caller sees this.
TEST_F(Borrow, IsNeverTakenOverByAResult) {
  Floats values{-1, 2};
  const TensorRef only(Tensor::borrow(std::span(values), {2}).impl());
  EXPECT_EQ(only->references.load(), 1u);
  EXPECT_FALSE(only.is_sole_owner());
}

TEST_F(Borrow, IsAValueOfTheHostForOtherDevices) {
  const Runtime opaque = start({{"template"}, "", "", {"cpu"}});
  Floats values{-1, 2};
  int called = 0;
  {
    const Tensor x = Tensor::borrow(std::span(values), {2}, [&called] { ++called; },
                                    {.device = opaque.device("template")});
    EXPECT_TRUE(x.device().is_host());
    const RuntimeScope here(opaque);
    EXPECT_EQ(relu(x).to_vector<float>(), (Floats{0, 2}));
    const Error error = error_of([&] { x.add_(1); });
    EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
    EXPECT_EQ(error.function(), "add_");
  }
  EXPECT_EQ(called, 1);
  EXPECT_EQ(values, (Floats{-1, 2}));
}

TEST_F(Borrow, IsAValueOfTheHostWhereElementsAreNotAligned) {
  std::array<std::byte, 9> bytes{};
  const float value = 3;
  std::memcpy(bytes.data() + 1, &value, sizeof(value));
  const void* first = bytes.data() + 1;
  const Tensor x = Tensor::borrow({DType::float32, first}, {1});
  EXPECT_EQ((x + 1).item(), 4);
}

/// `b` shows elements from the second one on of those that `a` shows.
TEST_F(Borrow, TwiceOfOneMemoryWritesAsIfTheOtherHadBeenReadBefore) {
  const auto over = [](Floats& values, const auto& write) {
    const Tensor a = Tensor::borrow(std::span(values).first(5), {5});
    const Tensor b = Tensor::borrow(std::span(values).subspan(1), {5});
    write(a, b);
  };
  Floats values{1, 2, 3, 4, 5, 6};
  over(values, [](const Tensor& a, const Tensor& b) { b.add_(a); });
  EXPECT_EQ(values, (Floats{1, 3, 5, 7, 9, 11}));
  over(values, [](const Tensor& a, const Tensor& b) { b.copy_(a); });
  EXPECT_EQ(values, (Floats{1, 1, 3, 5, 7, 9}));
  over(values,
       [](const Tensor& a, const Tensor& b) { b.index_put_({Slice(1, 5)}, a.narrow(0, 0, 4)); });
  EXPECT_EQ(values, (Floats{1, 1, 1, 1, 3, 5}));
}

TEST_F(Borrow, OfAnExportedTensorOverlapsIt) {
  const Tensor x = tensor({1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
  const Tensor shared = Tensor::from_dlpack(x.to_dlpack());
  x.narrow(0, 1, 5).add_(shared.narrow(0, 0, 5));
  EXPECT_EQ(x.to_vector<float>(), (Floats{1, 3, 5, 7, 9, 11}));
}

TEST_F(Borrow, HasGradients) {
  Floats weights{1, 2};
  const Tensor x = Tensor::borrow(std::span(weights), {2}).requires_grad_();
  (x * x).sum().backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (Floats{2, 4}));
  EXPECT_THROW(x.add_(1), Error) << "a leaf";
}

TEST(BorrowedMemory, KeepsTheDeviceAndIsGivenBackAfterTheRuntime) {
  Floats values{1, 2};
  int called = 0;
  std::optional<Tensor> x;
  {
    const Runtime runtime = start({{"cpu"}});
    x = Tensor::borrow(std::span(values), {2}, [&called] { ++called; },
                       {.device = runtime.default_device()});
  }
  x->add_(1);
  EXPECT_EQ(values, (Floats{2, 3}));
  x.reset();
  EXPECT_EQ(called, 1);
}

// A device that works late, has addresses of the host's, and notices what is used too early.
TEST(BorrowedMemory, IsGivenBackAfterTheWorkThatUsesIt) {
  const Runtime runtime =
      start({{"late"},
             "",
             fmt::format("[plugins.late.options]\nkernels = \"{}\"\nmemory = \"address\"\n"
                         "imports_host_memory = true\ndelay_microseconds = 2000\n",
                         plugin_library("cpu").string()),
             {},
             {"late"}});
  const Device device = runtime.default_device();
  for (int i = 0; i < 20; ++i) {
    auto values = std::make_unique<Floats>(1000, 2.0F);
    bool called = false;
    Tensor sum;
    {
      const Tensor x = Tensor::borrow(values->data(), {1000},
                                      [&] {
                                        EXPECT_FALSE(called);
                                        called = true;
                                        std::fill(values->begin(), values->end(), -1.0F);
                                        values.reset();
                                      },
                                      {.device = device});
      ASSERT_EQ(x.device(), device);
      sum = x + x;
    }
    EXPECT_TRUE(called);
    EXPECT_EQ(sum.to_vector<float>(), Floats(1000, 4));
  }
  const std::string report = plugin_report(device.open()->plugin());
  EXPECT_NE(report.find(" calls, all as plugin.h has it"), std::string::npos) << report;
}

}  // namespace
}  // namespace switchyard
