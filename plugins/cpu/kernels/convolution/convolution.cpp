#include <memory>

#include "kernels/convolution/attributes.hpp"
#include "kernels/convolution/convolution.hpp"
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/scratch.hpp"
#include "run/packed.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// Weights of another dtype, or strided ones, as contiguous T.
template <typename T>
const T* as_contiguous(const ConstTensor& tensor, T* room) {
  const bool is_own = tensor.dtype == sy::dtype_of<T>;
  if (is_own && sy::is_contiguous(tensor.shape, tensor.strides.data())) return tensor.as<T>();
  copy_tensor(tensor, ContiguousTensor(sy::dtype_of<T>, room, tensor.shape).get());
  return room;
}

template <typename T>
int64_t room_for(const ConstTensor& tensor) {
  const bool is_own = tensor.dtype == sy::dtype_of<T>;
  return is_own && sy::is_contiguous(tensor.shape, tensor.strides.data()) ? 0 : tensor.size();
}

// Sums in T; tensors of narrower types are widened first and rounded at the end.
template <typename T>
struct Convolution {
  ConvolutionAttributes attributes;
  std::shared_ptr<const void> panels;  // of constant weights

  void operator()(Call& call) const {
    const Tensor& y = call.output(0);
    if (y.size() == 0) return;
    const ConstTensor& x = call.input(0);
    const ConstTensor& weights = call.input(1);
    const bool is_own = x.dtype == sy::dtype_of<T>;
    const bool writes_directly = is_own && sy::is_contiguous(y.shape, y.strides.data());
    const Scratch<T> wide_x(is_own ? 0 : x.size());
    const Scratch<T> wide_y(writes_directly ? 0 : y.size());
    const ContiguousTensor widened(sy::dtype_of<T>, wide_x.data(), x.shape);
    if (!is_own) copy_tensor(x, widened.get());
    const ConvolutionShape shape = attributes.shape(x.shape, weights.shape, y.shape);
    const Scratch<T> wide_weights(panels == nullptr ? room_for<T>(weights) : 0);
    GemmOperand<T> operand;
    if (panels != nullptr) {
      operand.panels = static_cast<const T*>(panels.get());
    } else {
      operand.view.data = as_contiguous(weights, wide_weights.data());
    }
    const Scratch<T> wide_bias(call.has_input(2) ? call.input(2).size() : 0);
    const T* bias = call.has_input(2) ? as_contiguous(call.input(2), wide_bias.data()) : nullptr;
    convolve<T>(shape, images_of<T>(is_own ? x : widened.get()), operand, bias,
                writes_directly ? y.as<T>() : wide_y.data());
    if (!writes_directly) {
      copy_tensor(ContiguousTensor(sy::dtype_of<T>, wide_y.data(), y.shape).get(), y);
    }
  }
};

// Depends on nothing but the weights, so that kernels for any input share it.
template <typename T>
Packed pack_constant_weights(const ConvolutionAttributes& attributes, const sy_value& weights) {
  const sy::Extents extents = sy::shape_of(weights);
  ConvolutionShape shape;
  shape.window.kernel = spatial_of(extents);
  shape.groups = attributes.groups;
  shape.group_inputs = extents[1];
  shape.group_outputs = extents[0] / attributes.groups;
  const int64_t size = packed_weights_size<T>(shape);
  const std::string form = sy::text("convolution/", sy::dtype_name(sy::dtype_of<T>), "/",
                                    attributes.groups, "/", extents);
  const auto make = [&]() -> std::shared_ptr<const void> {
    const std::shared_ptr<T[]> panels(new T[static_cast<size_t>(size)]);
    const sy::Dimensions strides = sy::contiguous_strides(extents);
    const ConstTensor tensor{weights.dtype, weights.data, extents, strides};
    const Scratch<T> wide(room_for<T>(tensor));
    pack_weights<T>(shape, as_contiguous<T>(tensor, wide.data()), panels.get());
    return panels;
  };
  return {1, packed_constant(weights.constant_id, form, make),
          static_cast<uint64_t>(size) * sizeof(T)};
}

bool packs(const ConvolutionAttributes& attributes, const sy_value& weights) {
  if (!sy::is_constant(weights) || weights.data == nullptr || !sy::has_known_shape(weights)) {
    return false;
  }
  ConvolutionShape shape;
  shape.groups = attributes.groups;
  shape.group_inputs = weights.shape[1];
  shape.group_outputs = weights.shape[0] / attributes.groups;
  return !is_depthwise(shape) && sy::element_count(sy::shape_of(weights)) > 0;
}

}  // namespace

Prepared plain_convolution(const sy::Node& node) {
  const sy_value& weights = node.required_input(1);
  const ConvolutionAttributes attributes(node);
  const auto make = [&](auto zero) {
    using T = decltype(zero);
    Prepared made;
    Convolution<T> convolution{attributes, nullptr};
    if (packs(attributes, weights)) {
      made.packed = {pack_constant_weights<T>(attributes, weights)};
      convolution.panels = made.packed[0].data;
    }
    made.kernel = function_kernel(std::move(convolution));
    return made;
  };
  return node.required_input(0).dtype == SY_FLOAT64 ? make(double{}) : make(float{});
}

namespace {

constexpr KernelRow convolution_rows[] = {
    {"Conv", sy::float_dtypes, sy::float_dtypes, plain_convolution, nullptr, any_strides, "", 1,
     UINT32_MAX, 1, 5},
};

}  // namespace

KernelTable convolution_kernels() { return convolution_rows; }

}  // namespace cpu
