// Optimizers step by step beside PyTorch's: golden.safetensors, which golden.py wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <switchyard/optim.hpp>
#include <type_traits>

#include "optim/golden_steps.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using MakeOptimizer = std::function<std::unique_ptr<optim::Optimizer>(const Parameters&)>;

std::vector<std::pair<std::string, MakeOptimizer>> makes() {
  const auto sgd = [](optim::SGDOptions options) -> MakeOptimizer {
    return [=](const Parameters& p) { return std::make_unique<optim::SGD>(p, options); };
  };
  const auto adam = [](optim::AdamOptions options) -> MakeOptimizer {
    return [=](const Parameters& p) { return std::make_unique<optim::Adam>(p, options); };
  };
  const auto adamw = [](optim::AdamWOptions options) -> MakeOptimizer {
    return [=](const Parameters& p) { return std::make_unique<optim::AdamW>(p, options); };
  };
  const auto rmsprop = [](optim::RMSpropOptions options) -> MakeOptimizer {
    return [=](const Parameters& p) { return std::make_unique<optim::RMSprop>(p, options); };
  };
  return {
      {"sgd", sgd({.lr = 0.1})},
      {"sgd_decay", sgd({.lr = 0.1, .weight_decay = 0.02})},
      {"sgd_momentum", sgd({.dampening = 0.3, .lr = 0.1, .momentum = 0.9, .weight_decay = 0.02})},
      {"sgd_nesterov", sgd({.lr = 0.1, .momentum = 0.8, .nesterov = true})},
      {"adam", adam({.lr = 0.05})},
      {"adam_decay", adam({.betas = {0.8, 0.95}, .eps = 1e-6, .lr = 0.05, .weight_decay = 0.1})},
      {"adam_amsgrad",
       adam({.amsgrad = true, .betas = {0.8, 0.6}, .lr = 0.05, .weight_decay = 0.1})},
      {"adamw", adamw({.lr = 0.05, .weight_decay = 0.1})},
      {"adamw_amsgrad", adamw({.amsgrad = true, .betas = {0.8, 0.6}, .lr = 0.05})},
      {"rmsprop", rmsprop({.lr = 0.01})},
      {"rmsprop_momentum",
       rmsprop({.alpha = 0.9, .lr = 0.01, .momentum = 0.7, .weight_decay = 0.1})},
      {"rmsprop_centered", rmsprop({.alpha = 0.9, .centered = true, .lr = 0.01, .momentum = 0.7})},
      {"groups",
       [](const Parameters& p) {
         return std::make_unique<optim::SGD>(std::vector<optim::SGD::Group>{
             {{p[0]}, {.lr = 0.2}}, {{p[1]}, {.lr = 0.01, .momentum = 0.5}}});
       }},
  };
}

template <typename Optimizer>
MakeOptimizer with(const typename Optimizer::Options& options) {
  return [=](const Parameters& p) { return std::make_unique<Optimizer>(p, options); };
}

/// Those of which the file has kLongSteps.
constexpr int kLongSteps = 10;
std::vector<std::pair<std::string, MakeOptimizer>> long_makes() {
  using namespace optim;
  return {
      {"adagrad", with<Adagrad>({.lr = 0.1})},
      {"adagrad_decay", with<Adagrad>({.eps = 1e-3,
                                       .initial_accumulator_value = 0.5,
                                       .lr = 0.1,
                                       .lr_decay = 0.2,
                                       .weight_decay = 0.1})},
      {"adadelta", with<Adadelta>({})},
      {"adadelta_decay", with<Adadelta>({.eps = 1e-3, .lr = 0.5, .rho = 0.8, .weight_decay = 0.1})},
      {"nadam", with<NAdam>({.lr = 0.05})},
      {"nadam_decay", with<NAdam>({.betas = {0.8, 0.95},
                                   .eps = 1e-6,
                                   .lr = 0.05,
                                   .momentum_decay = 0.01,
                                   .weight_decay = 0.1})},
      {"nadam_decoupled",
       with<NAdam>({.decoupled_weight_decay = true, .lr = 0.05, .weight_decay = 0.1})},
      {"radam", with<RAdam>({.betas = {0.9, 0.9}, .lr = 0.05})},
      {"radam_decay",
       with<RAdam>({.betas = {0.8, 0.95}, .eps = 1e-6, .lr = 0.05, .weight_decay = 0.1})},
      {"radam_decoupled",
       with<RAdam>(
           {.betas = {0.9, 0.9}, .decoupled_weight_decay = true, .lr = 0.05, .weight_decay = 0.1})},
  };
}

void expect_trajectory(const std::string& name, const MakeOptimizer& make, DType dtype,
                       int steps = kGoldenSteps) {
  SCOPED_TRACE(name);
  const Parameters parameters = first_parameters(dtype);
  const auto optimizer = make(parameters);
  for (int step = 0; step < steps; ++step) {
    set_gradients(parameters, step);
    optimizer->step();
    expect_step(name, parameters, step);
  }
}

TEST(Optimizer, EveryStepIsThatOfPyTorch) {
  for (const auto& [name, make] : makes()) expect_trajectory(name, make, DType::float32);
  for (const auto& [name, make] : long_makes()) {
    expect_trajectory(name, make, DType::float32, kLongSteps);
  }
}

TEST(Optimizer, Float64StepsAreExact) {
  for (const auto& [name, make] : makes())
    expect_trajectory(name + "_float64", make, DType::float64);
  for (const auto& [name, make] : long_makes()) {
    expect_trajectory(name + "_float64", make, DType::float64, kLongSteps);
  }
}

TEST(Optimizer, FollowsAMomentumThatAScheduleMoves) {
  const auto follow = [](const std::string& name, const Parameters& parameters,
                         optim::Optimizer& optimizer) {
    optim::OneCycleLR schedule(optimizer, 0.3, kGoldenSteps + 1);
    for (int step = 0; step < kGoldenSteps; ++step) {
      set_gradients(parameters, step);
      optimizer.step();
      schedule.step();
      expect_step(name, parameters, step);
    }
  };
  const Parameters for_sgd = first_parameters(DType::float32);
  optim::SGD sgd(for_sgd, {.dampening = 0.3, .momentum = 0.9, .weight_decay = 0.02});
  follow("sgd_one_cycle", for_sgd, sgd);
  const Parameters for_adam = first_parameters(DType::float32);
  optim::Adam adam(for_adam);
  follow("adam_one_cycle", for_adam, adam);
}

TEST(Optimizer, GoesOnExactlyFromItsState) {
  const TemporaryFolder folder;
  auto all = makes();
  for (auto& entry : long_makes()) all.push_back(std::move(entry));
  for (const auto& [name, make] : all) {
    SCOPED_TRACE(name);
    const Parameters parameters = first_parameters(DType::float32);
    auto optimizer = make(parameters);
    for (int step = 0; step < 3; ++step) {
      set_gradients(parameters, step);
      optimizer->step();
    }
    save_safetensors(folder.path() / "state.safetensors", optimizer->state_dict());
    Parameters copies;
    for (const Tensor& parameter : parameters) copies.push_back(parameter.detach().clone());
    auto resumed = make(copies);
    resumed->set_lr(7);  // the state has the rate too
    resumed->load_state_dict(load_safetensors(folder.path() / "state.safetensors").tensors);
    for (int step = 3; step < kGoldenSteps; ++step) {
      set_gradients(parameters, step);
      set_gradients(copies, step);
      optimizer->step();
      resumed->step();
    }
    for (std::size_t i = 0; i < copies.size(); ++i) {
      EXPECT_TRUE(equal(copies[i].detach(), parameters[i].detach())) << i;
    }
  }
}

/// With a momentum, after one step.
std::unique_ptr<optim::SGD> stepped_sgd() {
  const Parameters parameters = first_parameters(DType::float32);
  auto sgd =
      std::make_unique<optim::SGD>(parameters, optim::SGDOptions{.lr = 0.1, .momentum = 0.9});
  set_gradients(parameters, 0);
  sgd->step();
  return sgd;
}

TEST(Optimizer, RefusesAStateOfAnother) {
  const auto sgd = stepped_sgd();
  StateDict state = sgd->state_dict();
  state["param_groups.0.gain"] = host_scalar(1.0);
  state["state.0.momentum_buffer"] = zeros({7});
  state.erase("param_groups.0.lr");
  EXPECT_THAT(error_of([&] { sgd->load_state_dict(state); }).what(),
              AllOf(HasSubstr("missing are param_groups.0.lr"),
                    HasSubstr("unexpected are param_groups.0.gain"), HasSubstr("[7]")));
  EXPECT_EQ(sgd->lr(), 0.1);
}

TEST(Optimizer, RefusesAStepThatIsNotACount) {
  const auto sgd = stepped_sgd();
  StateDict state = sgd->state_dict();
  for (const double steps : {-1.0, 1.5, 1e300, std::nan("")}) {
    state["state.0.step"] = host_scalar(steps);
    EXPECT_THAT(error_of([&] { sgd->load_state_dict(state); }).what(), HasSubstr("state.0.step is"))
        << steps;
  }
}

TEST(Optimizer, RefusesASettingOutOfRangeAndKeepsItsOwn) {
  const auto sgd = stepped_sgd();
  StateDict state = sgd->state_dict();
  state["param_groups.0.lr"] = host_scalar(0.5);
  for (const double momentum : {-1.0, std::nan("")}) {
    state["param_groups.0.momentum"] = host_scalar(momentum);
    EXPECT_THAT(error_of([&] { sgd->load_state_dict(state); }).what(),
                HasSubstr("param_groups.0.momentum is momentum = "))
        << momentum;
    EXPECT_EQ(sgd->lr(), 0.1);
    EXPECT_EQ(*sgd->settings()[1].value, 0.9);
  }
}

/// The state of an optimizer whose options were changed after it was made fits one that was not.
TEST(Optimizer, ReadsAStateByTheSettingsInIt) {
  for (const double momentum : {0.0, 0.9}) {
    const Parameters parameters = first_parameters(DType::float32);
    optim::SGD changed(parameters, {.lr = 0.1, .momentum = 0.9 - momentum});
    set_gradients(parameters, 0);
    changed.step();
    changed.options().momentum = momentum;

    Parameters copies;
    for (const Tensor& parameter : parameters) copies.push_back(parameter.detach().clone());
    optim::SGD resumed(copies, {.lr = 0.1, .momentum = 0.9 - momentum});
    resumed.load_state_dict(changed.state_dict());
    EXPECT_EQ(resumed.options().momentum, momentum);
    set_gradients(parameters, 1);
    set_gradients(copies, 1);
    changed.step();
    resumed.step();
    for (std::size_t i = 0; i < copies.size(); ++i) {
      EXPECT_TRUE(equal(copies[i].detach(), parameters[i].detach())) << i;
    }
  }
}

TEST(Optimizer, ForgetsAMomentumThatIsTurnedOff) {
  const auto names_of = [](const optim::Optimizer& optimizer) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : optimizer.state_dict()) {
      if (name.starts_with("state.0.")) names.push_back(name.substr(8));
    }
    return names;
  };
  const Parameters parameters = first_parameters(DType::float32);
  optim::SGD sgd(parameters, {.lr = 0.1, .momentum = 0.9});
  optim::RMSprop rmsprop(parameters, {.centered = true});
  set_gradients(parameters, 0);
  sgd.step();
  rmsprop.step();
  sgd.options().momentum = 0;
  rmsprop.options().momentum = 0.9;
  EXPECT_EQ(names_of(sgd), (std::vector<std::string>{"step"}));
  EXPECT_EQ(names_of(rmsprop),
            (std::vector<std::string>{"grad_avg", "momentum_buffer", "square_avg", "step"}));

  const Tensor mean = rmsprop.state_dict().at("state.0.grad_avg").clone();
  const Tensor gradient = parameters[0].grad();
  sgd.step();
  rmsprop.step();
  EXPECT_EQ(names_of(sgd), (std::vector<std::string>{"step"}));
  EXPECT_EQ(names_of(rmsprop),
            (std::vector<std::string>{"grad_avg", "momentum_buffer", "square_avg", "step"}));
  const Tensor moved = mean * 0.99 + gradient * 0.01;
  EXPECT_TRUE(allclose(rmsprop.state_dict().at("state.0.grad_avg"), moved));
}

TEST(Optimizer, SkipsParametersWithoutGradientAndDropsGradients) {
  const Parameters parameters = first_parameters(DType::float32);
  optim::Adam adam(parameters);
  const Tensor before = parameters[1].detach().clone();
  parameters[0].set_grad(ones({3, 2}));
  const Tensor gradient = parameters[0].grad();
  adam.step();
  EXPECT_TRUE(equal(parameters[1].detach(), before));
  EXPECT_TRUE(parameters[0].is_leaf() && parameters[0].requires_grad());
  adam.zero_grad(false);
  EXPECT_EQ(count_nonzero(gradient).item(), 0);
  adam.zero_grad();
  EXPECT_FALSE(parameters[0].grad().defined());
}

TEST(Optimizer, RefusesParametersThatItCannotChange) {
  Tensor leaf = ones({2});
  leaf.requires_grad_();
  EXPECT_THROW(optim::SGD(Parameters{}), Error);
  EXPECT_THROW(optim::SGD(Parameters{leaf, leaf}), Error);
  EXPECT_THROW(optim::SGD(Parameters{leaf * 2}), Error);
  EXPECT_THROW(optim::SGD(Parameters{host_scalar(1.0F)}), Error);
  EXPECT_THROW(optim::SGD(Parameters{leaf}, {.nesterov = true}), Error);
}

TEST(Optimizer, RefusesOptionsOutOfTheirRange) {
  const Parameters leaf{ones({2}, {.requires_grad = true})};
  const auto refusal = [&](auto&& make) { return std::string(error_of(make).what()); };
  EXPECT_THAT(refusal([&] { optim::SGD(leaf, {.lr = -1}); }), HasSubstr("lr = -1"));
  EXPECT_THAT(refusal([&] { optim::SGD(leaf, {.momentum = -0.5}); }), HasSubstr("momentum"));
  EXPECT_THAT(refusal([&] {
                optim::Adam(leaf, {.betas = {0.9, 1}});
              }),
              AllOf(HasSubstr("beta2 = 1"), HasSubstr("less than 1")));
  EXPECT_THAT(refusal([&] { optim::AdamW(leaf, {.weight_decay = NAN}); }),
              HasSubstr("weight_decay = nan"));
  EXPECT_THAT(refusal([&] { optim::RMSprop(leaf, {.eps = -1}); }), HasSubstr("eps"));
}

TEST(Optimizer, RefusesOptionsOfTheOthersOutOfTheirRange) {
  const Parameters leaf{ones({2}, {.requires_grad = true})};
  const auto refusal = [&](auto&& make) { return std::string(error_of(make).what()); };
  EXPECT_THAT(refusal([&] { optim::Adagrad(leaf, {.initial_accumulator_value = -1}); }),
              HasSubstr("initial_accumulator_value = -1"));
  EXPECT_THAT(refusal([&] { optim::Adagrad(leaf, {.lr_decay = -1}); }), HasSubstr("lr_decay"));
  EXPECT_THAT(refusal([&] { optim::Adadelta(leaf, {.rho = 1.5}); }),
              HasSubstr("rho = 1.5; it must lie between 0 and 1"));
  EXPECT_NO_THROW(optim::Adadelta(leaf, {.rho = 1}));
  EXPECT_THAT(refusal([&] { optim::NAdam(leaf, {.betas = {1, 0.9}}); }), HasSubstr("beta1 = 1"));
  EXPECT_THAT(refusal([&] { optim::NAdam(leaf, {.momentum_decay = -1}); }),
              HasSubstr("momentum_decay"));
  EXPECT_THAT(refusal([&] { optim::RAdam(leaf, {.eps = NAN}); }), HasSubstr("eps = nan"));
}

// Options of another optimizer do not become its own: weight_decay of AdamW is another one.
static_assert(std::is_constructible_v<optim::Adam, Parameters, optim::AdamOptions>);
static_assert(std::is_constructible_v<optim::AdamW, Parameters, optim::AdamWOptions>);
static_assert(!std::is_constructible_v<optim::Adam, Parameters, optim::AdamWOptions>);
static_assert(!std::is_constructible_v<optim::AdamW, Parameters, optim::AdamOptions>);
static_assert(!std::is_convertible_v<optim::AdamWOptions, optim::AdamOptions>);
static_assert(!std::is_constructible_v<optim::Adam, std::vector<optim::AdamW::Group>>);
static_assert(!std::is_constructible_v<optim::SGD, Parameters, optim::RMSpropOptions>);
static_assert(!std::is_constructible_v<optim::RAdam, Parameters, optim::NAdamOptions>);

TEST(Optimizer, RefusesGroupsThatItHasNot) {
  const Parameters leaf{ones({2}, {.requires_grad = true})};
  optim::SGD sgd(leaf);
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { static_cast<void>(sgd.lr(-1)); }, [&] { sgd.set_lr(0.1, -1); },
           [&] { static_cast<void>(sgd.settings(static_cast<std::size_t>(-1))); },
           [&] { sgd.options(static_cast<std::size_t>(-1)); }}) {
    EXPECT_THAT(error_of(call).what(), HasSubstr("there is no group -1 of 1"));
  }
  EXPECT_THAT(error_of([&] { sgd.set_lr(0.1, 1); }).what(), HasSubstr("there is no group 1 of 1"));
}

TEST(Optimizer, NamesItsStateAsPyTorch) {
  const auto names_of = [](optim::Optimizer& optimizer) {
    optimizer.parameters()[0].set_grad(ones({2}));
    optimizer.step();
    std::vector<std::string> names;
    for (const auto& entry : optimizer.state_dict()) names.push_back(entry.first);
    return names;
  };
  const Parameters leaf{ones({2}, {.requires_grad = true})};
  using testing::ElementsAre;
  optim::NAdam nadam(leaf);
  EXPECT_THAT(names_of(nadam),
              ElementsAre("param_groups.0.beta1", "param_groups.0.beta2", "param_groups.0.eps",
                          "param_groups.0.lr", "param_groups.0.momentum_decay",
                          "param_groups.0.weight_decay", "state.0.exp_avg", "state.0.exp_avg_sq",
                          "state.0.mu_product", "state.0.step"));
  optim::Adagrad adagrad(leaf);
  EXPECT_THAT(names_of(adagrad),
              ElementsAre("param_groups.0.eps", "param_groups.0.initial_accumulator_value",
                          "param_groups.0.lr", "param_groups.0.lr_decay",
                          "param_groups.0.weight_decay", "state.0.step", "state.0.sum"));
  optim::Adadelta adadelta(leaf);
  EXPECT_THAT(names_of(adadelta),
              ElementsAre("param_groups.0.eps", "param_groups.0.lr", "param_groups.0.rho",
                          "param_groups.0.weight_decay", "state.0.acc_delta", "state.0.square_avg",
                          "state.0.step"));
}

TEST(Optimizer, TakesAClosure) {
  const Parameters parameters{ones({2}, {.requires_grad = true})};
  optim::SGD sgd(parameters, {.lr = 0.25});
  const NoGrad off;  // the closure's gradients are recorded all the same
  const Tensor loss = sgd.step([&] {
    sgd.zero_grad();
    const Tensor loss = square(parameters[0]).sum();
    loss.backward();
    return loss;
  });
  EXPECT_EQ(loss.item(), 2);
  EXPECT_TRUE(equal(parameters[0].detach(), full({2}, 0.5)));
  EXPECT_THAT(error_of([&] { sgd.step(optim::Optimizer::Closure()); }).what(),
              HasSubstr("got no closure"));
  EXPECT_THAT(error_of([&] { sgd.step([] { return Tensor(); }); }).what(),
              HasSubstr("gives no tensor"));
}

/// An optimizer of one's own, which fails while `fails`.
class Failing final : public optim::Optimizer {
 public:
  explicit Failing(const Parameters& parameters) { add_group(parameters, {}); }
  bool fails = false;

 private:
  std::vector<std::string_view> state_names(std::size_t) const override { return {}; }
  void update(Slot& slot, const Tensor& gradient, std::size_t) override {
    if (fails) throw std::runtime_error("no");
    slot.parameter.sub_(gradient);
  }
};

TEST(Optimizer, DoesNotCountAStepThatFailed) {
  const Parameters parameters{ones({2}, {.requires_grad = true})};
  parameters[0].set_grad(ones({2}));
  Failing optimizer(parameters);
  optimizer.step();
  optimizer.fails = true;
  EXPECT_THROW(optimizer.step(), std::runtime_error);
  EXPECT_EQ(optimizer.state_dict().at("state.0.step").item(), 1);
}

TEST(Optimizer, LearnsALine) {
  manual_seed(5);
  nn::Linear line(1, 1);
  optim::SGD optimizer(line.parameters(), {.lr = 0.1, .momentum = 0.9});
  const Tensor x = linspace(-1, 1, 32).unsqueeze(1);
  const Tensor y = x * 3 - 1;
  for (int step = 0; step < 150; ++step) {
    optimizer.zero_grad();
    mse_loss(line(x), y).backward();
    optimizer.step();
  }
  EXPECT_NEAR(line.weight.item(), 3, 1e-3);
  EXPECT_NEAR(line.bias.item(), -1, 1e-3);
}

TEST(Clipping, CutsTheCommonNorm) {
  for (const std::string norm_type : {"1", "2", "inf"}) {
    for (const std::string limit : {"0.5", "100"}) {
      SCOPED_TRACE(norm_type + " " + limit);
      const GoldenCase expected = golden_case("clip_" + norm_type + "_" + limit);
      const Parameters parameters = first_parameters(DType::float32);
      set_gradients(parameters, 0);
      expect_close(clip_grad_norm_(parameters, std::stod(limit), std::stod(norm_type)),
                   expected["norm"], "the norm");
      expect_close(parameters[0].grad(), expected["0"], "gradient 0");
      expect_close(parameters[1].grad(), expected["1"], "gradient 1");
    }
  }
}

TEST(Clipping, CutsValuesInPlace) {
  Parameters parameters{zeros({4}, {.requires_grad = true}), zeros({1}, {.requires_grad = true})};
  const Tensor gradient = tensor({-3., -0.5, 0.5, 3.});
  parameters[0].set_grad(gradient);
  clip_grad_value_(parameters, 1);
  EXPECT_TRUE(equal(gradient, tensor({-1., -0.5, 0.5, 1.})));
  EXPECT_FALSE(parameters[1].grad().defined());
  EXPECT_EQ(clip_grad_norm_(std::span(parameters).subspan(1), 1).item(), 0);
}

}  // namespace
}  // namespace switchyard
