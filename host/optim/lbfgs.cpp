#include <switchyard/optim/lbfgs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "optim/follow.hpp"
#include "optim/lbfgs_memory.hpp"
#include "optim/strong_wolfe.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard::optim {
namespace {

void check_count(const char* name, std::int64_t count) {
  if (count >= 1) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[LBFGS] {} is {}; say 1 or more", name, count));
}

void check_counts(const LBFGSOptions& options) {
  check_count("max_iter", options.max_iter);
  check_count("max_eval", options.max_eval.value_or(1));
  check_count("history_size", options.history_size);
}

double largest_magnitude(const Tensor& vector) { return abs(vector).max().item(); }

/// One vector of the elements of all, of its own.
Tensor flat(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> rows;
  for (const Tensor& tensor : tensors) rows.push_back(tensor.flatten());
  return rows.size() == 1 ? rows[0].clone() : cat(rows);
}

}  // namespace

LBFGS::LBFGS(const std::vector<Tensor>& parameters, const LBFGSOptions& options)
    : options_(options), parameters_(parameters), memory_(std::make_unique<Memory>()) {
  check_counts(options);
  add_group(parameters, {{"lr", &options_.lr},
                         {"tolerance_grad", &options_.tolerance_grad},
                         {"tolerance_change", &options_.tolerance_change}});
  for (const Tensor& parameter : parameters_) {
    const bool is_alike = parameter.dtype() == parameters_[0].dtype() &&
                          parameter.impl()->device == parameters_[0].impl()->device;
    if (is_alike) continue;
    throw Error(ErrorKind::invalid_argument,
                "[LBFGS] the parameters lie on several devices or are of several types; it joins "
                "them to one vector");
  }
}

LBFGS::~LBFGS() = default;

std::vector<std::string_view> LBFGS::state_names(std::size_t) const { return {}; }

void LBFGS::update(Slot&, const Tensor&, std::size_t) {}  // step() does all at once

void LBFGS::step() {
  throw Error(ErrorKind::invalid_argument,
              "[LBFGS] a step computes the loss several times; give step() a closure that does");
}

Tensor LBFGS::flat_gradient() const {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters_) {
    const Tensor gradient = parameter.grad();
    gradients.push_back(gradient.defined() ? gradient.detach() : zeros_like(parameter));
  }
  return flat(gradients);
}

void LBFGS::move_by(double step_size, const Tensor& direction) const {
  std::int64_t start = 0;
  for (const Tensor& parameter : parameters_) {
    const Tensor part = direction.narrow(0, start, parameter.size());
    parameter.add_(part.reshape(parameter.shape()), step_size);
    start += parameter.size();
  }
}

/// Minus the gradient times the approximation of the inverse Hessian, which learns of the last
/// move.
Tensor LBFGS::next_direction(const Tensor& gradient) {
  Memory& memory = *memory_;
  if (memory.iterations == 1) return -gradient;
  const Tensor change = gradient - memory.previous_gradient;
  const Tensor move = memory.direction * memory.step_size;
  const Tensor product = dot(change, move);
  if (const double curvature = product.item(); curvature > 1e-10) {
    while (static_cast<std::int64_t>(memory.moves.size()) >= options_.history_size) {
      memory.gradient_changes.erase(memory.gradient_changes.begin());
      memory.moves.erase(memory.moves.begin());
      memory.inverse_products.erase(memory.inverse_products.begin());
    }
    memory.gradient_changes.push_back(change);
    memory.moves.push_back(move);
    memory.inverse_products.push_back(div(1, product));
    memory.scale = curvature / dot(change, change).item();
  }
  const std::size_t count = memory.moves.size();
  std::vector<Tensor> shares(count);
  Tensor direction = -gradient;
  for (std::size_t i = count; i-- > 0;) {
    shares[i] = dot(memory.moves[i], direction) * memory.inverse_products[i];
    direction.sub_(memory.gradient_changes[i] * shares[i]);
  }
  direction.mul_(memory.scale);
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor share = dot(memory.gradient_changes[i], direction) * memory.inverse_products[i];
    direction.add_(memory.moves[i] * (shares[i] - share));
  }
  return direction;
}

/// State that was left behind when the parameters went elsewhere.
void LBFGS::follow_parameters() {
  for (auto* vectors : {&memory_->gradient_changes, &memory_->moves, &memory_->inverse_products}) {
    for (Tensor& vector : *vectors) follow(parameters_[0], vector);
  }
  for (Tensor* vector : {&memory_->direction, &memory_->previous_gradient}) {
    if (vector->defined()) follow(parameters_[0], *vector);
  }
}

Tensor LBFGS::step(const Closure& closure) {
  const NoGrad no_grad;
  check_counts(options_);
  check_settings();
  follow_parameters();
  Tensor loss = loss_of(closure);
  ++memory_->evaluations;
  LinePoint here{0, loss.item(), flat_gradient()};
  if (largest_magnitude(here.gradient) <= options_.tolerance_grad) return loss;
  const std::int64_t most = options_.max_eval.value_or(options_.max_iter * 5 / 4);
  std::int64_t evaluations = 1;
  for (std::int64_t i = 1; i <= options_.max_iter; ++i) {
    aim(here);
    if (here.derivative > -options_.tolerance_change) break;
    const bool is_last = i == options_.max_iter;
    const bool searches = options_.line_search_fn == LineSearch::strong_wolfe;
    const std::int64_t made = searches ? search(closure, here) : go(closure, here, is_last);
    evaluations += made;
    memory_->evaluations += made;
    if (is_last || evaluations >= most || is_settled(here)) break;
  }
  return loss;
}

/// Decides where the next iteration goes, and how far without a search.
void LBFGS::aim(LinePoint& here) {
  Memory& memory = *memory_;
  ++memory.iterations;
  memory.direction = next_direction(here.gradient);
  memory.previous_gradient = here.gradient;
  memory.previous_loss = here.loss;
  memory.step_size = options_.lr;
  if (memory.iterations == 1) {
    memory.step_size *= std::min(1.0, 1 / abs(here.gradient).sum().item());
  }
  here.derivative = dot(here.gradient, memory.direction).item();
}

/// Moves as far as the conditions of the line search ask; gives how often it called the closure.
std::int64_t LBFGS::search(const Closure& closure, LinePoint& here) {
  const Tensor& direction = memory_->direction;
  std::vector<Tensor> start;
  for (const Tensor& parameter : parameters_) start.push_back(parameter.detach().clone());
  const auto go_back = [&] {
    for (std::size_t i = 0; i < start.size(); ++i) parameters_[i].copy_(start[i]);
  };
  const auto evaluate = [&](double step_size) {
    try {
      move_by(step_size, direction);
      LinePoint there{step_size, loss_of(closure).item(), flat_gradient()};
      there.derivative = dot(there.gradient, direction).item();
      go_back();
      return there;
    } catch (...) {
      go_back();
      throw;
    }
  };
  const LineSearchResult found = strong_wolfe(
      evaluate, here, memory_->step_size, largest_magnitude(direction), options_.tolerance_change);
  memory_->step_size = found.point.step_size;
  here.loss = found.point.loss;
  here.gradient = found.point.gradient;
  move_by(memory_->step_size, direction);
  return found.evaluations;
}

/// Moves by the step size as it is. After the last iteration nothing needs the loss there.
std::int64_t LBFGS::go(const Closure& closure, LinePoint& here, bool is_last) {
  move_by(memory_->step_size, memory_->direction);
  if (is_last) return 0;
  here.loss = loss_of(closure).item();
  here.gradient = flat_gradient();
  return 1;
}

bool LBFGS::is_settled(const LinePoint& here) const {
  if (largest_magnitude(here.gradient) <= options_.tolerance_grad) return true;
  const double moved = largest_magnitude(memory_->direction) * std::abs(memory_->step_size);
  return moved <= options_.tolerance_change ||
         std::abs(here.loss - memory_->previous_loss) < options_.tolerance_change;
}

}  // namespace switchyard::optim
