// The tasks on Switchyard, written as a user would.
//
//   switchyard_bench_training TASK THREADS CONFIG
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <switchyard/switchyard.hpp>
#include <vector>

#include "problem.hpp"
#include "server.hpp"

namespace switchyard::bench {
namespace {

Runtime start(const std::string& file, const std::string& threads) {
  std::ifstream config(file);
  if (!config) throw std::runtime_error("cannot read " + file);
  std::ostringstream text;
  text << config.rdbuf() << "\n[plugins.cpu.options]\nthreads = " << threads << '\n';
  return Runtime::from_text(text.str());
}

class Adds : public Contestant {
 public:
  Adds(bool requires_grad, bool back) : back_(back) { a_.requires_grad_(requires_grad); }

  void run() override {
    for (int left = kAddsPerRun; left > 0; --left) {
      sum_ = a_ + b_;
      if (back_) sum_.backward();
    }
    device_.synchronize();
  }

  double result() override { return (back_ ? a_.grad() : sum_).item(); }

 private:
  bool back_;
  Device device_ = current_device();
  Tensor a_ = tensor(std::vector<float>{0.25f}, {1}), b_ = tensor(std::vector<float>{0.5f}, {1}),
         sum_;
};

nn::Sequential mlp() {
  return nn::Sequential(nn::Flatten(), nn::Linear(kPixels * kPixels, kMlpWidth), nn::ReLU(),
                        nn::Linear(kMlpWidth, kMlpWidth), nn::ReLU(),
                        nn::Linear(kMlpWidth, kClasses));
}

nn::Sequential lenet() {
  return nn::Sequential(nn::Conv2d(1, 6, 5, {.padding = 2}), nn::ReLU(), nn::MaxPool2d(2),
                        nn::Conv2d(6, 16, 5), nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(),
                        nn::Linear(400, 120), nn::ReLU(), nn::Linear(120, 84), nn::ReLU(),
                        nn::Linear(84, kClasses));
}

nn::Sequential encoder() {
  return nn::Sequential(
      nn::Flatten(1, 2), nn::Linear(kPixels, kEncoderWidth),
      nn::TransformerEncoderLayer(kEncoderWidth, kEncoderHeads,
                                  {.dim_feedforward = kEncoderInner, .dropout = 0}),
      nn::Flatten(), nn::Linear(kPixels * kEncoderWidth, kClasses));
}

void set_first_values(nn::Module& net) {
  const NoGrad unrecorded;
  std::int64_t fan_in = 1;
  int number = 0;
  for (const Tensor& parameter : net.parameters()) {
    if (parameter.dim() > 1) fan_in = parameter.numel() / parameter.size(0);
    parameter.copy_(tensor(first_values(number++, parameter.numel(), fan_in), parameter.shape()));
  }
}

template <typename Optimizer>
class Training : public Contestant {
 public:
  Training(const nn::Sequential& net, std::int64_t batch, double rate)
      : net_(net),
        optimizer_(net_.parameters(), {.lr = rate}),
        pictures_(tensor(pictures(batch), {batch, 1, kPixels, kPixels})) {
    set_first_values(net_);
    for (int i = 0; i < kLabelBatches; ++i) {
      labels_.push_back(tensor(labels(batch, i), {batch}));
    }
  }

  void run() override {
    optimizer_.zero_grad();
    loss_ = cross_entropy(net_(pictures_), labels_[steps_++ % labels_.size()]);
    loss_.backward();
    optimizer_.step();
    device_.synchronize();
  }

  double result() override { return loss_.item(); }

 private:
  Device device_ = current_device();
  nn::Sequential net_;
  Optimizer optimizer_;
  Tensor pictures_, loss_;
  std::vector<Tensor> labels_;
  std::size_t steps_ = 0;
};

std::unique_ptr<Contestant> contestant(const std::string& task) {
  if (task == "add") return std::make_unique<Adds>(false, false);
  if (task == "add_recorded") return std::make_unique<Adds>(true, false);
  if (task == "add_and_back") return std::make_unique<Adds>(true, true);
  if (task == "mlp_sgd") return std::make_unique<Training<optim::SGD>>(mlp(), kMlpBatch, kRate);
  if (task == "mlp_adam") {
    return std::make_unique<Training<optim::Adam>>(mlp(), kMlpBatch, kAdamRate);
  }
  if (task == "lenet_sgd") {
    return std::make_unique<Training<optim::SGD>>(lenet(), kLenetBatch, kRate);
  }
  if (task == "encoder_adam") {
    return std::make_unique<Training<optim::Adam>>(encoder(), kEncoderBatch, kAdamRate);
  }
  throw std::runtime_error("there is no task " + task);
}

}  // namespace
}  // namespace switchyard::bench

int main(int count, char** arguments) {
  using namespace switchyard;
  if (count != 4) {
    std::cerr << "usage: switchyard_bench_training TASK THREADS CONFIG\n";
    return 2;
  }
  try {
    const Runtime runtime = bench::start(arguments[3], arguments[2]);
    const RuntimeScope scope(runtime);
    bench::serve([&] { return bench::contestant(arguments[1]); });
  } catch (const std::exception& error) {
    std::cerr << "switchyard_bench_training: " << error.what() << '\n';
    return 2;
  }
}
