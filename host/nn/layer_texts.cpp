// What the text of each layer says of its options, word for word as PyTorch 1.13.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/nn.hpp>

namespace switchyard::nn {
namespace {

const char* word(bool value) { return value ? "True" : "False"; }

/// As Python writes a float: 1.0, 0.01, 1e-05.
std::string number(double value) {
  const std::string text = fmt::format("{}", value);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

/// (3, 2), or (3,)
std::string tuple(const Dims& values) {
  return fmt::format("({}{})", fmt::join(values.span(), ", "), values.size() == 1 ? "," : "");
}

/// 3 for all dimensions, or a tuple.
std::string extents(const Dims& values) {
  return values.size() == 1 ? std::to_string(values[0]) : tuple(values);
}

const Dims& stride_of(const Pooling& pool) {
  return pool.options.stride.empty() ? pool.kernel_size : pool.options.stride;
}

std::string of_max_pool(const Pooling& pool) {
  return fmt::format("kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}",
                     extents(pool.kernel_size), extents(stride_of(pool)),
                     extents(pool.options.padding), extents(pool.options.dilation),
                     word(pool.options.ceil_mode));
}

std::string of_average_pool(const Pooling& pool, std::string (*written)(const Dims&)) {
  return fmt::format("kernel_size={}, stride={}, padding={}", written(pool.kernel_size),
                     written(stride_of(pool)), written(pool.options.padding));
}

}  // namespace

std::string Softplus::extra_repr() const { return "beta=1, threshold=20"; }
std::string LeakyReLU::extra_repr() const { return "negative_slope=" + number(negative_slope); }
std::string ELU::extra_repr() const { return "alpha=" + number(alpha); }
std::string Hardtanh::extra_repr() const {
  return fmt::format("min_val={}, max_val={}", number(low), number(high));
}
std::string GELU::extra_repr() const { return fmt::format("approximate='{}'", approximate); }
std::string PReLU::extra_repr() const { return fmt::format("num_parameters={}", weight.size()); }
std::string Softmax::extra_repr() const { return fmt::format("dim={}", dim); }
std::string LogSoftmax::extra_repr() const { return fmt::format("dim={}", dim); }

std::string Linear::extra_repr() const {
  return fmt::format("in_features={}, out_features={}, bias={}", weight.size(1), weight.size(0),
                     word(static_cast<bool>(bias)));
}
std::string Bilinear::extra_repr() const {
  return fmt::format("in1_features={}, in2_features={}, out_features={}, bias={}", weight.size(1),
                     weight.size(2), weight.size(0), word(static_cast<bool>(bias)));
}

/// What goes without saying is left out.
std::string Convolution::extra_repr() const {
  const std::size_t spatial = kernel_size.size();
  std::string text =
      fmt::format("{}, {}, kernel_size={}, stride={}", weight.size(1) * options.groups,
                  weight.size(0), tuple(kernel_size), tuple(options.stride));
  if (!options.padding.name.empty()) {
    text += ", padding=" + options.padding.name;
  } else if (options.padding.extents != Dims(spatial, 0)) {
    text += ", padding=" + tuple(options.padding.extents);
  }
  if (options.dilation != Dims(spatial, 1)) text += ", dilation=" + tuple(options.dilation);
  if (options.groups != 1) text += fmt::format(", groups={}", options.groups);
  if (!bias) text += ", bias=False";
  if (options.padding_mode != "zeros") text += ", padding_mode=" + options.padding_mode;
  return text;
}

std::string ConvolutionTranspose::extra_repr() const {
  const std::size_t spatial = kernel_size.size();
  std::string text =
      fmt::format("{}, {}, kernel_size={}, stride={}", weight.size(0),
                  weight.size(1) * options.groups, tuple(kernel_size), tuple(options.stride));
  if (options.padding != Dims(spatial, 0)) text += ", padding=" + tuple(options.padding);
  if (options.dilation != Dims(spatial, 1)) text += ", dilation=" + tuple(options.dilation);
  if (options.output_padding != Dims(spatial, 0)) {
    text += ", output_padding=" + tuple(options.output_padding);
  }
  if (options.groups != 1) text += fmt::format(", groups={}", options.groups);
  if (!bias) text += ", bias=False";
  return text;
}

std::string MaxPool1d::extra_repr() const { return of_max_pool(*this); }
std::string MaxPool2d::extra_repr() const { return of_max_pool(*this); }
std::string AvgPool1d::extra_repr() const { return of_average_pool(*this, tuple); }
std::string AvgPool2d::extra_repr() const { return of_average_pool(*this, extents); }
std::string AdaptiveAvgPool2d::extra_repr() const { return "output_size=" + extents(output_size); }

std::string BatchNorm::extra_repr() const {
  return fmt::format("{}, eps={}, momentum={}, affine={}, track_running_stats={}", features,
                     number(options.eps), options.momentum ? number(*options.momentum) : "None",
                     word(options.affine), word(options.track_running_stats));
}
std::string LayerNorm::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", tuple(normalized_shape),
                     number(options.eps), word(options.elementwise_affine));
}
std::string GroupNorm::extra_repr() const {
  return fmt::format("{}, {}, eps={}, affine={}", groups, channels, number(options.eps),
                     word(options.affine));
}
std::string RMSNorm::extra_repr() const {
  return fmt::format("{}, eps={}, elementwise_affine={}", tuple(normalized_shape),
                     options.eps ? number(*options.eps) : "None", word(options.elementwise_affine));
}

std::string Dropout::extra_repr() const { return fmt::format("p={}, inplace=False", number(p)); }
std::string Embedding::extra_repr() const {
  const std::string shape = fmt::format("{}, {}", weight.size(0), weight.size(1));
  return options.padding_idx ? fmt::format("{}, padding_idx={}", shape, *options.padding_idx)
                             : shape;
}
std::string Flatten::extra_repr() const {
  return fmt::format("start_dim={}, end_dim={}", start_dim, end_dim);
}
std::string Unflatten::extra_repr() const {
  return fmt::format("dim={}, unflattened_size={}", dim, tuple(shape));
}

}  // namespace switchyard::nn
