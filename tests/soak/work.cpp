#include "work.hpp"

#include <random>
#include <switchyard/switchyard.hpp>

#include "onnx/small_models.hpp"

namespace switchyard::soak {
namespace {

// Batches of any size, a shape that the values tell, and an output that is another's view.
constexpr std::string_view kNetwork = R"(
g (float[N, 1, 6, 6] x) => (float[N, 3] scores, int64[N] best, float[N, 8] flat)
<float[2, 1, 3, 3] k = {0.5, -1, 0.25, 1, 0.125, -0.5, -0.25, 0.75, 1,
                        0.25, 0.5, -0.5, -1, 1, 0.125, 0.5, -0.75, 0.25},
 float[2] b = {0.125, -0.25},
 float[8, 3] w = {0.5, -1, 0.25, 1, 0.125, -0.5, -0.25, 0.75, 1, 0.5, -0.5, 0.25,
                  0.25, 1, -0.5, -1, 0.5, 0.75, 0.125, -0.125, 1, -0.75, 0.5, 0.25}> {
  c = Conv (x, k, b)
  r = Relu (c)
  p = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)
  flat = Flatten (p)
  h = MatMul (flat, w)
  scores = Softmax (h)
  best = ArgMax <axis = 1, keepdims = 0> (h)
})";

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : dice_(seed) {}

  std::int64_t below(std::uint64_t sides) { return static_cast<std::int64_t>(dice_() % sides); }
  Tensor tensor(const Dims& shape) {
    Floats values(static_cast<std::size_t>(element_count(shape)));
    for (float& value : values) value = static_cast<float>(dice_() % 4096) / 2048.0F - 1.0F;
    return floats(shape, values);
  }

 private:
  std::mt19937_64 dice_;
};

void append(Floats& all, const Tensor& tensor) {
  const Floats values = tensor.to(DType::float32).to_vector<float>();
  all.insert(all.end(), values.begin(), values.end());
}

}  // namespace

Floats run_model(const Runtime& runtime, std::uint64_t seed) {
  const RuntimeScope here(runtime);
  Numbers numbers(seed);
  const std::string bytes = onnx::encode(model_of(kNetwork));
  const Model model = Model::from_bytes(runtime, bytes_of(bytes));
  Floats computed;
  for (int run = 0; run < 2; ++run) {
    const Tensor x = numbers.tensor({1 + numbers.below(4), 1, 6, 6});
    for (const NamedValue& result : model.run({{"x", x}})) append(computed, result.tensor);
  }
  return computed;
}

Floats train(const Runtime& runtime, std::uint64_t seed) {
  const RuntimeScope here(runtime);
  Numbers numbers(seed);
  const Device device = runtime.default_device();
  nn::Sequential net(nn::Linear(6, 8), nn::Tanh(), nn::Linear(8, 3));
  net.to(device);
  {
    const NoGrad off;
    for (const Tensor& parameter : net.parameters()) {
      parameter.copy_(numbers.tensor(parameter.shape()));
    }
  }
  optim::SGD optimizer(net.parameters(), {.lr = 0.05, .momentum = 0.9});
  Floats computed;
  for (int step = 0; step < 3; ++step) {
    const Tensor x = numbers.tensor({5, 6}).to(device);
    const Tensor wanted = numbers.tensor({5, 3}).to(device);
    optimizer.zero_grad();
    const Tensor loss = nn::MSELoss()(net(x), wanted);
    loss.backward();
    optimizer.step();
    append(computed, loss.detach());
  }
  for (const Tensor& parameter : net.parameters()) append(computed, parameter.detach());
  return computed;
}

}  // namespace switchyard::soak
