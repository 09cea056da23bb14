#include "gradients/gradcheck.hpp"
#include "short_tests.hpp"
#include "tensor/host_tensor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string_view>
#include <switchyard/autograd.hpp>

namespace switchyard {
namespace {

double scattered_number(std::int64_t i, int salt) {
  const double x = std::sin(static_cast<double>(i + 1) * 12.9898 + salt * 78.233) * 43758.5453;
  return x - std::floor(x);
}

/// A tensor laid out as `like` with other elements.
Tensor laid_out(const Tensor& like, const std::vector<double>& values) {
  std::int64_t last = 0;
  for (std::size_t d = 0; d < like.shape().size(); ++d) {
    last += std::max<std::int64_t>(like.shape()[d] - 1, 0) * like.strides()[d];
  }
  const NoGrad off;
  const Tensor whole = zeros({last + 1}, {.dtype = DType::float64});
  const Tensor result = whole.detach().as_strided(like.shape(), like.strides());
  if (result.size() > 0) result.copy_(host_tensor(like.shape(), values));
  return result.detach();
}

double weighted_sum(const Tensor& y, int salt) {
  if (y.size() == 0) return 0;
  return sum(mul(y, scattered(y.shape(), 0.5, 1.5, salt))).item();
}

/// The gradients of the weighted sum at each input.
std::vector<Tensor> analytic(const Differentiable& f, const std::vector<Tensor>& inputs, int salt,
                             bool create_graph) {
  const Tensor y = f(inputs);
  const Tensor total = sum(mul(y, scattered(y.shape(), 0.5, 1.5, salt)));
  if (!total.requires_grad()) return std::vector<Tensor>(inputs.size());
  return grad(std::span(&total, 1), inputs, {.allow_unused = true, .create_graph = create_graph});
}

/// A direction among the elements of an input, of length 1.
struct Direction {
  std::vector<double> parts;
  std::string name;
};

std::vector<Direction> directions_of(std::size_t count) {
  std::vector<Direction> directions;
  constexpr std::size_t few = 2;
  const bool is_each = !are_tests_short() || count <= few;
  for (std::size_t i = 0; i < (is_each ? count : few); ++i) {
    Direction direction{std::vector<double>(count, 0.0), fmt::format("element {}", i)};
    if (is_each) {
      direction.parts[i] = 1;
    } else {
      direction.name = fmt::format("direction {}", i);
      const double length = std::sqrt(static_cast<double>(count));
      for (std::size_t k = 0; k < count; ++k) {
        const double number = scattered_number(static_cast<std::int64_t>(k), static_cast<int>(i));
        direction.parts[k] = (number < 0.5 ? -1 : 1) / length;
      }
    }
    directions.push_back(std::move(direction));
  }
  return directions;
}

double central_difference(const Differentiable& f, std::vector<Tensor> inputs, std::size_t which,
                          const Direction& direction, double step, int salt) {
  const Tensor original = inputs[which].detach();
  double results[2];
  for (int side = 0; side < 2; ++side) {
    std::vector<double> moved = original.to_vector<double>();
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] += (side == 0 ? -step : step) * direction.parts[i];
    }
    inputs[which] = laid_out(original, moved).requires_grad_();
    results[side] = weighted_sum(f(inputs), salt);
  }
  return (results[1] - results[0]) / (2 * step);
}

std::string compare(const Differentiable& f, const std::vector<Tensor>& inputs, int salt,
                    const GradcheckOptions& options, std::string_view order) {
  const std::vector<Tensor> gradients = analytic(f, inputs, salt, false);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const auto count = static_cast<std::size_t>(inputs[k].size());
    const std::vector<double> gradient =
        gradients[k].defined() ? gradients[k].to_vector<double>() : std::vector(count, 0.0);
    for (const Direction& direction : directions_of(count)) {
      const double expected = central_difference(f, inputs, k, direction, options.step, salt);
      const double given =
          std::inner_product(gradient.begin(), gradient.end(), direction.parts.begin(), 0.0);
      if (std::abs(given - expected) <= options.tolerance * (1 + std::abs(expected))) continue;
      return fmt::format("{} order, input {}, {}: gradient {} but differences say {}", order, k,
                         direction.name, given, expected);
    }
  }
  return "";
}

/// The numbers of gradients, one input after the other; zeros of inputs that got none.
std::vector<double> listed(const std::vector<Tensor>& gradients,
                           const std::vector<Tensor>& inputs) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const std::vector<double> own =
        gradients[k].defined()
            ? gradients[k].to_vector<double>()
            : std::vector<double>(static_cast<std::size_t>(inputs[k].size()), 0.0);
    numbers.insert(numbers.end(), own.begin(), own.end());
  }
  return numbers;
}

/// What a gradient of one element of the result that is not a number makes of those of the inputs.
std::string spread_flaw(const Differentiable& f, const std::vector<Tensor>& inputs) {
  const Tensor y = f(inputs);
  if (!y.requires_grad()) return "";
  const auto back = [&](const std::vector<double>& grad_output) {
    const Tensor outputs[] = {y};
    return listed(grad(outputs, inputs,
                       {.allow_unused = true,
                        .grad_outputs = {tensor(grad_output, y.shape(), {.dtype = DType::float64})},
                        .retain_graph = true}),
                  inputs);
  };
  const std::vector<double> finite = scattered(y.shape(), 0.5, 1.5).to_vector<double>();
  const std::size_t stride = are_tests_short() && finite.size() > 1 ? finite.size() - 1 : 1;
  for (std::size_t i = 0; i < finite.size(); i += stride) {
    std::vector<double> alone(finite.size(), 0.0);
    alone[i] = 1;
    const std::vector<double> derivatives = back(alone);
    for (const double bad : {HUGE_VAL, std::nan("")}) {
      std::vector<double> grad_output = finite;
      grad_output[i] = bad;
      const std::vector<double> reached = back(grad_output);
      for (std::size_t j = 0; j < reached.size(); ++j) {
        if (std::isfinite(reached[j]) == (derivatives[j] == 0)) continue;
        return fmt::format(
            "{} in the gradient of result {} makes {} of gradient {}, by a derivative of {}", bad,
            i, reached[j], j, derivatives[j]);
      }
    }
  }
  return "";
}

}  // namespace

std::string gradient_flaw(const Differentiable& f, std::vector<Tensor> inputs,
                          const GradcheckOptions& options) {
  for (Tensor& input : inputs) input = input.detach().requires_grad_();
  std::string flaw = compare(f, inputs, 0, options, "first");
  if (flaw.empty() && options.spread) flaw = spread_flaw(f, inputs);
  if (!flaw.empty() || !options.second_order) return flaw;
  const Differentiable first = [&f](std::span<const Tensor> at) {
    const std::vector<Tensor> list(at.begin(), at.end());
    std::vector<Tensor> flat;
    for (const Tensor& gradient : analytic(f, list, 0, true)) {
      if (gradient.defined()) flat.push_back(gradient.reshape({-1}));
    }
    return flat.empty() ? zeros({0}, {.dtype = DType::float64}) : cat(flat);
  };
  return compare(first, inputs, 1, options, "second");
}

Tensor scattered(const Dims& shape, double low, double high, int salt) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = low + (high - low) * scattered_number(static_cast<std::int64_t>(i), salt);
  }
  return tensor(values, shape, {.dtype = DType::float64});
}

Tensor strided(const Tensor& x) {
  Dims strides = Dims::filled(x.shape().size(), 0);
  std::int64_t stride = 2;
  for (std::size_t d = 0; d < strides.size(); ++d) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(x.shape()[d], 1) + 1;
  }
  Tensor like = zeros({stride + 1}, {.dtype = x.dtype()});
  const NoGrad off;
  const Tensor result = like.as_strided(x.shape(), strides, 1);
  if (x.size() > 0) result.copy_(x);
  return result.detach();
}

}  // namespace switchyard
