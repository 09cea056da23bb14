#include <algorithm>

#include "gemm/long_sums.hpp"
#include "kernels/convolution/attributes.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/pooling/pool.hpp"
#include "loops/layout.hpp"
#include "loops/packed_input.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

struct Pooling {
  explicit Pooling(const sy::Node& node) : attributes(node) {}

  PoolShape shape(const ConstTensor& x, const Tensor& y) const {
    const sy::Extents kernel(attributes.kernel());
    PoolShape made;
    made.window = attributes.window(kernel, x.shape.subspan(2), y.shape.subspan(2));
    made.batch = x.shape[0];
    made.channels = x.shape[1];
    return made;
  }

  WindowAttributes attributes;
};

// float16 and bfloat16 are pooled in float.
template <typename Function>
void visit_pooled(sy_dtype dtype, Function&& function) {
  const bool narrow = dtype == SY_FLOAT16 || dtype == SY_BFLOAT16;
  visit_dtype<float, double, int8_t, uint8_t>(narrow ? SY_FLOAT32 : dtype,
                                              std::forward<Function>(function));
}

// Sums over large windows are of doubles.
sy_dtype summed_dtype(const PoolShape& shape, const PoolMeaning& meaning, sy_dtype dtype) {
  const bool is_long = shape.window.most_taps() > chained_sums;
  return is_long && meaning.kind != PoolKind::max ? SY_FLOAT64 : dtype;
}

// Images where they are, or widened to T.
template <typename T>
class WideImages {
 public:
  WideImages(const ConstTensor& x, bool last)
      : strides_(layout_strides(x.shape, last)),
        room_(x.dtype == sy::dtype_of<T> ? 0 : x.size()),
        wide_{sy::dtype_of<T>, room_.data(), x.shape, strides_} {
    if (x.dtype == sy::dtype_of<T>) {
      wide_ = x;
    } else {
      copy_tensor(x, {sy::dtype_of<T>, room_.data(), x.shape, strides_});
    }
  }
  Images<const T> images() const { return images_of<T>(wide_); }

 private:
  sy::Dimensions strides_;
  Scratch<T> room_;
  ConstTensor wide_;
};

bool reads_channels(const ConstTensor& x) {
  return x.rank() > 2 && x.shape[1] > 1 && x.strides[1] == 1 &&
         !sy::is_contiguous(x.shape, x.strides.data());
}

// Pools in the layout of the input; an output that lies otherwise is copied into.
template <typename T>
void run_pool(const PoolShape& shape, const PoolMeaning& meaning, const ConstTensor& x,
              const Tensor& y) {
  const bool last = reads_channels(x);
  const WideImages<T> from(x, last);
  const LaidOutput<T> to(y, last);
  pool<T>(shape, meaning, from.images(), last, to.data());
  to.write_back();
}

template <typename T>
void run_with_indices(const PoolShape& shape, bool columns_first, const ConstTensor& x,
                      const Tensor& y, const Tensor& indices) {
  const bool last = reads_channels(x);
  const WideImages<T> from(x, last);
  const LaidOutput<T> to(y, last);
  const LaidOutput<int64_t> positions(indices, last);
  pool_with_indices<T>(shape, from.images(), last, columns_first, to.data(), positions.data());
  to.write_back();
  positions.write_back();
}

// An input whose channels are neighbours gets such outputs.
void propose_layout(const sy::Node& node, Prepared& made) {
  const sy_value& x = node.required_input(0);
  const sy_value& y = node.required_output(0);
  if (!sy::has_known_shape(x) || !sy::has_known_shape(y) || x.strides == nullptr) return;
  if (!is_channels_last(sy::shape_of(x), x.strides)) return;
  const std::vector<int64_t> strides = proposed_channels_last(sy::shape_of(y));
  made.outputs = {{.strides = strides}, {.strides = strides}};
  made.specialised_on = SY_ON_SHAPE | SY_ON_STRIDES;
}

Prepared pool_kernel(const sy::Node& node, const PoolMeaning& meaning) {
  Prepared made;
  propose_layout(node, made);
  made.kernel = function_kernel([pooling = Pooling(node), meaning](Call& call) {
    const ConstTensor& x = call.input(0);
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    const PoolShape shape = pooling.shape(x, y);
    visit_pooled(summed_dtype(shape, meaning, x.dtype),
                 [&](auto zero) { run_pool<decltype(zero)>(shape, meaning, x, y); });
  });
  return made;
}

Prepared make_max_pool(const sy::Node& node) {
  if (node.output(1) == nullptr) return pool_kernel(node, {PoolKind::max});
  Prepared made;
  propose_layout(node, made);
  made.kernel = function_kernel([pooling = Pooling(node),
                                 columns_first = node.flag("storage_order")](Call& call) {
    const ConstTensor& x = call.input(0);
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    visit_pooled(x.dtype, [&](auto zero) {
      run_with_indices<decltype(zero)>(pooling.shape(x, y), columns_first, x, y, call.output(1));
    });
  });
  return made;
}

Prepared make_average_pool(const sy::Node& node) {
  return pool_kernel(node, {PoolKind::sum, true, node.flag("count_include_pad")});
}

Prepared make_lp_pool(const sy::Node& node) {
  PoolMeaning meaning;
  const int64_t p = node.integer("p", 2);
  meaning.kind = p == 1   ? PoolKind::sum_of_magnitudes
                 : p == 2 ? PoolKind::root_of_squares
                          : PoolKind::power;
  meaning.exponent = static_cast<double>(p);
  return pool_kernel(node, meaning);
}

constexpr uint64_t with_bytes = sy::float_dtypes | SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8);
constexpr uint64_t with_indices = with_bytes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow pooling_rows[] = {
    {"MaxPool", with_bytes, with_indices, make_max_pool, nullptr, any_strides, "", 1, UINT32_MAX, 3,
     5},
    {"AveragePool", sy::float_dtypes, sy::float_dtypes, make_average_pool, nullptr, any_strides, "",
     1, UINT32_MAX, 3, 5},
    {"LpPool", sy::float_dtypes, sy::float_dtypes, make_lp_pool, nullptr, any_strides, "", 1,
     UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable pooling_kernels() { return pooling_rows; }

}  // namespace cpu
