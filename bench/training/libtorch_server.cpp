// The tasks on libtorch, line by line as on Switchyard.
//
//   libtorch_bench_training TASK THREADS
#include <dlfcn.h>
#include <torch/torch.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "problem.hpp"
#include "server.hpp"

namespace switchyard::bench {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

/// libtorch does not tell its BLAS. One that is not an OpenBLAS would make it a weak peer.
void set_threads(int threads) {
  at::set_num_threads(threads);
  auto* set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (!set) throw std::runtime_error("libblas.so.3 is not OpenBLAS: install libopenblas0-openmp");
  set(threads);
}

template <typename T>
Tensor from_data(const std::vector<T>& values, at::IntArrayRef shape) {
  return torch::tensor(values, c10::CppTypeToScalarType<T>::value).reshape(shape);
}

class Adds : public Contestant {
 public:
  Adds(bool requires_grad, bool back) : back_(back) { a_.requires_grad_(requires_grad); }

  void run() override {
    for (int left = kAddsPerRun; left > 0; --left) {
      sum_ = a_ + b_;
      if (back_) sum_.backward();
    }
  }

  double result() override { return (back_ ? a_.grad() : sum_).item<double>(); }

 private:
  bool back_;
  Tensor a_ = from_data<float>({0.25f}, {1}), b_ = from_data<float>({0.5f}, {1}), sum_;
};

nn::Sequential mlp() {
  return nn::Sequential(nn::Flatten(), nn::Linear(kPixels * kPixels, kMlpWidth), nn::ReLU(),
                        nn::Linear(kMlpWidth, kMlpWidth), nn::ReLU(),
                        nn::Linear(kMlpWidth, kClasses));
}

nn::Sequential lenet() {
  return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)), nn::ReLU(),
                        nn::MaxPool2d(2), nn::Conv2d(6, 16, 5), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Flatten(), nn::Linear(400, 120), nn::ReLU(), nn::Linear(120, 84),
                        nn::ReLU(), nn::Linear(84, kClasses));
}

nn::Sequential encoder() {
  return nn::Sequential(
      nn::Flatten(nn::FlattenOptions().end_dim(2)), nn::Linear(kPixels, kEncoderWidth),
      nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(kEncoderWidth, kEncoderHeads)
                                      .dim_feedforward(kEncoderInner)
                                      .dropout(0)),
      nn::Flatten(), nn::Linear(kPixels * kEncoderWidth, kClasses));
}

void set_first_values(nn::Sequential& net) {
  const torch::NoGradGuard unrecorded;
  std::int64_t fan_in = 1;
  int number = 0;
  for (Tensor& parameter : net->parameters()) {
    if (parameter.dim() > 1) fan_in = parameter.numel() / parameter.size(0);
    parameter.copy_(
        from_data(first_values(number++, parameter.numel(), fan_in), parameter.sizes()));
  }
}

template <typename Optimizer, typename Options>
class Training : public Contestant {
 public:
  Training(const nn::Sequential& net, std::int64_t batch, double rate)
      : net_(net),
        parameters_(net_->parameters()),
        optimizer_(parameters_, Options(rate)),
        pictures_(from_data(pictures(batch), {batch, 1, kPixels, kPixels})) {
    set_first_values(net_);
    for (int i = 0; i < kLabelBatches; ++i) {
      labels_.push_back(from_data(labels(batch, i), {batch}));
    }
  }

  void run() override {
    // zero_grad() of this version writes zeros, to which gradients are then added.
    for (Tensor& parameter : parameters_) parameter.mutable_grad().reset();
    loss_ =
        nn::functional::cross_entropy(net_->forward(pictures_), labels_[steps_++ % labels_.size()]);
    loss_.backward();
    optimizer_.step();
  }

  double result() override { return loss_.template item<double>(); }

 private:
  nn::Sequential net_;
  std::vector<Tensor> parameters_;
  Optimizer optimizer_;
  Tensor pictures_, loss_;
  std::vector<Tensor> labels_;
  std::size_t steps_ = 0;
};

using Sgd = Training<torch::optim::SGD, torch::optim::SGDOptions>;
using Adam = Training<torch::optim::Adam, torch::optim::AdamOptions>;

std::unique_ptr<Contestant> contestant(const std::string& task) {
  if (task == "add") return std::make_unique<Adds>(false, false);
  if (task == "add_recorded") return std::make_unique<Adds>(true, false);
  if (task == "add_and_back") return std::make_unique<Adds>(true, true);
  if (task == "mlp_sgd") return std::make_unique<Sgd>(mlp(), kMlpBatch, kRate);
  if (task == "mlp_adam") return std::make_unique<Adam>(mlp(), kMlpBatch, kAdamRate);
  if (task == "lenet_sgd") return std::make_unique<Sgd>(lenet(), kLenetBatch, kRate);
  if (task == "encoder_adam") return std::make_unique<Adam>(encoder(), kEncoderBatch, kAdamRate);
  throw std::runtime_error("there is no task " + task);
}

}  // namespace
}  // namespace switchyard::bench

int main(int count, char** arguments) {
  using namespace switchyard::bench;
  if (count != 3) {
    std::cerr << "usage: libtorch_bench_training TASK THREADS\n";
    return 2;
  }
  try {
    set_threads(std::stoi(arguments[2]));
    serve([&] { return contestant(arguments[1]); });
  } catch (const std::exception& error) {
    std::cerr << "libtorch_bench_training: " << error.what() << '\n';
    return 2;
  }
}
