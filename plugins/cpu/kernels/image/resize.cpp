// Resize: one pass an axis, each a weighted sum along it; nearest copies instead.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include "kernels/image/resize_pass.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/convert.hpp"
#include "loops/indices.hpp"
#include "loops/layout.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/resize.hpp"

namespace cpu {
namespace {

bool is_given(Call& call, uint32_t input) {
  return call.has_input(input) && call.input(input).size() > 0;
}

// A table for each dimension.
std::vector<sy::ResizeTable> tables_of(Call& call, const sy::ResizeAttributes& rule,
                                       const std::vector<int64_t>& named) {
  const ConstTensor& in = call.input(0);
  sy::ResizeRequest request;
  for (const int64_t axis : named) request.axes.push_back(normalize_axis(axis, in.rank()));
  if (named.empty()) {
    request.axes.resize(in.rank());
    std::iota(request.axes.begin(), request.axes.end(), size_t{0});
  }
  if (is_given(call, 1)) request.region = numbers_of<double>(call.input(1));
  if (is_given(call, 2)) {
    request.scales = numbers_of<double>(call.input(2));
  } else {
    request.sizes = integers_of(call.input(3));
  }
  std::vector<sy::ResizeTable> tables(in.rank());
  const auto stretches = sy::resize_stretches(rule, request, in.shape, call.output(0).shape);
  for (size_t i = 0; i < stretches.size(); ++i) {
    tables[request.axes[i]] = sy::resize_table(rule, stretches[i]);
  }
  for (size_t d = 0; d < in.rank(); ++d) {
    if (tables[d].taps == 0) tables[d] = sy::resize_identity(in.shape[d]);
  }
  return tables;
}

// ---- nearest

void copy_nearest(const ConstTensor& in, const Tensor& out,
                  const std::vector<sy::ResizeTable>& axes) {
  const int64_t bytes = element_bytes(in);
  const sy::ResizeTable& inner = axes.back();
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
      if (inner.is_identity()) {
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
void extrapolate(const Tensor& out, const std::vector<sy::ResizeTable>& axes, T* data, T value) {
  for_each_position(out.shape, [&](int64_t flat, const std::vector<int64_t>& position) {
    for (size_t d = 0; d < axes.size(); ++d) {
      if (axes[d].outside.empty() || !axes[d].outside[static_cast<size_t>(position[d])]) continue;
      data[flat] = value;
      return;
    }
  });
}

bool leaves_outside(const std::vector<sy::ResizeTable>& axes) {
  return std::any_of(axes.begin(), axes.end(),
                     [](const sy::ResizeTable& a) { return !a.outside.empty(); });
}

template <typename From, typename To>
void convert_all(const From* from, int64_t count, To* to) {
  parallel_for(count, 16384, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = convert<To>(from[i]);
  });
}

// Computes in `T`, whatever the tensors hold.
template <typename T>
void resize(const ConstTensor& in, const Tensor& out, const sy::ResizeAttributes& rule,
            const std::vector<sy::ResizeTable>& axes) {
  visit_dtype(NumericTypes{}, in.dtype, [&](auto zero) {
    using Element = decltype(zero);
    constexpr bool is_own = std::is_same_v<Element, T>;
    const Scratch<T> wide_in(is_own ? 0 : in.size()), wide_out(is_own ? 0 : out.size());
    const T* from = wide_in.data();
    T* to = wide_out.data();
    if constexpr (is_own) {
      from = in.as<T>();
      to = out.as<T>();
    } else {
      convert_all(in.as<Element>(), in.size(), wide_in.data());
    }
    weigh(from, to, in.size(), in.shape, axes);
    if (leaves_outside(axes)) extrapolate<T>(out, axes, to, rule.extrapolation);
    if constexpr (!is_own) convert_all(wide_out.data(), out.size(), out.as<Element>());
  });
}

// A tensor [N, C, ...] seen with its channels last, so that what lies so in memory is row-major.
template <typename Whole>
struct ChannelsLast {
  explicit ChannelsLast(const Whole& from) {
    for (size_t d = 0; d < from.rank(); ++d) {
      const size_t axis = d == 0 ? 0 : d + 1 == from.rank() ? 1 : d + 1;
      shape.push_back(from.shape[axis]);
      strides.push_back(from.strides[axis]);
    }
    tensor = {from.dtype, from.data, shape, strides};
  }

  std::vector<int64_t> shape, strides;
  Whole tensor;
};

bool lies_channels_last(const ConstTensor& tensor) {
  return tensor.rank() > 2 && is_channels_last(tensor.shape, tensor.strides.data());
}

void resize_rows(const ConstTensor& in, const Tensor& out, const sy::ResizeAttributes& rule,
                 const std::vector<sy::ResizeTable>& axes) {
  if (rule.mode == sy::ResizeMode::nearest && !leaves_outside(axes))
    return copy_nearest(in, out, axes);
  if (out.dtype == SY_FLOAT64) return resize<double>(in, out, rule, axes);
  resize<float>(in, out, rule, axes);
}

// Row-major tensors, or both channels-last; others are copied.
void resize_any(const ConstTensor& in, const Tensor& out, const sy::ResizeAttributes& rule,
                std::vector<sy::ResizeTable> axes) {
  const bool row_major = sy::is_contiguous(in.shape, in.strides.data()) &&
                         sy::is_contiguous(out.shape, out.strides.data());
  if (row_major) return resize_rows(in, out, rule, axes);
  if (lies_channels_last(in) && lies_channels_last(out)) {
    std::rotate(axes.begin() + 1, axes.begin() + 2, axes.end());
    return resize_rows(ChannelsLast(in).tensor, ChannelsLast(out).tensor, rule, axes);
  }
  std::vector<char> held_in;
  sy::Dimensions in_strides;
  const ConstTensor from = contiguous(in, held_in, in_strides);
  std::vector<char> made(static_cast<size_t>(out.size() * element_bytes(out)));
  const ContiguousTensor to(out.dtype, made.data(), out.shape);
  resize_rows(from, to.get(), rule, axes);
  copy_tensor(to.get(), out);
}

Prepared make_resize(const sy::Node& node) {
  const sy::ResizeAttributes rule(node);
  const std::span<const int64_t> axes = node.integers("axes");
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel =
      function_kernel([rule, named = std::vector<int64_t>(axes.begin(), axes.end())](Call& call) {
        const Tensor& out = call.output(0);
        if (out.size() == 0) return;
        resize_any(call.input(0), out, rule, tables_of(call, rule, named));
      });
  return made;
}

void check_resize(const sy::Node& node) {
  const sy::ResizeAttributes rule(node);
  const bool numeric = dtypes_of(NumericTypes{}) & SY_DTYPE_BIT(node.required_input(0).dtype);
  if (rule.mode != sy::ResizeMode::nearest && !numeric) {
    throw sy::unsupported(SY_REASON_DTYPE, "Resize cannot weigh elements of ",
                          sy::dtype_name(node.required_input(0).dtype));
  }
}

constexpr KernelRow resize_kernel_rows[] = {
    {"Resize", whole_byte_dtypes, whole_byte_dtypes, make_resize, check_resize, any_strides, "", 1,
     UINT32_MAX, 1},
};

}  // namespace

KernelTable resize_kernels() { return resize_kernel_rows; }

}  // namespace cpu
