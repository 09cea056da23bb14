// Schedules beside PyTorch's, epoch by epoch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <switchyard/optim.hpp>

#include "nn/golden.hpp"
#include "tensor/test_runtime.hpp"

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
  expect_rates("constant",
               made<optim::ConstantLR>(optim::ConstantLROptions{.factor = 0.25, .total_iters = 4}));
  expect_rates("polynomial", made<optim::PolynomialLR>(
                                 optim::PolynomialLROptions{.power = 2.5, .total_iters = 8}));
  expect_rates("warm_restarts", made<optim::CosineAnnealingWarmRestarts>(3, 2, 0.01));
  expect_rates("warm_restarts_equal", made<optim::CosineAnnealingWarmRestarts>(4));
  expect_rates("swa", made<optim::SWALR>(0.05, optim::SWALROptions{.anneal_epochs = 5}));
  expect_rates("swa_linear",
               made<optim::SWALR>(0.05, optim::SWALROptions{.anneal_epochs = 4, .linear = true}));
  expect_rates("swa_at_once", made<optim::SWALR>(0.05, optim::SWALROptions{.anneal_epochs = 0}));
}

TEST(Schedules, GoRound) {
  const auto cyclic = [](const optim::CyclicLROptions& options) {
    return made<optim::CyclicLR>(0.1, 0.9, options);
  };
  expect_rates("cyclic", cyclic({.step_size_up = 3}));
  expect_rates("cyclic_halved", cyclic({.base_momentum = 0.7,
                                        .max_momentum = 0.95,
                                        .mode = optim::CyclicMode::triangular2,
                                        .step_size_down = 4,
                                        .step_size_up = 2}));
  expect_rates("cyclic_range", cyclic({.cycle_momentum = false,
                                       .gamma = 0.9,
                                       .mode = optim::CyclicMode::exp_range,
                                       .step_size_up = 3}));
  expect_rates("cyclic_scaled", cyclic({.scale_fn = [](double step) { return 1 / (1 + step); },
                                        .scale_mode = optim::CyclicScale::iterations,
                                        .step_size_up = 3}));
}

TEST(Schedules, BeginAgainInFractionsOfAnEpoch) {
  const std::vector<double> rates = golden_numbers("rates", "warm_restarts_fractional");
  optim::SGD optimizer({some_parameter()}, {.lr = 0.4});
  optim::CosineAnnealingWarmRestarts schedule(optimizer, 2, 3, 0.01);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (i < 40) {
      schedule.step(static_cast<double>(i) / 4);
    } else {
      schedule.step();
    }
    EXPECT_NEAR(optimizer.lr(), rates[i], 1e-14) << i;
  }
}

/// Makes schedules that follow each other, and keeps them in `parts`.
template <typename... Makes>
MakeSchedules sequence(Schedules& parts, const std::vector<std::int64_t>& milestones,
                       const Makes&... makes) {
  return [&parts, milestones, makes...](optim::Optimizer& optimizer, Schedules& list) {
    (makes(optimizer, parts), ...);
    std::vector<optim::LRScheduler*> all;
    for (const auto& part : parts) all.push_back(part.get());
    list.push_back(std::make_unique<optim::SequentialLR>(optimizer, all, milestones));
  };
}

MakeSchedules golden_sequence(Schedules& parts) {
  return sequence(
      parts, {3, 8},
      made<optim::ConstantLR>(optim::ConstantLROptions{.factor = 0.1, .total_iters = 2}),
      made<optim::ExponentialLR>(0.9), made<optim::CosineAnnealingLR>(4));
}

TEST(Schedules, FollowEachOther) {
  Schedules parts;
  expect_rates("sequential", golden_sequence(parts));
  parts.clear();
  expect_rates(
      "sequential_warm",
      sequence(parts, {4},
               made<optim::LinearLR>(optim::LinearLROptions{.start_factor = 0.1, .total_iters = 4}),
               made<optim::CosineAnnealingWarmRestarts>(3)));
}

TEST(Schedules, FollowEachOtherInASequenceOfSequences) {
  optim::SGD optimizer({some_parameter()}, {.lr = 1});
  optim::ConstantLR tenth(optimizer, {.factor = 0.1, .total_iters = 9});
  optim::ExponentialLR halved(optimizer, 0.5);
  optim::SequentialLR inner(optimizer, {&tenth, &halved}, {2});
  optim::ConstantLR fifth(optimizer, {.factor = 0.2, .total_iters = 9});
  optim::SequentialLR outer(optimizer, {&fifth, &inner}, {2});
  for (const double rate : {0.2, 0.2, 0.1, 0.1, 1.0, 0.5, 0.25}) {
    EXPECT_NEAR(optimizer.lr(), rate, 1e-14);
    outer.step();
  }
}

TEST(Schedules, OfASequenceLoadAllOrNothing) {
  optim::SGD optimizer({some_parameter()}, {.lr = 1});
  optim::ConstantLR tenth(optimizer, {.factor = 0.1, .total_iters = 9});
  optim::ExponentialLR halved(optimizer, 0.5);
  optim::SequentialLR schedule(optimizer, {&tenth, &halved}, {2});
  StateDict saved = schedule.state_dict();
  for (int i = 0; i < 3; ++i) schedule.step();
  saved.erase("_schedulers.1.last_epoch");
  EXPECT_THROW(schedule.load_state_dict(saved), Error);
  EXPECT_EQ(schedule.last_epoch(), 3);
  EXPECT_EQ(tenth.last_epoch(), 1);
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

TEST(Schedules, OfSeveralGoOnFromTheirState) {
  const auto expect_resumed = [](const std::string& name, const MakeSchedules& make,
                                 const MakeSchedules& make_again) {
    SCOPED_TRACE(name);
    const std::vector<double> rates = golden_numbers("rates", name);
    for (int done = 0; done < kEpochs; ++done) {
      Schedules before, after;
      optim::SGD first({some_parameter()}, {.lr = 0.4, .momentum = 0.9});
      make(first, before);
      for (int epoch = 0; epoch < done; ++epoch) before[0]->step();
      optim::SGD second({some_parameter()}, {.lr = 0.4, .momentum = 0.9});
      make_again(second, after);
      second.load_state_dict(first.state_dict());
      after[0]->load_state_dict(before[0]->state_dict());
      for (int epoch = done; epoch < kEpochs; ++epoch) {
        EXPECT_NEAR(second.lr(), rates[epoch], 1e-14) << done << " " << epoch;
        after[0]->step();
      }
      StateDict other = before[0]->state_dict();
      other.erase("last_epoch");
      EXPECT_THROW(after[0]->load_state_dict(other), Error);
    }
  };
  const auto restarts = made<optim::CosineAnnealingWarmRestarts>(3, 2, 0.01);
  expect_resumed("warm_restarts", restarts, restarts);
  Schedules parts, parts_again;
  const auto clean = [](Schedules& kept) {
    return [&kept](optim::Optimizer& optimizer, Schedules& list) {
      kept.clear();
      golden_sequence(kept)(optimizer, list);
    };
  };
  expect_resumed("sequential", clean(parts), clean(parts_again));
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

TEST(Schedules, SayWhatMakesNoSense) {
  optim::SGD optimizer({some_parameter()}, {.lr = 0.4, .momentum = 0.9});
  optim::SGD plain({some_parameter()}, {.lr = 0.4});
  optim::ExponentialLR a(optimizer, 0.5), b(optimizer, 0.5), other(plain, 0.5);
  const auto refusal = [](auto&& make) { return std::string(error_of(make).what()); };
  using testing::HasSubstr;
  const auto sequential = [&](const std::vector<optim::LRScheduler*>& schedulers,
                              const std::vector<std::int64_t>& milestones) {
    return refusal([&] { optim::SequentialLR(optimizer, schedulers, milestones); });
  };
  EXPECT_THAT(sequential({&a, &b}, {}), HasSubstr("0 milestones between 2 schedules"));
  EXPECT_THAT(sequential({}, {}), HasSubstr("0 milestones between 0 schedules"));
  EXPECT_THAT(sequential({&a, &b}, {0}), HasSubstr("a milestone of 0"));
  EXPECT_THAT(sequential({&a, &a}, {1}), HasSubstr("comes twice"));
  EXPECT_THAT(sequential({&a, &other}, {1}), HasSubstr("of another optimizer"));
  EXPECT_THAT(sequential({&a, nullptr}, {1}), HasSubstr("a schedule is none"));
  const auto cyclic = [&](const optim::CyclicLROptions& options) {
    return refusal([&] { optim::CyclicLR(optimizer, 0.1, 0.2, options); });
  };
  EXPECT_THAT(cyclic({.step_size_up = 0}), HasSubstr("step_size_up is 0"));
  EXPECT_THAT(cyclic({.gamma = 0.5}), HasSubstr("gamma is for the mode exp_range"));
  EXPECT_THAT(cyclic({.scale_mode = optim::CyclicScale::iterations}), HasSubstr("scale_mode"));
  EXPECT_THAT(
      cyclic({.mode = optim::CyclicMode::triangular2, .scale_fn = [](double) { return 1.0; }}),
      HasSubstr("takes the place of a mode"));
  EXPECT_THAT(cyclic({.base_momentum = 0.7, .cycle_momentum = false}),
              HasSubstr("[CyclicLR] base_momentum and max_momentum are for cycle_momentum alone"));
  EXPECT_THAT(cyclic({.cycle_momentum = false, .max_momentum = 0.8}), HasSubstr("max_momentum"));
  const auto one_cycle = [&](const optim::OneCycleLROptions& options) {
    return refusal([&] { optim::OneCycleLR(optimizer, 1, 3, options); });
  };
  EXPECT_THAT(one_cycle({.base_momentum = 0.7, .cycle_momentum = false}),
              HasSubstr("[OneCycleLR] base_momentum and max_momentum are for cycle_momentum"));
  EXPECT_THAT(one_cycle({.cycle_momentum = false, .max_momentum = 0.8}), HasSubstr("max_momentum"));
  EXPECT_THAT(refusal([&] { optim::CyclicLR(plain, 0.1, 0.2); }),
              HasSubstr("[CyclicLR] the optimizer has no momentum"));
  EXPECT_THAT(refusal([&] { optim::ConstantLR(optimizer, {.factor = 0}); }),
              HasSubstr("factor is 0"));
  EXPECT_THAT(refusal([&] { optim::PolynomialLR(optimizer, {.total_iters = 0}); }),
              HasSubstr("total_iters is 0"));
  EXPECT_THAT(refusal([&] { optim::PolynomialLR(optimizer, {.power = -1}); }),
              HasSubstr("power is -1"));
  EXPECT_THAT(refusal([&] { optim::SWALR(optimizer, -1); }), HasSubstr("swa_lr is -1"));
  EXPECT_THAT(refusal([&] { optim::CosineAnnealingWarmRestarts(optimizer, 0); }),
              HasSubstr("t_0 is 0"));
  optim::CosineAnnealingWarmRestarts restarts(optimizer, 3);
  EXPECT_THAT(refusal([&] { restarts.step(-1.0); }), HasSubstr("epoch -1"));
}

}  // namespace
}  // namespace switchyard
