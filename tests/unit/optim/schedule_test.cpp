// Schedules beside PyTorch's, epoch by epoch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <switchyard/optim.hpp>

#include "nn/golden.hpp"

namespace switchyard {
namespace {

using Schedules = std::vector<std::unique_ptr<optim::LRScheduler>>;
using MakeSchedules = std::function<void(optim::Optimizer&, Schedules&)>;

constexpr int kEpochs = 14;

std::vector<double> golden_numbers(const std::string& kind, const std::string& name) {
  return GoldenCase(kind, "optim/golden.safetensors")[name].to_vector<double>();
}

Tensor some_parameter() { return zeros({1}, {.requires_grad = true}); }

double momentum_of(const optim::Optimizer& optimizer) { return *optimizer.settings()[1].value; }

void expect_rates(const std::string& name, optim::Optimizer& optimizer, const MakeSchedules& make) {
  SCOPED_TRACE(name);
  Schedules schedules;
  make(optimizer, schedules);
  const std::vector<double> rates = golden_numbers("rates", name),
                            momenta = golden_numbers("momenta", name);
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    EXPECT_NEAR(optimizer.lr(), rates[epoch], 1e-14) << epoch;
    EXPECT_NEAR(momentum_of(optimizer), momenta[epoch], 1e-14) << epoch;
    if (epoch + 1 == kEpochs) break;
    for (const auto& schedule : schedules) schedule->step();
    EXPECT_EQ(schedules[0]->get_last_lr(), std::vector<double>{optimizer.lr()});
  }
}

template <typename Schedule, typename... Arguments>
MakeSchedules made(const Arguments&... arguments) {
  return [=](optim::Optimizer& optimizer, Schedules& list) {
    list.push_back(std::make_unique<Schedule>(optimizer, arguments...));
  };
}

void expect_rates(const std::string& name, const MakeSchedules& make) {
  optim::SGD optimizer({some_parameter()}, {.lr = 0.4, .momentum = 0.9});
  expect_rates(name, optimizer, make);
}

TEST(Schedules, AreThoseOfPyTorch) {
  expect_rates("lambda", made<optim::LambdaLR>([](std::int64_t epoch) {
                 return 1 / (1 + static_cast<double>(epoch));
               }));
  expect_rates("step", made<optim::StepLR>(3, 0.5));
  expect_rates("multi_step", made<optim::MultiStepLR>(std::vector<std::int64_t>{2, 5, 5, 9}, 0.5));
  expect_rates("exponential", made<optim::ExponentialLR>(0.9));
  expect_rates("linear", made<optim::LinearLR>(optim::LinearLROptions{
                             .end_factor = 0.8, .start_factor = 0.25, .total_iters = 6}));
  expect_rates("cosine", made<optim::CosineAnnealingLR>(5, 0.01));
  expect_rates("one_cycle", made<optim::OneCycleLR>(1, kEpochs));
}

TEST(Schedules, WorkTogether) {
  expect_rates("warm_cosine", [](optim::Optimizer& optimizer, Schedules& list) {
    list.push_back(std::make_unique<optim::LinearLR>(
        optimizer, optim::LinearLROptions{.start_factor = 0.25, .total_iters = 4}));
    list.push_back(std::make_unique<optim::CosineAnnealingLR>(optimizer, 10));
  });
}

TEST(Schedules, MoveTheFirstBetaOfAdam) {
  optim::Adam adam({some_parameter()}, {.lr = 0.4});
  expect_rates("one_cycle_linear", adam,
               made<optim::OneCycleLR>(
                   1, kEpochs, optim::OneCycleLROptions{.linear = true, .three_phase = true}));
}

TEST(Schedules, PlateausReduceTheRate) {
  const std::vector<double> metrics = load_safetensors(golden_path("optim/golden.safetensors"))
                                          .tensors["metrics"]
                                          .to_vector<double>();
  const std::vector<std::pair<std::string, optim::ReduceLROnPlateauOptions>> cases{
      {"plateau", {.cooldown = 1, .factor = 0.5, .patience = 1}},
      {"plateau_max",
       {.absolute_threshold = true,
        .factor = 0.5,
        .maximize = true,
        .min_lr = 0.15,
        .patience = 2,
        .threshold = 0.5}}};
  for (const auto& [name, options] : cases) {
    SCOPED_TRACE(name);
    optim::SGD optimizer({some_parameter()}, {.lr = 0.4});
    auto schedule = std::make_unique<optim::ReduceLROnPlateau>(optimizer, options);
    const std::vector<double> rates = golden_numbers("rates", name);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      EXPECT_NEAR(optimizer.lr(), rates[epoch], 1e-14) << epoch;
      schedule->step(metrics[epoch]);
      const StateDict state = schedule->state_dict();  // each epoch goes on from the state alone
      schedule = std::make_unique<optim::ReduceLROnPlateau>(optimizer, options);
      schedule->load_state_dict(state);
    }
  }
}

TEST(Schedules, GoOnFromTheirState) {
  const std::vector<double> rates = golden_numbers("rates", "cosine");
  optim::SGD first({some_parameter()}, {.lr = 0.4});
  optim::CosineAnnealingLR before(first, 5, 0.01);
  for (int epoch = 0; epoch < 6; ++epoch) before.step();
  optim::SGD second({some_parameter()}, {.lr = 7});
  optim::CosineAnnealingLR after(second, 5, 0.01);
  second.load_state_dict(first.state_dict());
  after.load_state_dict(before.state_dict());
  EXPECT_EQ(after.last_epoch(), 6);
  for (int epoch = 6; epoch < kEpochs; ++epoch) {
    EXPECT_NEAR(second.lr(), rates[epoch], 1e-14) << epoch;
    after.step();
  }
  EXPECT_THROW(after.load_state_dict({}), Error);
}

TEST(Schedules, RefuseWhatMakesNoSense) {
  optim::SGD optimizer({some_parameter()}, {.lr = 0.4});
  EXPECT_THROW(optim::StepLR(optimizer, 0), Error);
  EXPECT_THROW(optim::LambdaLR(optimizer, {}), Error);
  EXPECT_THROW(optim::CosineAnnealingLR(optimizer, 0), Error);
  EXPECT_THROW(optim::LinearLR(optimizer, {.start_factor = 0}), Error);
  EXPECT_THROW(optim::LinearLR(optimizer, {.end_factor = -1}), Error);
  EXPECT_THROW(optim::OneCycleLR(optimizer, 1, 0), Error);
  // Without a momentum there is none to move.
  EXPECT_THROW(optim::OneCycleLR(optimizer, 1, 3), Error);
  optim::OneCycleLR schedule(optimizer, 1, 3, {.cycle_momentum = false});
  for (int step = 0; step < 3; ++step) schedule.step();
  EXPECT_THROW(schedule.step(), Error);
}

}  // namespace
}  // namespace switchyard
