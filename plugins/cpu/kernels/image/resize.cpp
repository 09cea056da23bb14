// Resize: one pass an axis, each a weighted sum along it; nearest copies instead.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "kernels/image/resize_axis.hpp"
#include "kernels/image/resize_pass.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/convert.hpp"
#include "loops/indices.hpp"
#include "loops/layout.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"

namespace cpu {
namespace {

std::vector<double> reals_of(const Tensor& tensor) {
  return visit_dtype<float, double, Float16, BFloat16>(tensor.dtype, [&](auto zero) {
    using T = decltype(zero);
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.size(); ++i)
      values.push_back(convert<double>(tensor.as<T>()[i]));
    return values;
  });
}

bool is_given(Call& call, uint32_t input) {
  return call.has_input(input) && call.input(input).size() > 0;
}

// The numbers of an input, of which there must be so many.
template <typename T>
std::vector<T> counted(std::vector<T> numbers, size_t count, const char* name) {
  if (numbers.size() == count) return numbers;
  throw sy::invalid("Resize: ", name, " holds ", numbers.size(), " numbers, not ", count);
}

// Scales by axis. With sizes and a policy that keeps proportions, all axes named share one.
std::vector<double> scales_of(Call& call, const std::vector<int64_t>& axes,
                              std::string_view policy) {
  const Tensor& in = call.input(0);
  const Tensor& out = call.output(0);
  std::vector<double> scales(in.rank(), 1.0);
  if (is_given(call, 2)) {
    const std::vector<double> values = counted(reals_of(call.input(2)), axes.size(), "scales");
    for (size_t i = 0; i < axes.size(); ++i) scales[static_cast<size_t>(axes[i])] = values[i];
    return scales;
  }
  const std::vector<int64_t> sizes = counted(integers_of(call.input(3)), axes.size(), "sizes");
  double shared = policy == "not_larger" ? 1e300 : 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto d = static_cast<size_t>(axes[i]);
    const double wanted = static_cast<double>(sizes[i]) / static_cast<double>(in.shape[d]);
    shared = policy == "not_larger" ? std::min(shared, wanted) : std::max(shared, wanted);
    scales[d] = static_cast<double>(out.shape[d]) / static_cast<double>(in.shape[d]);
  }
  if (policy == "stretch") return scales;
  for (const int64_t axis : axes) scales[static_cast<size_t>(axis)] = shared;
  return scales;
}

std::vector<ResizeAxis> axes_of(Call& call, const ResizeRule& rule,
                                const std::vector<int64_t>& named, std::string_view policy) {
  const Tensor& in = call.input(0);
  const Tensor& out = call.output(0);
  std::vector<int64_t> axes = named;
  if (axes.empty()) {
    axes.resize(in.rank());
    std::iota(axes.begin(), axes.end(), 0);
  }
  for (int64_t& axis : axes) axis = static_cast<int64_t>(normalize_axis(axis, in.rank()));
  const std::vector<double> scales = scales_of(call, axes, policy);
  std::vector<double> first(in.rank(), 0), last(in.rank(), 1);
  if (is_given(call, 1) && rule.coordinates == Coordinates::tf_crop_and_resize) {
    const std::vector<double> region = counted(reals_of(call.input(1)), 2 * axes.size(), "roi");
    for (size_t i = 0; i < axes.size(); ++i) {
      first[static_cast<size_t>(axes[i])] = region[i];
      last[static_cast<size_t>(axes[i])] = region[axes.size() + i];
    }
  }
  std::vector<ResizeAxis> result;
  for (size_t d = 0; d < in.rank(); ++d) {
    const bool touched = std::find(axes.begin(), axes.end(), static_cast<int64_t>(d)) != axes.end();
    ResizeRule plain = rule;
    if (!touched) plain.coordinates = Coordinates::asymmetric;
    result.push_back(resize_axis(plain, in.shape[d], out.shape[d], touched ? scales[d] : 1.0,
                                 first[d], last[d]));
  }
  return result;
}

// ---- nearest

void copy_nearest(const Tensor& in, const Tensor& out, const std::vector<ResizeAxis>& axes) {
  const int64_t bytes = element_bytes(in);
  const ResizeAxis& inner = axes.back();
  const sy::Extents outer_shape = out.shape.first(out.rank() - 1);
  const sy::Dimensions in_strides = sy::contiguous_strides(in.shape);
  const int64_t lines = sy::element_count(outer_shape);
  parallel_for(lines, 1 + 16384 / (inner.output + 1), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      int64_t from = 0, rest = line;
      for (size_t d = outer_shape.size(); d-- > 0;) {
        from += axes[d].index[static_cast<size_t>(rest % outer_shape[d])] * in_strides[d];
        rest /= outer_shape[d];
      }
      const char* source = bytes_of(in) + from * bytes;
      char* to = bytes_of(out) + line * inner.output * bytes;
      if (inner.identity()) {
        std::memcpy(to, source, static_cast<size_t>(inner.output * bytes));
        continue;
      }
      for (int64_t i = 0; i < inner.output; ++i) {
        std::memcpy(to + i * bytes, source + inner.index[static_cast<size_t>(i)] * bytes,
                    static_cast<size_t>(bytes));
      }
    }
  });
}

// ---- linear and cubic

template <typename T>
void extrapolate(const Tensor& out, const std::vector<ResizeAxis>& axes, T* data, T value) {
  for_each_position(out.shape, [&](int64_t flat, const std::vector<int64_t>& place) {
    for (size_t d = 0; d < axes.size(); ++d) {
      if (axes[d].outside.empty() || !axes[d].outside[static_cast<size_t>(place[d])]) continue;
      data[flat] = value;
      return;
    }
  });
}

bool leaves_outside(const std::vector<ResizeAxis>& axes) {
  return std::any_of(axes.begin(), axes.end(),
                     [](const ResizeAxis& a) { return !a.outside.empty(); });
}

template <typename From, typename To>
void convert_all(const From* from, int64_t count, To* to) {
  parallel_for(count, 16384, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = convert<To>(from[i]);
  });
}

// Computes in `T`, whatever the tensors hold.
template <typename T>
void resize(const Tensor& in, const Tensor& out, const ResizeRule& rule,
            const std::vector<ResizeAxis>& axes) {
  visit_dtype(NumericTypes{}, in.dtype, [&](auto zero) {
    using Element = decltype(zero);
    constexpr bool is_own = std::is_same_v<Element, T>;
    const Scratch<T> wide_in(is_own ? 0 : in.size()), wide_out(is_own ? 0 : out.size());
    const T* from = wide_in.data();
    T* to = wide_out.data();
    if constexpr (is_own) {
      from = in.as<const T>();
      to = out.as<T>();
    } else {
      convert_all(in.as<const Element>(), in.size(), wide_in.data());
    }
    weigh(from, to, in.size(), in.shape, axes);
    if (leaves_outside(axes)) extrapolate<T>(out, axes, to, rule.extrapolation);
    if constexpr (!is_own) convert_all(wide_out.data(), out.size(), out.as<Element>());
  });
}

// A tensor [N, C, ...] seen with its channels last, so that what lies so in memory is row-major.
struct ChannelsLast {
  explicit ChannelsLast(const Tensor& from) {
    for (size_t d = 0; d < from.rank(); ++d) {
      const size_t axis = d == 0 ? 0 : d + 1 == from.rank() ? 1 : d + 1;
      shape.push_back(from.shape[axis]);
      strides.push_back(from.strides[axis]);
    }
    tensor = {from.dtype, from.data, shape, strides};
  }

  std::vector<int64_t> shape, strides;
  Tensor tensor;
};

bool lies_channels_last(const Tensor& tensor) {
  return tensor.rank() > 2 && is_channels_last(tensor.shape, tensor.strides.data());
}

void resize_rows(const Tensor& in, const Tensor& out, const ResizeRule& rule,
                 const std::vector<ResizeAxis>& axes) {
  if (rule.mode == ResizeMode::nearest && !leaves_outside(axes)) return copy_nearest(in, out, axes);
  if (out.dtype == SY_FLOAT64) return resize<double>(in, out, rule, axes);
  resize<float>(in, out, rule, axes);
}

// Row-major tensors, or both channels-last; others are copied.
void resize_any(const Tensor& in, const Tensor& out, const ResizeRule& rule,
                std::vector<ResizeAxis> axes) {
  const bool row_major = sy::is_contiguous(in.shape, in.strides.data()) &&
                         sy::is_contiguous(out.shape, out.strides.data());
  if (row_major) return resize_rows(in, out, rule, axes);
  if (lies_channels_last(in) && lies_channels_last(out)) {
    std::rotate(axes.begin() + 1, axes.begin() + 2, axes.end());
    return resize_rows(ChannelsLast(in).tensor, ChannelsLast(out).tensor, rule, axes);
  }
  std::vector<char> held_in;
  sy::Dimensions in_strides;
  const Tensor from = contiguous(in, held_in, in_strides);
  std::vector<char> made(static_cast<size_t>(out.size() * element_bytes(out)));
  const ContiguousTensor to(out.dtype, made.data(), out.shape);
  resize_rows(from, to.get(), rule, axes);
  copy_tensor(to.get(), out);
}

Prepared make_resize(const sy::Node& node) {
  const ResizeRule rule(node);
  const std::span<const int64_t> axes = node.integers("axes");
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.run = [rule, named = std::vector<int64_t>(axes.begin(), axes.end()),
              policy = std::string(node.text("keep_aspect_ratio_policy", "stretch"))](Call& call) {
    const Tensor& out = call.output(0);
    if (out.size() == 0) return;
    resize_any(call.input(0), out, rule, axes_of(call, rule, named, policy));
  };
  return made;
}

void check_resize(const sy::Node& node) {
  const ResizeRule rule(node);
  const bool numeric = dtypes_of(NumericTypes{}) & SY_DTYPE_BIT(node.needed_input(0).dtype);
  if (rule.mode != ResizeMode::nearest && !numeric) {
    throw sy::unsupported(SY_REASON_DTYPE, "Resize cannot weigh elements of ",
                          sy::dtype_name(node.needed_input(0).dtype));
  }
}

constexpr KernelRow resize_kernel_rows[] = {
    {"Resize", whole_byte_dtypes, whole_byte_dtypes, make_resize, check_resize, any_strides, "", 1,
     UINT32_MAX, 1},
};

}  // namespace

KernelTable resize_kernels() { return resize_kernel_rows; }

}  // namespace cpu
