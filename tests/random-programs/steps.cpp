#include "steps.hpp"

#include <utility>

namespace switchyard::random_programs {
namespace {

constexpr std::size_t kMostVariables = 8;
constexpr std::int64_t kMostElements = 20'000;

}  // namespace

Steps::Steps(const Environment& environment, std::uint64_t seed, std::vector<Floats>& read,
             std::vector<Variable> shared)
    : environment_(environment),
      dice_(seed),
      read_(read),
      variables_(std::move(shared)),
      events_(2) {}

const std::vector<Steps::Kind>& Steps::kinds() {
  static const std::vector<Kind> all = {
      {4, &Steps::create},
      {6, &Steps::compute_unary},
      {8, &Steps::compute_binary},
      {2, &Steps::compute_product},
      {4, &Steps::reduce},
      {6, &Steps::view},
      {2, &Steps::copy},
      {6, &Steps::move},
      {3, &Steps::write_from},
      {6, &Steps::write},
      {3, &Steps::drop},
      {2, &Steps::read},
      {1, &Steps::read_positions},
      {2, &Steps::mark},
      {2, &Steps::wait},
      {1, &Steps::synchronize},
      {1, &Steps::run_model},
      {1, &Steps::differentiate},
      {1, &Steps::give_back_memory},
      {2, &Steps::call_between_devices},
  };
  return all;
}

void Steps::take() {
  const std::size_t device = die(environment_.devices.size());
  const auto scope = environment_.on_stream(device, die(Environment::kStreams));
  std::size_t total = 0;
  for (const Kind& kind : kinds()) total += static_cast<std::size_t>(kind.weight);
  std::size_t left = die(total);
  for (const Kind& kind : kinds()) {
    if (left < static_cast<std::size_t>(kind.weight)) return (this->*kind.take)();
    left -= static_cast<std::size_t>(kind.weight);
  }
}

void Steps::read_all() {
  for (const Variable& variable : variables_) {
    read_.push_back(variable.tensor.to_vector<float>());
  }
}

Dims Steps::any_shape() {
  Dims shape;
  const std::size_t rank = die(4);
  for (std::size_t i = 0; i < rank; ++i) {
    shape.push_back(die(12) == 0 ? 0 : static_cast<std::int64_t>(1 + die(6)));
  }
  if (rank > 0 && die(8) == 0) shape[0] = 100;
  return shape;
}

Tensor Steps::new_tensor(const Dims& shape, std::size_t device) {
  Floats values(static_cast<std::size_t>(element_count(shape)));
  for (float& value : values) value = number();
  return floats(shape, values).to(environment_.devices[device]);
}

Variable& Steps::any() {
  if (variables_.empty()) create();
  return variables_[die(variables_.size())];
}

// An old variable goes, with work on it under way.
void Steps::keep(Variable variable) {
  if (variable.tensor.size() > kMostElements) return;
  if (variables_.size() < kMostVariables) return variables_.push_back(std::move(variable));
  variables_[die(variables_.size())] = std::move(variable);
}

void Steps::keep(Tensor tensor, std::size_t device) { keep({std::move(tensor), device}); }

void Steps::share_elements(const Variable& with, Tensor tensor, std::size_t device) {
  if (*with.may_write) *with.may_write = false;
  keep({std::move(tensor), device, with.may_write});
}

void Steps::create() {
  const std::size_t device = die(environment_.devices.size());
  const Dims shape = any_shape();
  keep(new_tensor(shape, device), device);
}

void Steps::compute_unary() {
  const Variable& x = any();
  switch (die(6)) {
    case 0: return keep(relu(x.tensor), x.device);
    case 1: return keep(tanh(x.tensor), x.device);
    case 2: return keep(sigmoid(x.tensor), x.device);
    case 3: return keep(-x.tensor, x.device);
    case 4: return keep(x.tensor.abs(), x.device);
    default: return keep(x.tensor * number(), x.device);
  }
}

// One that goes with `other`, on its device: of the same shape, or broadcast to it.
Tensor Steps::operand_for(const Variable& other) {
  for (std::size_t i = die(variables_.size()); i < variables_.size(); ++i) {
    const Variable& candidate = variables_[i];
    if (!(candidate.tensor.shape() == other.tensor.shape())) continue;
    if (candidate.device == other.device) return candidate.tensor;
    return candidate.tensor.to(environment_.devices[other.device], die(2) == 0);
  }
  switch (die(3)) {
    case 0: return Tensor(number());
    case 1: return new_tensor({}, other.device);
    default: return new_tensor(other.tensor.shape(), other.device);
  }
}

void Steps::compute_binary() {
  const Variable x = any();
  const Tensor y = operand_for(x);
  switch (die(4)) {
    case 0: return keep(x.tensor + y, x.device);
    case 1: return keep(x.tensor - y, x.device);
    case 2: return keep(tanh(x.tensor * y), x.device);
    default: return keep(where(x.tensor > y, x.tensor, y.to(x.tensor.dtype())), x.device);
  }
}

void Steps::compute_product() {
  const Variable x = any();
  if (x.tensor.dim() != 2) return;
  const Tensor w = new_tensor({x.tensor.size(1), static_cast<std::int64_t>(1 + die(5))}, x.device);
  keep(tanh(matmul(x.tensor, w)), x.device);
}

void Steps::reduce() {
  const Variable& x = any();
  if (x.tensor.dim() == 0 || x.tensor.size() == 0) return;
  const auto dim = static_cast<std::int64_t>(die(static_cast<std::size_t>(x.tensor.dim())));
  switch (die(4)) {
    case 0: return keep(x.tensor.mean({dim}), x.device);
    case 1: return keep(x.tensor.amax({dim}, true), x.device);
    case 2: return keep(x.tensor.softmax(dim), x.device);
    default: return keep(tanh(x.tensor.sum({dim}, true)), x.device);
  }
}

void Steps::view() {
  const Variable x = any();
  const auto rank = static_cast<std::size_t>(x.tensor.dim());
  const auto dim = static_cast<std::int64_t>(die(rank + 1));
  const auto other = static_cast<std::int64_t>(die(rank + 1));
  const auto keep_view = [&](Tensor view) { keep({std::move(view), x.device, x.may_write}); };
  if (rank == 0 || dim == x.tensor.dim()) {
    return rank < 4 ? keep_view(x.tensor.unsqueeze(dim)) : void();
  }
  const std::int64_t extent = x.tensor.size(dim);
  switch (die(4)) {
    case 0: return keep_view(x.tensor.transpose(dim, other % x.tensor.dim()));
    case 1: {
      const auto start = static_cast<std::int64_t>(die(static_cast<std::size_t>(extent) + 1));
      const auto length = die(static_cast<std::size_t>(extent - start) + 1);
      return keep_view(x.tensor.narrow(dim, start, static_cast<std::int64_t>(length)));
    }
    case 2:
      if (extent == 0) return;
      return keep_view(
          x.tensor.select(dim, static_cast<std::int64_t>(die(static_cast<std::size_t>(extent)))));
    default: return share_elements(x, x.tensor.reshape({x.tensor.size()}), x.device);
  }
}

void Steps::copy() {
  const Variable x = any();
  if (die(2) == 0) return keep(x.tensor.clone(), x.device);
  share_elements(x, x.tensor.contiguous(), x.device);
}

void Steps::move() {
  const Variable x = any();
  const std::size_t device = die(environment_.devices.size());
  share_elements(x, x.tensor.to(environment_.devices[device], die(2) == 0), device);
}

void Steps::call_between_devices() {
  const Variable x = any();
  const Variable y = any();
  if (!(x.tensor.shape() == y.tensor.shape())) return;
  const std::size_t device = die(environment_.devices.size());
  keep(environment_.runtime.operation_on(environment_.devices[device], "Sub")(x.tensor, y.tensor),
       device);
}

void Steps::write() {
  const Variable x = any();
  const float value = number();
  const std::size_t way = die(5);
  if (!*x.may_write) return;
  switch (way) {
    case 0: x.tensor.add_(value); return;
    case 1: x.tensor.mul_(value); return;
    case 2: x.tensor.fill_(value); return;
    case 3: x.tensor.relu_(); return;
    default: x.tensor.tanh_(); return;
  }
}

void Steps::write_from() {
  const Variable x = any();
  const Tensor y = operand_for(x);
  const bool copies = die(2) == 0;
  if (!*x.may_write) return;
  if (copies) {
    x.tensor.copy_(y);
  } else {
    x.tensor.sub_(y);
    x.tensor.tanh_();
  }
}

void Steps::drop() {
  if (variables_.size() < 2) return;
  variables_.erase(variables_.begin() + static_cast<std::ptrdiff_t>(die(variables_.size())));
}

void Steps::read() { read_.push_back(any().tensor.to_vector<float>()); }

// A result whose shape the values tell.
void Steps::read_positions() {
  Floats found;
  for (const std::int64_t position : nonzero(relu(any().tensor)).to_vector<std::int64_t>()) {
    found.push_back(static_cast<float>(position));
  }
  read_.push_back(std::move(found));
}

void Steps::mark() {
  events_[die(events_.size())].record(
      environment_.stream(die(environment_.devices.size()), die(Environment::kStreams)));
}

void Steps::wait() {
  const Event& event = events_[die(events_.size())];
  const Stream& stream =
      environment_.stream(die(environment_.devices.size()), die(Environment::kStreams));
  switch (die(3)) {
    case 0: return stream.wait_event(event);
    case 1: return event.synchronize();
    default: static_cast<void>(event.query() || stream.query());
  }
}

void Steps::synchronize() {
  const std::size_t device = die(environment_.devices.size());
  const std::size_t stream = die(Environment::kStreams);
  if (die(2) == 0) return environment_.devices[device].synchronize();
  environment_.stream(device, stream).synchronize();
}

void Steps::give_back_memory() {
  environment_.devices[die(environment_.devices.size())].empty_cache();
}

void Steps::run_model() {
  const std::size_t device = die(environment_.devices.size());
  const Tensor x = new_tensor({static_cast<std::int64_t>(1 + die(5)), 4}, device);
  std::vector<NamedValue> results = environment_.model.run({{"x", x}});
  x.fill_(number());  // results share nothing with it
  for (std::size_t i = 0; i < 3; ++i) {
    keep({results[i].tensor.to(environment_.devices[device]), device,
          std::make_shared<bool>(false)});
  }
}

void Steps::differentiate() {
  const Variable x = any();
  Tensor leaf = x.tensor.clone();
  leaf.requires_grad_();
  (leaf * leaf + tanh(leaf)).sum().backward();
  keep(leaf.grad(), x.device);
}

std::vector<Variable> shared_variables(const Environment& environment, std::uint64_t seed) {
  std::vector<Floats> nothing;
  Steps steps(environment, seed, nothing, {});
  while (steps.variables_.size() < 3) steps.create();
  for (const Variable& variable : steps.variables_) *variable.may_write = false;
  return steps.variables_;
}

}  // namespace switchyard::random_programs
