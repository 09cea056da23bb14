#include <algorithm>

#include "dispatch.hpp"
#include "kernels.hpp"
#include "kernels/convolution/attributes.hpp"
#include "kernels/layout.hpp"
#include "kernels/pooling/pool.hpp"
#include "kernels/tensor_copy.hpp"
#include "kernels/unary.hpp"
#include "scratch.hpp"

namespace cpu {
namespace {

struct Pooling {
  explicit Pooling(const sy::Node& node) : attributes(node) {}

  PoolShape shape(const Tensor& x, const Tensor& y) const {
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

bool reads_channels(const Tensor& x) {
  return x.rank() > 2 && x.shape[1] > 1 && x.strides[1] == 1 &&
         !sy::is_contiguous(x.shape, x.strides.data());
}

// Pools in the layout of the input; an output that lies otherwise is copied into.
template <typename T>
void run_pool(const PoolShape& shape, const PoolMeaning& meaning, const Tensor& x,
              const Tensor& y) {
  const bool is_own = x.dtype == sy::dtype_of<T>;
  const bool last = reads_channels(x);
  const sy::Dimensions x_strides =
      last ? channels_last_strides(x.shape) : sy::contiguous_strides(x.shape);
  const sy::Dimensions y_strides =
      last ? channels_last_strides(y.shape) : sy::contiguous_strides(y.shape);
  const Scratch<T> wide_x(is_own ? 0 : x.size());
  const Tensor widened{sy::dtype_of<T>, wide_x.data(), x.shape, x_strides};
  if (!is_own) copy_tensor(x, widened);
  const bool lies_so = last ? is_channels_last(y.shape, y.strides.data())
                            : sy::is_contiguous(y.shape, y.strides.data());
  const bool writes_directly = is_own && lies_so;
  const Scratch<T> beside(writes_directly ? 0 : y.size());
  pool<T>(shape, meaning, images_of<T>(is_own ? x : widened), last,
          writes_directly ? y.as<T>() : beside.data());
  if (!writes_directly) copy_tensor({sy::dtype_of<T>, beside.data(), y.shape, y_strides}, y);
}

template <typename T>
void run_with_indices(const PoolShape& shape, bool columns_first, const Tensor& x, const Tensor& y,
                      const Tensor& indices) {
  const bool is_own = x.dtype == sy::dtype_of<T>;
  const Scratch<T> wide_x(is_own ? 0 : x.size());
  const ContiguousTensor widened(sy::dtype_of<T>, wide_x.data(), x.shape);
  if (!is_own) copy_tensor(x, widened.get());
  const bool writes_y = is_own && sy::is_contiguous(y.shape, y.strides.data());
  const bool writes_indices = sy::is_contiguous(indices.shape, indices.strides.data());
  const Scratch<T> beside(writes_y ? 0 : y.size());
  const Scratch<int64_t> indices_beside(writes_indices ? 0 : indices.size());
  pool_with_indices<T>(shape, images_of<T>(is_own ? x : widened.get()), columns_first,
                       writes_y ? y.as<T>() : beside.data(),
                       writes_indices ? indices.as<int64_t>() : indices_beside.data());
  if (!writes_y) copy_tensor(ContiguousTensor(sy::dtype_of<T>, beside.data(), y.shape).get(), y);
  if (writes_indices) return;
  copy_tensor(ContiguousTensor(SY_INT64, indices_beside.data(), indices.shape).get(), indices);
}

// An input whose channels are neighbours gets such an output.
void propose_layout(const sy::Node& node, Prepared& made) {
  const sy_value& x = node.needed_input(0);
  const sy_value& y = node.needed_output(0);
  if (!sy::has_known_shape(x) || !sy::has_known_shape(y) || x.strides == nullptr) return;
  if (!is_channels_last(sy::shape_of(x), x.strides)) return;
  made.outputs = {{.strides = proposed_channels_last(sy::shape_of(y))}};
  made.specialised_on = SY_ON_SHAPE | SY_ON_STRIDES;
}

Prepared pool_kernel(const sy::Node& node, const PoolMeaning& meaning) {
  Prepared made;
  propose_layout(node, made);
  made.run = [pooling = Pooling(node), meaning](Call& call) {
    const Tensor& x = call.input(0);
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    visit_pooled(x.dtype,
                 [&](auto zero) { run_pool<decltype(zero)>(pooling.shape(x, y), meaning, x, y); });
  };
  return made;
}

Prepared make_max_pool(const sy::Node& node) {
  if (node.output(1) == nullptr) return pool_kernel(node, {PoolKind::most});
  Prepared made;
  made.run = [pooling = Pooling(node), columns_first = node.flag("storage_order")](Call& call) {
    const Tensor& x = call.input(0);
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    visit_pooled(x.dtype, [&](auto zero) {
      run_with_indices<decltype(zero)>(pooling.shape(x, y), columns_first, x, y, call.output(1));
    });
  };
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

constexpr KernelRow rows[] = {
    {"MaxPool", with_bytes, with_indices, make_max_pool, nullptr, any_strides, "", 1, UINT32_MAX, 3,
     5},
    {"AveragePool", sy::float_dtypes, sy::float_dtypes, make_average_pool, nullptr, any_strides, "",
     1, UINT32_MAX, 3, 5},
    {"LpPool", sy::float_dtypes, sy::float_dtypes, make_lp_pool, nullptr, any_strides, "", 1,
     UINT32_MAX, 3, 5},
};

}  // namespace

KernelTable pooling_kernels() { return rows; }

}  // namespace cpu
