#include "operations.hpp"

#include <optional>
#include <switchyard/switchyard.hpp>

#include "onnx/small_models.hpp"

namespace switchyard::allocation_failures {
namespace {

std::string cpu_alone() {
  return config_text({.order = {"cpu"}, .sections = "[plugins.cpu.options]\nthreads = 1\n"});
}

// A constant that is packed, a view, and a shape that is computed.
constexpr std::string_view kModel = R"(
g (float[N, 2] x) => (float[N, 2] y)
<float[2, 2] w = {1, 2, 3, 4}> {
  product = MatMul (x, w)
  positive = Relu (product)
  rows = Shape (x)
  y = Reshape (positive, rows)
})";

class LoadingARuntime : public Operation {
 public:
  void prepare() override { text_ = cpu_alone(); }
  void perform() override { runtime_.emplace(Runtime::from_text(text_)); }
  Floats result() override {
    const Runtime loaded = *std::exchange(runtime_, std::nullopt);
    return loaded.operation("Add")(floats({2}, {1, 2}), floats({2}, {3, 4})).to_vector<float>();
  }
  Floats expected() const override { return {4, 6}; }

 private:
  std::string text_;
  std::optional<Runtime> runtime_;
};

// On a runtime that is there.
class OnARuntime : public Operation {
 protected:
  const Runtime runtime_ = Runtime::from_text(cpu_alone());
};

class LoadingAModel : public OnARuntime {
 public:
  void prepare() override { bytes_ = onnx::encode(model_of(kModel)); }
  void perform() override { model_.emplace(Model::from_bytes(runtime_, bytes_of(bytes_))); }
  Floats result() override {
    const Model loaded = *std::exchange(model_, std::nullopt);
    return loaded.run({{"x", floats({1, 2}, {1, 1})}}).front().tensor.to_vector<float>();
  }
  Floats expected() const override { return {4, 6}; }

 protected:
  std::string bytes_;
  std::optional<Model> model_;
};

class RunningAModel : public LoadingAModel {
 public:
  void prepare() override {
    LoadingAModel::prepare();
    if (!model_) LoadingAModel::perform();
    outputs_.clear();
    inputs_ = {{"x", floats({2, 2}, {1, 1, -1, 0.5})}};
  }
  void perform() override { outputs_ = model_->run(std::move(inputs_)); }
  Floats result() override { return outputs_.front().tensor.to_vector<float>(); }
  Floats expected() const override { return {4, 6, 0.5, 0}; }

 private:
  std::vector<NamedValue> inputs_, outputs_;
};

// y = w x + b; what is drawn at random is written over.
class MakingANetwork : public OnARuntime {
 public:
  void prepare() override {
    net_.reset();
    scope_.emplace(runtime_);
  }
  void perform() override { net_.emplace(2, 1); }
  Floats result() override {
    set_parameters();
    const Floats y =
        (*net_)(floats({1, 2}, {3, 4}).to(runtime_.default_device())).detach().to_vector<float>();
    net_.reset();
    scope_.reset();
    return y;
  }
  Floats expected() const override { return {11.5}; }
  bool may_throw_bad_alloc() const override { return true; }

 protected:
  void set_parameters() {
    const NoGrad off;
    net_->weight.copy_(floats({1, 2}, {1, 2}));
    net_->bias.copy_(floats({1}, {0.5}));
  }

  std::optional<RuntimeScope> scope_;
  std::optional<nn::Linear> net_;
};

class TrainingAStep : public MakingANetwork {
 public:
  void prepare() override {
    optimizer_.reset();
    MakingANetwork::prepare();
    MakingANetwork::perform();
    set_parameters();
    optimizer_.emplace(net_->parameters(), optim::SGD::Options{.lr = 0.5});
    x_ = floats({1, 2}, {3, 4}).to(runtime_.default_device());
    wanted_ = floats({1, 1}, {10.5}).to(runtime_.default_device());
  }
  // y is 11.5, one too much: the gradient is twice that, times x for the weight.
  void perform() override {
    optimizer_->zero_grad();
    const Tensor loss = mse_loss((*net_)(x_), wanted_);
    loss.backward();
    optimizer_->step();
  }
  Floats result() override {
    Floats values = net_->weight.detach().to_vector<float>();
    values.push_back(net_->bias.detach().item<float>());
    return values;
  }
  Floats expected() const override { return {-2, -2, -0.5}; }

 private:
  std::optional<optim::SGD> optimizer_;
  Tensor x_, wanted_;
};

}  // namespace

std::unique_ptr<Operation> loading_a_runtime() { return std::make_unique<LoadingARuntime>(); }
std::unique_ptr<Operation> loading_a_model() { return std::make_unique<LoadingAModel>(); }
std::unique_ptr<Operation> running_a_model() { return std::make_unique<RunningAModel>(); }
std::unique_ptr<Operation> making_a_network() { return std::make_unique<MakingANetwork>(); }
std::unique_ptr<Operation> training_a_step() { return std::make_unique<TrainingAStep>(); }

}  // namespace switchyard::allocation_failures
