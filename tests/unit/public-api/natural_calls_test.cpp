// What a program writes at its first try does what it says, or does not compile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <switchyard/switchyard.hpp>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace switchyard {
namespace {

using testing::ElementsAre;

TEST(NaturalCalls, TakeShapesThatAreMadeAtRunTime) {
  const std::vector<std::int64_t> shape = {2, 3};
  const std::size_t rows = 2;
  EXPECT_EQ(zeros(shape).shape(), shape);
  EXPECT_EQ(zeros(6).reshape(shape).shape(), Dims(2, 3));
  EXPECT_EQ(zeros({rows, 3}).size(), 6);
}

TEST(NaturalCalls, TakeADTypeAlone) {
  for (const Tensor& x : {zeros({2, 3}, DType::float16), ones({2, 3}, DType::float16),
                          full({2, 3}, 5, DType::float16), empty({2, 3}, DType::float16),
                          tensor({{1, 2, 3}, {4, 5, 6}}, DType::float16)}) {
    EXPECT_EQ(x.dtype(), DType::float16);
    EXPECT_EQ(x.shape(), Dims(2, 3));
  }
  EXPECT_EQ(zeros({2}, {}).dtype(), DType::float32);
  EXPECT_EQ(zeros({2}, {.dtype = DType::int8}).dtype(), DType::int8);
}

TEST(NaturalCalls, ReduceByMembersAsByFunctions) {
  const Tensor x = tensor({{1., 2.}, {3., 0.}});
  EXPECT_THAT(x.prod(0).to_vector<float>(), ElementsAre(3, 0));
  EXPECT_THAT(x.prod({0, 1}, true).to_vector<float>(), ElementsAre(0));
  EXPECT_THAT(x.any(1).to_vector<bool>(), ElementsAre(true, true));
  EXPECT_THAT(x.all({1}).to_vector<bool>(), ElementsAre(true, false));
  EXPECT_EQ(x.all({0, 1}, true).shape(), Dims(1, 1));
  static_assert(std::is_same_v<decltype(x.any(1)), Mask>, "`if (x.any(1))` does not compile");
}

TEST(NaturalCalls, OfOperationsTakeAnyNumberOfInputs) {
  const Tensor x = tensor({1., 2.}), y = tensor({3., 4.});
  const Operation where = current_runtime().operation("Where");
  EXPECT_THAT(where(x > 1, x, y).to_vector<float>(), ElementsAre(3, 2));
  EXPECT_THAT(where({x > 1, x, y})[0].to_vector<float>(), ElementsAre(3, 2));
  const Operation sum = current_runtime().operation("Sum");
  EXPECT_THAT(sum(x, y, x, y).to_vector<float>(), ElementsAre(8, 12));
  EXPECT_THAT(sum({x})[0].to_vector<float>(), ElementsAre(1, 2));
}

TEST(NaturalCalls, OfOperationsWriteAttributesAsTheyAre) {
  const Runtime& runtime = current_runtime();
  const Tensor x = tensor({{1., 2.}, {3., 4.}}), zero = tensor(0.);
  EXPECT_EQ(runtime.operation("Gemm", {{"alpha", 2.0}, {"transA", 1}})(x, x, zero)[0][0].item(),
            20);
  EXPECT_EQ(runtime.operation("Gemm", {{"alpha", 0.5F}, {"transB", true}})(x, x, zero)[0][0].item(),
            2.5);
  EXPECT_EQ(runtime.operation("Transpose", {{"perm", {1, 0}}})(x)[0][1].item(), 3);
  EXPECT_EQ(runtime.operation("Gelu", {{"approximate", "tanh"}})(x).shape(), Dims(2, 2));
  const std::string mode = "reflect";
  EXPECT_EQ(runtime.operation("Pad", {{"mode", mode}})(x, tensor({1, 0, 0, 0})).shape(),
            Dims(3, 2));
}

TEST(NaturalCalls, OfModelsTakeBytesOfAnyKind) {
  const std::vector<std::byte> bytes =
      onnx_bytes(nn::Sequential(nn::ReLU()), tensor({{-1., 2.}}), {.batch = "rows"});
  const auto* characters = reinterpret_cast<const char*>(bytes.data());
  const std::string text(characters, bytes.size());
  const std::vector<char> list(text.begin(), text.end());
  const std::vector<std::uint8_t> unsigned_list(text.begin(), text.end());
  const Runtime& runtime = current_runtime();
  for (const Model& model :
       {Model::from_bytes(runtime, bytes), Model::from_bytes(runtime, text),
        Model::from_bytes(runtime, list), Model::from_bytes(runtime, unsigned_list)}) {
    EXPECT_EQ(model.inputs()[0].dim_names[0], "rows");
    EXPECT_EQ(model.outputs()[0].dim_names[0], "rows");
  }
  const Model fixed = Model::from_bytes(runtime, text, {{"rows", 4}});
  EXPECT_EQ(fixed.inputs()[0].shape, Dims(4, 2));
}

TEST(NaturalCalls, HoldHandlesInContainers) {
  std::vector<Event> events(2);
  events.push_back(Event());
  events[0].record();
  const Event same = events[0];
  same.synchronize();
  EXPECT_TRUE(same.query());
  const Device device = current_device();
  std::vector<Stream> streams;
  streams.emplace_back(device);
  const std::unordered_map<Device, int> numbers{{device, 1}};
  EXPECT_EQ(numbers.at(current_device()), 1);
}

TEST(NaturalCalls, ServeFromConstNetworks) {
  nn::Linear net(2, 3);
  net.eval();
  const nn::Linear& layer = net;
  EXPECT_EQ(layer(ones({4, 2})).shape(), Dims(4, 3));
}

TEST(NaturalCalls, WriteToWhatTheyShow) {
  const Tensor x = zeros({2, 3});
  x[0] = 5;
  x.select(0, 1).copy_(tensor(2.));
  EXPECT_THAT(x.to_vector<float>(), ElementsAre(5, 5, 5, 2, 2, 2));
  static_assert(!std::is_assignable_v<Tensor, Tensor>, "x.select(0, 0) = y would write nothing");
  static_assert(std::is_assignable_v<Tensor&, Tensor> && std::is_assignable_v<Tensor&, float>);
}

TEST(NaturalCalls, KeepNumbersAsTheyAre) {
  EXPECT_EQ(tensor({18446744073709551615ULL}, DType::float64).item(), 18446744073709551616.0);
  const Tensor bytes = tensor({0, 200}, DType::uint8);
  EXPECT_THROW(static_cast<void>(bytes.clamp(-5, 250)), Error);
  EXPECT_THROW(static_cast<void>(maximum(bytes, -1)), Error);
  EXPECT_EQ(zeros({2}, DType::complex64).dtype(), DType::complex64);
}

// How many of the calls compile with a T.
// clang-format off
template <typename T>
constexpr int keepdims =
    int{requires(const Tensor& x, T value) { x.sum(0, value); }} +
    int{requires(const Tensor& x, T value) { mean(x, 0, value); }} +
    int{requires(const Tensor& x, T value) { x.argmax(0, value); }};
// clang-format on
static_assert(keepdims<bool> == 3 && keepdims<Flag> == 3);
static_assert(keepdims<int> == 0 && keepdims<double> == 0, "sum({0, 1}) was meant");

// clang-format off
template <typename T>
constexpr int dims_of_calls =
    int{requires(const Tensor& x, T value) { x.argmax(value); }} +
    int{requires(const Tensor& x, T value) { x.softmax(value); }} +
    int{requires(const Tensor& x, T value) { max(x, value); }} +
    int{requires(const Tensor& x, T value) { x.cumsum(value); }};
// clang-format on
static_assert(dims_of_calls<int> == 4 && dims_of_calls<std::size_t> == 4 &&
              dims_of_calls<Dim> == 4);
static_assert(dims_of_calls<bool> == 0 && dims_of_calls<double> == 0);
static_assert(dims_of_calls<Real> == 0 && dims_of_calls<Flag> == 0);

// clang-format off
template <typename T>
constexpr int names_of_devices =
    int{requires(const Runtime& runtime, T name) { runtime.device(name); }} +
    int{requires(const Runtime& runtime, T name) { runtime.is_available(name); }} +
    int{requires(const Runtime& runtime, T name) { is_available(name); }};
// clang-format on
static_assert(names_of_devices<const char*> == 3 && names_of_devices<std::string> == 3);
static_assert(names_of_devices<int> == 0 && names_of_devices<std::nullptr_t> == 0, "no text");

TEST(NaturalCalls, RefuseTextThatIsNowhere) {
  const char* nowhere = nullptr;
  EXPECT_THROW(static_cast<void>(current_runtime().is_available(nowhere)), Error);
}

template <typename T>
concept IsTensor = std::is_convertible_v<T, Tensor>;
static_assert(IsTensor<int> && IsTensor<bool> && IsTensor<double> && IsTensor<float16>);
static_assert(!IsTensor<char> && !IsTensor<char8_t> && !IsTensor<wchar_t>, "text is not a number");
static_assert(!IsTensor<std::nullptr_t> && !IsTensor<const char*>);
static_assert(!std::is_convertible_v<char, Real> && !std::is_convertible_v<char, Dims>);
static_assert(!std::is_convertible_v<std::nullptr_t, AttributeArgument>);
static_assert(!std::is_convertible_v<Tensor, nn::Linear>);

// clang-format off
template <typename T>
constexpr int slopes =
    int{requires(const Tensor& x, T value) { leaky_relu(x, value); }} +
    int{requires(const Tensor& x, T value) { elu(x, value); }} +
    int{requires(const Tensor& x, T value) { isclose(x, x, value); }} +
    int{requires(const Tensor& x, T value) { nn::LeakyReLU(value); }};
// clang-format on
static_assert(slopes<int> == 4 && slopes<double> == 4 && slopes<Real> == 4);
static_assert(slopes<bool> == 0 && slopes<char> == 0 && slopes<Flag> == 0);

// clang-format off
template <typename T>
constexpr int weights =
    int{requires(const Tensor& x, T value) { x.lerp_(x, value); }} +
    int{requires(const Tensor& x, T value) { x.uniform_(value); }} +
    int{requires(const Tensor& x, T value) { nn::init::constant_(x, value); }};
// clang-format on
static_assert(weights<float> == 3 && weights<bool> == 0);

}  // namespace
}  // namespace switchyard
