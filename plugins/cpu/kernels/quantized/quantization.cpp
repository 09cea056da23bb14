// QuantizeLinear and DequantizeLinear, for the whole tensor, an axis, or blocks of one.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/quantized/byte_rows.hpp"
#include "loops/convert.hpp"
#include "loops/layout.hpp"
#include "loops/scalar_rows.hpp"
#include "loops/sub_byte.hpp"
#include "machine/parallel.hpp"
#include "simd/vector_rows.hpp"
#include "switchyard/plugin/division.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

bool is_float8_dtype(sy_dtype dtype) {
  return dtype == SY_FLOAT8E4M3FN || dtype == SY_FLOAT8E4M3FNUZ || dtype == SY_FLOAT8E5M2 ||
         dtype == SY_FLOAT8E5M2FNUZ;
}

// A Tensor or ConstTensor with shape and strides of its own.
template <typename Whole>
struct View {
  sy::Dimensions shape, strides;
  sy_dtype dtype = 0;
  std::remove_pointer_t<decltype(Whole().template as<char>())>* data = nullptr;

  explicit View(const Whole& tensor)
      : shape(tensor.shape),
        strides(tensor.strides),
        dtype(tensor.dtype),
        data(tensor.template as<char>()) {}

  Whole tensor() const { return {dtype, data, shape, strides}; }

  // Elements [begin, end) of an axis.
  void slice(size_t axis, int64_t begin, int64_t end) {
    data += begin * strides[axis] * static_cast<int64_t>(sy::dtype_bytes(dtype));
    shape[axis] = end - begin;
  }

  // An axis as two: how many blocks, and the elements of each.
  void split(size_t axis, int64_t block) {
    insert(axis, shape[axis] / block, strides[axis] * block);
    shape[axis + 1] = block;
  }

  // An axis of extent 1 after `axis`, for a number that a whole block shares.
  void share(size_t axis) {
    insert(axis, shape[axis], strides[axis]);
    shape[axis + 1] = 1;
  }

 private:
  void insert(size_t axis, int64_t extent, int64_t stride) {
    if (shape.rank == SY_MAX_RANK)
      throw sy::unsupported(SY_REASON_RANK, "rank above ", SY_MAX_RANK - 1);
    for (size_t i = shape.rank; i > axis; --i) {
      shape[i] = shape[i - 1];
      strides[i] = strides[i - 1];
    }
    ++shape.rank;
    ++strides.rank;
    shape[axis] = extent;
    strides[axis] = stride;
  }
};

// A number that stands for a zero point left out.
alignas(8) const std::array<char, 8> zeros = {};

// Quantizing and dequantizing walk x, scale and zero point alike: the latter two are one number,
// one for each position of the axis, or one for each block of positions.
struct Blocks {
  int64_t axis, block;
  Loop loop;  // over x, scale, zero point, y

  void run(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
           const Tensor& y) const {
    if (scale.size() == 1 && block == 0) return run_whole(x, scale, zero, y);
    const auto position =
        static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(x.rank()) : axis);
    if (position >= x.rank())
      throw sy::invalid("axis ", axis, " is out of range for rank ", x.rank());
    if (block == 0) return run_axis(x, scale, zero, y, position);
    run_blocks(x, scale, zero, y, position);
  }

 private:
  void run_whole(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                 const Tensor& y) const {
    const ConstTensor one_scale{scale.dtype, scale.data, {}, {}};
    const ConstTensor one_zero{zero.dtype, zero.data, {}, {}};
    run_elementwise({x, one_scale, one_zero}, y, loop);
  }

  // A vector laid along the axis; a single number as it is.
  static View<ConstTensor> along(const ConstTensor& numbers, size_t rank, size_t position) {
    View view(numbers);
    const int64_t extent = numbers.size();
    const int64_t stride = numbers.rank() == 1 ? numbers.strides[0] : 0;
    view.shape.rank = view.strides.rank = static_cast<uint32_t>(rank);
    for (size_t i = 0; i < rank; ++i) {
      view.shape[i] = i == position ? extent : 1;
      view.strides[i] = i == position ? stride : 0;
    }
    return view;
  }

  void run_axis(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                const Tensor& y, size_t position) const {
    const View scales = along(scale, x.rank(), position);
    const View zero_points = along(zero, x.rank(), position);
    run_elementwise({x, scales.tensor(), zero_points.tensor()}, y, loop);
  }

  // Whole blocks, and then what is left of the axis with the last number of each line.
  void run_blocks(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                  const Tensor& y, size_t position) const {
    const int64_t extent = x.shape[position];
    const int64_t whole = extent / block;
    if (scale.rank() != x.rank() || scale.shape[position] != sy::ceil_div(extent, block)) {
      throw sy::invalid("a scale of shape ", scale.shape, " does not belong to blocks of ", block,
                        " along axis ", axis, " of ", x.shape);
    }
    if (whole > 0) run_part(x, scale, zero, y, position, {0, whole * block, block, 0, whole});
    if (whole * block < extent) {
      run_part(x, scale, zero, y, position,
               {whole * block, extent, extent - whole * block, whole, whole + 1});
    }
  }

  struct Part {
    int64_t begin, end, block, first_number, last_number;
  };

  void run_part(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                const Tensor& y, size_t position, const Part& part) const {
    View from(x), scales(scale), zero_points(zero);
    View to(y);
    from.slice(position, part.begin, part.end);
    from.split(position, part.block);
    to.slice(position, part.begin, part.end);
    to.split(position, part.block);
    for (auto* view : {&scales, &zero_points}) {
      if (view->shape.rank == 0) continue;  // a zero point left out
      view->slice(position, part.first_number, part.last_number);
      view->share(position);
    }
    run_elementwise({from.tensor(), scales.tensor(), zero_points.tensor()}, to.tensor(), loop);
  }
};

ConstTensor zero_point(Call& call, sy_dtype otherwise) {
  if (call.has_input(2)) return call.input(2);
  return {otherwise, zeros.data(), {}, {}};
}

// ---- QuantizeLinear

double quantize_one(double x, double scale, double zero) {
  return std::nearbyint(x / scale) + zero;
}

void exact_quantize_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  for (int64_t i = 0; i < count; ++i) {
    element_at<double>(data[3] + i * steps[3]) = quantize_one(
        element_at<double>(data[0] + i * steps[0]), element_at<double>(data[1] + i * steps[1]),
        element_at<double>(data[2] + i * steps[2]));
  }
}

// 8-bit floats are rounded by their own conversion, and their zero point is 0.
void divide_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  for (int64_t i = 0; i < count; ++i) {
    element_at<float>(data[3] + i * steps[3]) =
        element_at<float>(data[0] + i * steps[0]) / element_at<float>(data[1] + i * steps[1]);
  }
}

// The quotient rounded to the type that the node's `precision` names, before it becomes an integer.
struct Precision {
  ConvertRow narrow, widen;
};

void precise_quantize_row(char* const* data, const int64_t* steps, int64_t count,
                          const void* parameters) {
  const auto& precision = *static_cast<const Precision*>(parameters);
  for (int64_t i = 0; i < count; ++i) {
    auto quotient = static_cast<float>(element_at<double>(data[0] + i * steps[0]) /
                                       element_at<double>(data[1] + i * steps[1]));
    alignas(8) char narrow[8];
    precision.narrow(reinterpret_cast<const char*>(&quotient), 4, narrow, 2, 1);
    precision.widen(narrow, 2, reinterpret_cast<char*>(&quotient), 4, 1);
    element_at<double>(data[3] + i * steps[3]) =
        std::nearbyint(quotient) + element_at<double>(data[2] + i * steps[2]);
  }
}

// float64 and int32 need double; everything else fits float.
sy_dtype inner_of(std::initializer_list<sy_dtype> dtypes) {
  for (const sy_dtype dtype : dtypes) {
    if (dtype == SY_FLOAT64 || dtype == SY_INT32) return SY_FLOAT64;
  }
  return SY_FLOAT32;
}

Loop quantize_loop(sy_dtype x, sy_dtype scale, sy_dtype y, bool saturate, sy_dtype precision = 0) {
  if (y == SY_FLOAT4E2M1) {  // packed later
    return converted({divide_row, {}, medium_grain},
                     {SY_FLOAT32, SY_FLOAT32, SY_FLOAT8E4M3FN, SY_FLOAT32},
                     {x, scale, SY_FLOAT8E4M3FN, SY_FLOAT32});
  }
  if (!is_float8_dtype(y) && (precision == SY_FLOAT16 || precision == SY_BFLOAT16)) {
    const Precision rounding{convert_row(SY_FLOAT32, precision),
                             convert_row(precision, SY_FLOAT32)};
    return converted({precise_quantize_row, std::make_shared<Precision>(rounding), medium_grain},
                     {SY_FLOAT64, SY_FLOAT64, SY_FLOAT64, SY_FLOAT64}, {x, scale, y, y});
  }
  if (is_float8_dtype(y)) {
    return converted({divide_row, {}, medium_grain}, {SY_FLOAT32, SY_FLOAT32, y, SY_FLOAT32},
                     {x, scale, y, y}, saturate);
  }
  const sy_dtype inner = inner_of({x, scale});
  const InnerLoop row = inner == SY_FLOAT64 ? exact_quantize_row : vector_quantize_row();
  return converted({row, {}, medium_grain}, {inner, inner, inner, inner}, {x, scale, y, y});
}

// What the loop writes for a packed type.
sy_dtype unpacked_for(sy_dtype dtype) {
  return dtype == SY_FLOAT4E2M1 ? SY_FLOAT32 : byte_for(dtype);
}

void run_packed_quantize(Call& call, const Blocks& blocks, sy_dtype dtype) {
  const Tensor& y = call.output(0);
  const Unpacked zero(zero_point(call, byte_for(dtype)));
  const auto count = static_cast<size_t>(y.size());
  std::vector<char> elements(count * sy::dtype_bytes(unpacked_for(dtype)));
  const Tensor unpacked{unpacked_for(dtype), elements.data(), y.shape, y.strides};
  blocks.run(call.input(0), call.input(1), zero.tensor(), unpacked);
  auto* codes = reinterpret_cast<uint8_t*>(elements.data());
  if (dtype == SY_FLOAT4E2M1) {
    for (size_t i = 0; i < count; ++i) {
      codes[i] = static_cast<uint8_t>(to_float4(element_at<float>(elements.data() + i * 4)));
    }
  } else {
    saturate_elements(dtype, codes, y.size());
  }
  pack_elements(codes, dtype, y.as<uint8_t>(), 0, y.size());
}

bool lie_alike(const ConstTensor& x, const Tensor& y) {
  if (sy::is_contiguous(x.shape, x.strides.data())) {
    return sy::is_contiguous(y.shape, y.strides.data());
  }
  return x.rank() > 2 && is_channels_last(x.shape, x.strides.data()) &&
         is_channels_last(y.shape, y.strides.data());
}

bool has_one_number(const ConstTensor& scale, const ConstTensor& zero) {
  return scale.dtype == SY_FLOAT32 && scale.size() == 1 && zero.size() == 1;
}

constexpr int64_t bytes_worth_a_thread = int64_t{1} << 16;

template <typename T>
void quantize_to_bytes(const ConstTensor& x, float scale, T zero, const Tensor& y) {
  parallel_for(y.size(), bytes_worth_a_thread, [&](int64_t begin, int64_t end) {
    write_quantized(x.as<float>() + begin, end - begin, scale, zero, y.as<T>() + begin);
  });
}

// Floats of one scale, without gaps; false for others.
bool quantize_directly(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                       const Tensor& y) {
  const bool fits = x.dtype == SY_FLOAT32 && has_one_number(scale, zero) && zero.dtype == y.dtype &&
                    y.size() != 0 && lie_alike(x, y);
  if (!fits) return false;
  const float factor = *scale.as<float>();
  if (y.dtype == SY_UINT8) quantize_to_bytes<uint8_t>(x, factor, *zero.as<uint8_t>(), y);
  if (y.dtype == SY_INT8) quantize_to_bytes<int8_t>(x, factor, *zero.as<int8_t>(), y);
  return y.dtype == SY_UINT8 || y.dtype == SY_INT8;
}

bool rounds_in_float32(sy_dtype precision) { return precision == 0 || precision == SY_FLOAT32; }

void run_quantize(Call& call, const Blocks& blocks, sy_dtype dtype, sy_dtype precision) {
  if (sy::is_sub_byte(dtype)) return run_packed_quantize(call, blocks, dtype);
  const ConstTensor zero = zero_point(call, dtype);
  if (blocks.block == 0 && rounds_in_float32(precision) &&
      quantize_directly(call.input(0), call.input(1), zero, call.output(0))) {
    return;
  }
  blocks.run(call.input(0), call.input(1), zero, call.output(0));
}

Prepared make_quantize(const sy::Node& node) {
  const sy_dtype dtype = node.required_output(0).dtype;
  const sy_dtype whole = dtype == SY_FLOAT4E2M1 ? dtype : byte_for(dtype);
  const auto precision = static_cast<sy_dtype>(node.integer("precision", 0));
  const Blocks blocks{node.integer("axis", 1), node.integer("block_size", 0),
                      quantize_loop(node.required_input(0).dtype, node.required_input(1).dtype,
                                    whole, node.flag("saturate", true), precision)};
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([=](Call& call) { run_quantize(call, blocks, dtype, precision); });
  return made;
}

// ---- DequantizeLinear: (x - zero) * scale

void dequantize_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  static const float nothing = 0;  // affine's bias
  char* operands[5] = {data[0], data[2], data[1], row_pointer(&nothing), data[3]};
  const int64_t operand_steps[5] = {steps[0], steps[2], steps[1], 0, steps[3]};
  static const InnerLoop affine = vector_affine_row();
  affine(operands, operand_steps, count, nullptr);
}

// int32 minus its zero point may need more digits than float has.
void exact_dequantize_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  for (int64_t i = 0; i < count; ++i) {
    element_at<double>(data[3] + i * steps[3]) =
        (element_at<double>(data[0] + i * steps[0]) - element_at<double>(data[2] + i * steps[2])) *
        element_at<double>(data[1] + i * steps[1]);
  }
}

Loop dequantize_loop(sy_dtype x, sy_dtype scale, sy_dtype y) {
  const sy_dtype inner = inner_of({x, scale, y});
  const InnerLoop row = inner == SY_FLOAT64 ? exact_dequantize_row : dequantize_row;
  return converted({row, {}, cheap_grain}, {inner, inner, inner, inner}, {x, scale, x, y});
}

template <typename T>
void dequantize_bytes(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                      const Tensor& y) {
  const int32_t zero_point = *zero.as<T>();
  const float factor = *scale.as<float>();
  parallel_for(y.size(), bytes_worth_a_thread, [&](int64_t begin, int64_t end) {
    write_reals(x.as<T>() + begin, end - begin, zero_point, factor, y.as<float>() + begin);
  });
}

// Bytes of one scale, without gaps; false for others.
bool dequantize_directly(const ConstTensor& x, const ConstTensor& scale, const ConstTensor& zero,
                         const Tensor& y) {
  const bool fits = y.dtype == SY_FLOAT32 && has_one_number(scale, zero) && zero.dtype == x.dtype &&
                    y.size() != 0 && lie_alike(x, y);
  if (!fits) return false;
  if (x.dtype == SY_UINT8) dequantize_bytes<uint8_t>(x, scale, zero, y);
  if (x.dtype == SY_INT8) dequantize_bytes<int8_t>(x, scale, zero, y);
  return x.dtype == SY_UINT8 || x.dtype == SY_INT8;
}

Prepared make_dequantize(const sy::Node& node) {
  const sy_dtype x = byte_for(node.required_input(0).dtype);
  const Blocks blocks{
      node.integer("axis", 1), node.integer("block_size", 0),
      dequantize_loop(x, node.required_input(1).dtype, node.required_output(0).dtype)};
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([blocks, x](Call& call) {
    const Unpacked input(call.input(0));
    const Unpacked zero(zero_point(call, x));
    const Tensor& y = call.output(0);
    if (blocks.block == 0 && dequantize_directly(input.tensor(), call.input(1), zero.tensor(), y)) {
      return;
    }
    blocks.run(input.tensor(), call.input(1), zero.tensor(), y);
  });
  return made;
}

// ---- rows

constexpr uint64_t bit(sy_dtype dtype) { return SY_DTYPE_BIT(dtype); }
constexpr uint64_t float8s =
    bit(SY_FLOAT8E4M3FN) | bit(SY_FLOAT8E4M3FNUZ) | bit(SY_FLOAT8E5M2) | bit(SY_FLOAT8E5M2FNUZ);
constexpr uint64_t addressable_types =
    bit(SY_INT8) | bit(SY_UINT8) | bit(SY_INT16) | bit(SY_UINT16) | float8s;
constexpr uint64_t quantized_types = addressable_types | sub_byte_dtypes;
constexpr uint64_t reals = sy::float_dtypes;
constexpr uint64_t scale_types = reals | bit(SY_FLOAT8E8M0);
constexpr uint64_t integer32 = bit(SY_INT32);

constexpr KernelRow quantization_rows[] = {
    {"QuantizeLinear", scale_types | integer32 | addressable_types, addressable_types,
     make_quantize, nullptr, any_strides},
    {"QuantizeLinear", scale_types | integer32 | quantized_types, quantized_types, make_quantize},
    {"DequantizeLinear", scale_types | integer32 | addressable_types, reals, make_dequantize,
     nullptr, any_strides},
    {"DequantizeLinear", scale_types | integer32 | quantized_types, reals, make_dequantize},
};

}  // namespace

KernelTable quantization_kernels() { return quantization_rows; }

}  // namespace cpu
