// L-BFGS beside PyTorch's, with and without a line search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <switchyard/optim.hpp>

#include "optim/golden_steps.hpp"
#include "temporary_folder.hpp"
#include "tensor/host_tensor.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;
using LossOf = Tensor (*)(const Tensor& x);

Tensor joined(const Parameters& parameters) {
  return cat({parameters[0].flatten(), parameters[1].flatten()});
}

Tensor bowl(const Tensor& x) {
  const Tensor weights = arange(1, 11, 1, {.dtype = x.dtype()});
  return (weights * square(x - 1)).sum() + square(square(x)).sum() * 0.1;
}

Tensor valley(const Tensor& x) {
  const Tensor rest = x.narrow(0, 1, 9), first = x.narrow(0, 0, 9);
  return (square(rest - square(first)) * 100 + square(1 - first)).sum();
}

optim::Optimizer::Closure closure_of(optim::LBFGS& optimizer, const Parameters& parameters,
                                     LossOf function) {
  return [&, function] {
    optimizer.zero_grad();
    const Tensor loss = function(joined(parameters));
    loss.backward();
    return loss;
  };
}

struct Descent {
  const char* name;
  LossOf function;
  optim::LBFGSOptions options;
};

std::vector<Descent> descents() {
  const auto wolfe = optim::LineSearch::strong_wolfe;
  return {
      {"lbfgs", bowl, {.lr = 0.5, .max_iter = 3}},
      {"lbfgs_short", bowl, {.history_size = 2, .lr = 0.8, .max_eval = 3, .max_iter = 4}},
      {"lbfgs_wolfe", valley, {.line_search_fn = wolfe, .max_iter = 4}},
      {"lbfgs_wolfe_short", valley, {.history_size = 3, .line_search_fn = wolfe, .max_iter = 6}}};
}

void expect_descent(const Descent& descent, DType dtype, double tolerance) {
  const std::string name = std::string(descent.name) + (dtype == DType::float64 ? "_float64" : "");
  SCOPED_TRACE(name);
  const Parameters parameters = first_parameters(dtype);
  optim::LBFGS optimizer(parameters, descent.options);
  const auto closure = closure_of(optimizer, parameters, descent.function);
  const std::vector<double> losses =
      golden_case(name)["losses"].to(DType::float64).to_vector<double>();
  for (int step = 0; step < kGoldenSteps; ++step) {
    const double loss = optimizer.step(closure).item();
    EXPECT_NEAR(loss, losses[step], tolerance * (1 + losses[step])) << step;
    const GoldenCase expected = golden_case(name);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::string key = fmt::format("{}/{}", step, i);
      expect_close(parameters[i].detach(), expected[key], key, tolerance);
    }
  }
  EXPECT_EQ(optimizer.state_dict().at("state.0.func_evals").item(),
            golden_case(name)["func_evals"].item());
}

TEST(LBFGS, EveryStepIsThatOfPyTorch) {
  for (const Descent& descent : descents()) {
    expect_descent(descent, DType::float64, 1e-9);
    expect_descent(descent, DType::float32, 2e-3);
  }
}

TEST(LBFGS, GoesOnExactlyFromItsState) {
  const TemporaryFolder folder;
  for (const Descent& descent : descents()) {
    SCOPED_TRACE(descent.name);
    for (const int before : {0, 1, 3}) {
      const Parameters parameters = first_parameters(DType::float32);
      optim::LBFGS optimizer(parameters, descent.options);
      const auto closure = closure_of(optimizer, parameters, descent.function);
      for (int step = 0; step < before; ++step) optimizer.step(closure);
      save_safetensors(folder.path() / "state.safetensors", optimizer.state_dict());

      Parameters copies;
      for (const Tensor& parameter : parameters) {
        copies.push_back(parameter.detach().clone().requires_grad_());
      }
      optim::LBFGS resumed(copies, descent.options);
      resumed.load_state_dict(load_safetensors(folder.path() / "state.safetensors").tensors);
      const auto closure_of_copies = closure_of(resumed, copies, descent.function);
      for (int step = 0; step < 2; ++step) {
        optimizer.step(closure);
        resumed.step(closure_of_copies);
      }
      for (std::size_t i = 0; i < copies.size(); ++i) {
        EXPECT_TRUE(equal(copies[i].detach(), parameters[i].detach())) << before << " " << i;
      }
    }
  }
}

TEST(LBFGS, ChecksOptionsThatWereChanged) {
  const Parameters parameters = first_parameters(DType::float64);
  optim::LBFGS optimizer(parameters, {});
  const auto closure = closure_of(optimizer, parameters, bowl);
  optimizer.step(closure);
  const optim::LBFGSOptions good = optimizer.options();
  const auto refuses = [&](const char* name) {
    EXPECT_THAT(error_of([&] { optimizer.step(closure); }).what(), HasSubstr(name));
    optimizer.options() = good;
  };
  optimizer.options().history_size = 0;
  refuses("history_size");
  optimizer.options().max_iter = -3;
  refuses("max_iter");
  optimizer.options().lr = NAN;
  refuses("lr");
  optimizer.options().history_size = 1;  // less than it has kept
  optimizer.step(closure);
}

TEST(LBFGS, LeavesParametersWhereTheyWereWhenTheClosureOfALineSearchThrows) {
  const Parameters parameters = first_parameters(DType::float64);
  optim::LBFGS optimizer(parameters, {.line_search_fn = optim::LineSearch::strong_wolfe});
  const auto closure = closure_of(optimizer, parameters, valley);
  Tensor at_the_call;  // where the closure is called first: the point of the step
  int calls = 0;
  const auto throwing = [&] {
    if (calls++ == 0) at_the_call = joined(parameters).detach().clone();
    if (calls == 2) throw std::runtime_error("no more data");
    return closure();
  };
  EXPECT_THROW(optimizer.step(throwing), std::runtime_error);
  EXPECT_TRUE(equal(joined(parameters).detach(), at_the_call));
  EXPECT_NO_THROW(optimizer.step(closure));
}

TEST(LBFGS, FindsTheMinimumOfAValley) {
  const Parameters parameters = first_parameters(DType::float64);
  optim::LBFGS optimizer(parameters,
                         {.line_search_fn = optim::LineSearch::strong_wolfe, .max_iter = 200});
  const auto closure = closure_of(optimizer, parameters, valley);
  optimizer.step(closure);
  EXPECT_LT(closure().item(), 1e-9);
  EXPECT_TRUE(allclose(joined(parameters).detach(), ones({10}, {.dtype = DType::float64}), 1e-4));
  const Tensor settled = parameters[0].detach().clone();
  optimizer.step(closure);
  EXPECT_TRUE(allclose(parameters[0].detach(), settled, 1e-4));
}

TEST(LBFGS, TakesParametersWithoutGradientAsTheyAre) {
  const Parameters parameters = first_parameters(DType::float64);
  const Tensor before = parameters[1].detach().clone();
  optim::LBFGS optimizer(parameters, {.max_iter = 3});
  optimizer.step([&] {
    optimizer.zero_grad();
    const Tensor loss = square(parameters[0]).sum();
    loss.backward();
    return loss;
  });
  EXPECT_TRUE(equal(parameters[1].detach(), before));
  EXPECT_LT(square(parameters[0]).sum().item(), 1e-6);
}

TEST(LBFGS, RefusesWhatItCannotDo) {
  const Parameters parameters = first_parameters(DType::float32);
  const auto refusal = [&](const optim::LBFGSOptions& options) {
    return std::string(error_of([&] { optim::LBFGS(parameters, options); }).what());
  };
  EXPECT_THAT(refusal({.max_iter = 0}), HasSubstr("max_iter is 0"));
  EXPECT_THAT(refusal({.max_eval = 0}), HasSubstr("max_eval is 0"));
  EXPECT_THAT(refusal({.history_size = 0}), HasSubstr("history_size is 0"));
  EXPECT_THAT(refusal({.tolerance_grad = -1}), HasSubstr("tolerance_grad = -1"));
  const Parameters mixed{ones({2}, {.requires_grad = true}),
                         ones({2}, {.dtype = DType::float64, .requires_grad = true})};
  EXPECT_THAT(error_of([&] { optim::LBFGS{mixed}; }).what(), HasSubstr("several types"));
  EXPECT_THAT(error_of([&] { optim::LBFGS{Parameters{}}; }).what(),
              HasSubstr("without parameters"));
  optim::LBFGS optimizer(parameters);
  EXPECT_THAT(error_of([&] { optimizer.step(); }).what(), HasSubstr("give step() a closure"));
  EXPECT_THAT(error_of([&] { optimizer.step(optim::Optimizer::Closure()); }).what(),
              HasSubstr("got no closure"));
}

TEST(LBFGS, RefusesAStateOfAnotherAndKeepsItsOwn) {
  const Parameters parameters = first_parameters(DType::float64);
  optim::LBFGS optimizer(parameters, {.max_iter = 3});
  const auto closure = closure_of(optimizer, parameters, bowl);
  optimizer.step(closure);
  StateDict state = optimizer.state_dict();
  state.erase("state.0.H_diag");
  state["state.0.old_stps"] = zeros({2, 3});
  EXPECT_THAT(error_of([&] { optimizer.load_state_dict(state); }).what(),
              testing::AllOf(HasSubstr("missing are state.0.H_diag"),
                             HasSubstr("state.0.old_stps has shape [2, 3]")));
  state = optimizer.state_dict();
  state["param_groups.0.lr"] = host_scalar(-1.0);
  EXPECT_THROW(optimizer.load_state_dict(state), Error);
  EXPECT_EQ(optimizer.state_dict().at("state.0.n_iter").item(), 2);
}

}  // namespace
}  // namespace switchyard
