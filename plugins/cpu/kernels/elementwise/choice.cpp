// Where and Clip: choosing among values.
#include <array>
#include <cstring>
#include <limits>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/scalar_rows.hpp"
#include "loops/sub_byte.hpp"
#include "simd/vector_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

// ---- Where, for elements of a size

struct Wide {
  uint64_t low, high;
};

template <typename T>
void where_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  constexpr auto size = static_cast<int64_t>(sizeof(T));
  if (steps[0] == 1 && steps[1] == size && steps[2] == size && steps[3] == size) {
    const uint8_t* condition = &element_at<uint8_t>(data[0]);
    const T* x = &element_at<T>(data[1]);
    const T* y = &element_at<T>(data[2]);
    T* out = &element_at<T>(data[3]);
    for (int64_t i = 0; i < count; ++i) {
      const T from_x = x[i];
      const T from_y = y[i];
      out[i] = condition[i] != 0 ? from_x : from_y;
    }
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const T from_x = element_at<T>(data[1] + i * steps[1]);
    const T from_y = element_at<T>(data[2] + i * steps[2]);
    element_at<T>(data[3] + i * steps[3]) =
        element_at<uint8_t>(data[0] + i * steps[0]) != 0 ? from_x : from_y;
  }
}

InnerLoop where_row_of_size(size_t bytes) {
  switch (bytes) {
    case 1: return where_row<uint8_t>;
    case 2: return where_row<uint16_t>;
    case 4: return vector_choice_row();
    case 8: return where_row<uint64_t>;
    default: return where_row<Wide>;
  }
}

Prepared make_where(const sy::Node& node) {
  const size_t bytes = sy::dtype_bytes(node.required_input(1).dtype);
  const Loop loop{where_row_of_size(bytes), {}, cheap_grain};
  Prepared made;
  made.outputs = {{.may_alias_inputs = bytes == 1 ? 7u : 6u, .follows_layout = true}};
  made.kernel = std::make_unique<ElementwiseKernel>(loop, node, 3);
  return made;
}

// Integers below a byte are chosen among as bytes.
Prepared make_packed_where(const sy::Node& node) {
  const sy_dtype dtype = node.required_output(0).dtype;
  Prepared made;
  made.kernel =
      function_kernel([dtype, loop = Loop{where_row<uint8_t>, {}, cheap_grain}](Call& call) {
        const Unpacked x(call.input(1));
        const Unpacked y(call.input(2));
        const Tensor& output = call.output(0);
        std::vector<uint8_t> bytes(static_cast<size_t>(output.size()));
        const Tensor chosen{byte_for(dtype), bytes.data(), output.shape, output.strides};
        run_elementwise({call.input(0), x.tensor(), y.tensor()}, chosen, loop);
        pack_elements(bytes.data(), dtype, output.as<uint8_t>(), 0, output.size());
      });
  return made;
}

// ---- Clip: not below the least, then not above the most; NaN stays

template <typename T>
T clip(T x, T least, T most) {
  const T raised = x < least ? least : x;
  return most < raised ? most : raised;
}

template <typename T>
void clip_row(char* const* data, const int64_t* steps, int64_t count, const void*) {
  constexpr auto size = static_cast<int64_t>(sizeof(T));
  const T least = element_at<T>(data[1]);  // bounds are scalars
  const T most = element_at<T>(data[2]);
  if (steps[0] == size && steps[3] == size) {
    const T* x = &element_at<T>(data[0]);
    T* out = &element_at<T>(data[3]);
    for (int64_t i = 0; i < count; ++i) out[i] = clip(x[i], least, most);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    element_at<T>(data[3] + i * steps[3]) =
        clip(element_at<T>(data[0] + i * steps[0]), least, most);
  }
}

// The bytes of one number of any type.
struct alignas(8) Scalar {
  std::array<char, 8> bytes{};
};

template <typename T>
Scalar scalar_of(T number) {
  Scalar scalar;
  std::memcpy(scalar.bytes.data(), &number, sizeof(number));
  return scalar;
}

// What a bound that is left out stands for.
struct Limits {
  Scalar least, most;
};

Limits limits_of(sy_dtype dtype) {
  return visit_dtype(NumericTypes{}, dtype, [](auto zero) -> Limits {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      return {scalar_of(std::numeric_limits<T>::min()), scalar_of(std::numeric_limits<T>::max())};
    } else {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      return {scalar_of(convert<T>(-infinity)), scalar_of(convert<T>(infinity))};
    }
  });
}

ConstTensor bound(Call& call, uint32_t i, sy_dtype dtype, const Scalar& otherwise) {
  const bool given = call.has_input(i) && call.input(i).size() == 1;
  return {dtype, given ? call.input(i).data : otherwise.bytes.data(), {}, {}};
}

Prepared make_clip(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const bool narrow = dtype == SY_FLOAT16 || dtype == SY_BFLOAT16;
  const sy_dtype inner = narrow ? SY_FLOAT32 : dtype;
  const InnerLoop row =
      visit_dtype(TypeList<float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                           uint32_t, uint64_t>{},
                  inner, [](auto zero) -> InnerLoop { return clip_row<decltype(zero)>; });
  const Loop loop =
      converted({row, {}, cheap_grain}, {inner, inner, inner, inner}, {dtype, dtype, dtype, dtype});
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1, .follows_layout = true}};
  made.kernel = function_kernel([loop, dtype, limits = limits_of(dtype)](Call& call) {
    const ConstTensor least = bound(call, 1, dtype, limits.least);
    const ConstTensor most = bound(call, 2, dtype, limits.most);
    run_elementwise({call.input(0), least, most}, call.output(0), loop);
  });
  return made;
}

constexpr uint64_t complexes = SY_DTYPE_BIT(SY_COMPLEX64) | SY_DTYPE_BIT(SY_COMPLEX128);
constexpr uint64_t whole_bytes = dtypes_of(ByteTypes{}) | complexes;

constexpr KernelRow choice_rows[] = {
    {"Where", whole_bytes, whole_bytes, make_where, nullptr, any_strides},
    {"Where", sub_byte_integers | boolean_type, sub_byte_integers, make_packed_where},
    {"Clip", numeric_types, numeric_types, make_clip, nullptr, any_strides},
};

}  // namespace

KernelTable choice_kernels() { return choice_rows; }

}  // namespace cpu
