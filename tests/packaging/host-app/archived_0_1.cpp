// A program as users of 0.1 wrote it, over as much of the API as fits: it is compiled and run with
// every later 0.x, and never changed. archived_0_1 MODEL.onnx
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

namespace {

void expect(bool is_right, const char* what) {
  if (is_right) return;
  std::cerr << "wrong: " << what << '\n';
  std::exit(1);
}

void use_tensors() {
  const Tensor x = tensor({{1.0F, 2.0F}, {3.0F, 4.0F}});
  expect((x[1].sum() + x.mean(0).max()).item<float>() == 10, "arithmetic");
  expect(x.transpose(0, 1).reshape({4}).to_vector<float>()[1] == 3, "views");
  expect(allclose(matmul(x, eye(2)), x), "matmul");
  expect(where(x > 2, x, 0).to(DType::int64).sum().item<std::int64_t>() == 7, "masks");
  std::vector<float> numbers = {1, 2, 3};
  expect(tensor_from_bytes(DType::float32, std::as_bytes(std::span(numbers)), {3}).dim() == 1,
         "bytes");
  expect(linalg::det(x).defined() && fft::rfft(x).dim() == 3, "linalg, fft");
}

void train() {
  manual_seed(7);
  nn::Sequential net(nn::Linear(2, 8), nn::ReLU(), nn::Linear(8, 1));
  optim::AdamW optimizer(net.parameters(), {.lr = 0.05});
  optim::StepLR schedule(optimizer, 50);
  const Tensor x = rand({32, 2}), y = x.sum(1, true);
  for (int step = 0; step < 100; ++step) {
    optimizer.zero_grad();
    mse_loss(net(x), y).backward();
    optimizer.step();
    schedule.step();
  }
  const NoGrad no_grad;
  expect(mse_loss(net(x), y).item<float>() < 0.05, "training");
}

void differentiate() {
  const Tensor x = tensor({2.0F, 3.0F}).requires_grad_();
  const Tensor first = grad((x * x * x).sum(), x, {.create_graph = true});
  expect(grad(first.sum(), x).to_vector<float>()[1] == 18, "second derivatives");
  CustomFunction twice{
      .name = "twice",
      .forward = [](FunctionContext&,
                    std::span<const Tensor> in) { return std::vector<Tensor>{in[0] * 2}; },
      .backward =
          [](FunctionContext&, std::span<const Tensor> gradients) {
            return std::vector<Tensor>{gradients[0] * 2};
          }};
  const std::vector<Tensor> inputs = {x};
  expect(grad(twice(inputs)[0].sum(), x)[0].item<float>() == 2, "a function of one's own");
}

void run_model(const char* file) {
  const Runtime& runtime = current_runtime();
  const Model model = Model::load(runtime, file);
  const auto outputs = model.run({{model.inputs()[0].name, zeros({1, 1, 28, 28})}});
  expect(outputs.size() == 1 && outputs[0].tensor.shape() == Dims{1, 10}, "a model");
  Run run(model);
  run.set_input(0, zeros({2, 1, 28, 28}));
  run.execute();
  expect(run.output(0).shape() == Dims{2, 10}, "a run");
  try {
    Model::load(runtime, "nowhere.onnx");
    expect(false, "an error");
  } catch (const Error& error) {
    expect(error.kind() == ErrorKind::not_found && !error.is_retryable(), "kinds of errors");
  }
}

}  // namespace

int main(int, char** arguments) {
  use_tensors();
  train();
  differentiate();
  run_model(arguments[1]);
  std::cout << "0.1 works on " << current_device() << '\n';
}
