#include <switchyard/averaged_model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard::optim {
namespace {

[[noreturn]] void refuse_average(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "[AveragedModel] " + what);
}

void check_alike(const char* kind, const std::vector<Tensor>& own,
                 const std::vector<Tensor>& current) {
  if (own.size() != current.size()) {
    refuse_average(fmt::format("the network has {} {}, its average {}; make them alike",
                               current.size(), kind, own.size()));
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].impl() == current[i].impl()) {
      refuse_average("the network shares its parameters with its average; make another for that");
    }
    if (own[i].shape() == current[i].shape()) continue;
    refuse_average(fmt::format("number {} of the {} has shape {}, in the average {}", i, kind,
                               describe(current[i].shape()), describe(own[i].shape())));
  }
}

}  // namespace

AverageFunction get_swa_avg_fn() {
  return [](const Tensor& averaged, const Tensor& current, std::int64_t num_averaged) {
    return averaged + (current - averaged) / static_cast<double>(num_averaged + 1);
  };
}

AverageFunction get_ema_avg_fn(Real decay) {
  if (!(decay >= 0 && decay <= 1)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[get_ema_avg_fn] a decay of {}; it must lie between 0 and 1", decay));
  }
  return [decay = double{decay}](const Tensor& averaged, const Tensor& current, std::int64_t) {
    return averaged * decay + current * (1 - decay);
  };
}

void AveragedModel::begin(const nn::Module& model) {
  if (!options_.avg_fn) options_.avg_fn = get_swa_avg_fn();
  nn::Module& own = *children()[0].module;
  const std::vector<Tensor> parameters = model.parameters();
  check_alike("parameters", own.parameters(), parameters);
  check_alike("buffers", own.buffers(), model.buffers());
  n_averaged_ = register_buffer("n_averaged", zeros({}, {.dtype = DType::int64}));
  if (!parameters.empty()) to(parameters[0].device());
  const NoGrad no_grad;
  const std::vector<Tensor> own_parameters = own.parameters(), own_buffers = own.buffers();
  for (std::size_t i = 0; i < parameters.size(); ++i) own_parameters[i].copy_(parameters[i]);
  const std::vector<Tensor> buffers = model.buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) own_buffers[i].copy_(buffers[i]);
}

Tensor AveragedModel::forward(const Tensor& x) { return (*children()[0].module)(x); }

std::int64_t AveragedModel::n_averaged() const { return n_averaged_.item<std::int64_t>(); }

void AveragedModel::update(const Tensor& own, const Tensor& current, std::int64_t count,
                           bool averages) const {
  const Tensor there = current.detach().to(own.device());
  if (!averages || count == 0 || !is_floating(own.dtype())) {
    own.copy_(there);
  } else {
    own.copy_(options_.avg_fn(own.detach(), there, count));
  }
}

void AveragedModel::update_parameters(const nn::Module& model) {
  const NoGrad no_grad;
  const nn::Module& own = *children()[0].module;
  const std::vector<Tensor> own_parameters = own.parameters(), parameters = model.parameters();
  const std::vector<Tensor> own_buffers = own.buffers(), buffers = model.buffers();
  check_alike("parameters", own_parameters, parameters);
  check_alike("buffers", own_buffers, buffers);
  const std::int64_t count = n_averaged();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    update(own_parameters[i], parameters[i], count, true);
  }
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    update(own_buffers[i], buffers[i], count, options_.use_buffers);
  }
  n_averaged_.add_(1);
}

}  // namespace switchyard::optim
