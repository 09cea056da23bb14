// MaxUnpool: elements go back to where MaxPool found them.
#include <cstring>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"

namespace cpu {
namespace {

struct Unpooling {
  explicit Unpooling(const sy::Node& node)
      : kernel(list(node, "kernel_shape")),
        strides(list(node, "strides")),
        pads(list(node, "pads")) {}

  static std::vector<int64_t> list(const sy::Node& node, std::string_view name) {
    const auto numbers = node.integers(name);
    return {numbers.begin(), numbers.end()};
  }

  // Of the tensor that was pooled, as far as the attributes tell. Indices count its elements, even
  // if the output is given another shape.
  sy::Dimensions pooled_shape(sy::Extents x) const {
    sy::Dimensions shape(x);
    for (size_t i = 0; i < kernel.size(); ++i) {
      const int64_t stride = strides.empty() ? 1 : strides[i];
      const int64_t padded = pads.empty() ? 0 : pads[i] + pads[i + kernel.size()];
      shape[i + 2] = (x[i + 2] - 1) * stride + kernel[i] - padded;
    }
    return shape;
  }

  std::vector<int64_t> kernel, strides, pads;
};

// The offset in `y` of element `index` of a contiguous tensor of `shape`.
int64_t offset_in(const Tensor& y, const sy::Dimensions& shape, int64_t index) {
  int64_t offset = 0;
  int64_t rest = index;
  for (size_t axis = shape.rank; axis-- > 0;) {
    const bool outer = axis == 0 || shape[axis] < 1;  // of an empty axis no index is right
    const int64_t at = outer ? rest : rest % shape[axis];
    rest = outer ? 0 : rest / shape[axis];
    if (at < 0 || at >= y.shape[axis]) {
      throw sy::invalid("MaxUnpool: index ", index, " lies outside of the output ", y.shape);
    }
    offset += at * y.strides[axis];
  }
  return offset;
}

void run_unpool(const Unpooling& unpooling, Call& call) {
  const ConstTensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const auto bytes = static_cast<int64_t>(sy::dtype_bytes(y.dtype));
  const double zero = 0;
  copy_tensor({SY_FLOAT64, &zero, {}, {}}, y);
  const ContiguousInput<int64_t> indices(call.input(1));
  const sy::Dimensions shape = unpooling.pooled_shape(x.shape);
  const Scratch<char> elements(x.size() * bytes);
  copy_tensor(x, ContiguousTensor(x.dtype, elements.data(), x.shape).get());
  for (int64_t i = 0; i < x.size(); ++i) {
    const int64_t offset = offset_in(y, shape, indices.data()[i]);
    std::memcpy(y.as<char>() + offset * bytes, elements.data() + i * bytes,
                static_cast<size_t>(bytes));
  }
}

Prepared make_max_unpool(const sy::Node& node) {
  Prepared made;
  made.kernel =
      function_kernel([unpooling = Unpooling(node)](Call& call) { run_unpool(unpooling, call); });
  return made;
}

constexpr uint64_t unpool_types = sy::float_dtypes | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow max_unpool_rows[] = {
    {"MaxUnpool", unpool_types, sy::float_dtypes, make_max_unpool, nullptr, any_strides},
};

}  // namespace

KernelTable max_unpool_kernels() { return max_unpool_rows; }

}  // namespace cpu
