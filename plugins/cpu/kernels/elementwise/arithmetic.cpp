#include <cmath>
#include <string_view>
#include <type_traits>

#include "kernels/elementwise/binary.hpp"
#include "kernels/kernels.hpp"
#include "loops/convert.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/scalar_rows.hpp"
#include "simd/vector_rows.hpp"
#include "types/dispatch.hpp"

namespace cpu {

Prepared binary_kernel(const sy::Node& node, Loop loop, bool may_alias, bool swapped) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = may_alias ? 3u : 0u, .follows_layout = true}};
  if (swapped) {
    made.run = [loop = std::move(loop)](Call& call) {
      run_elementwise({&call.input(1), &call.input(0), &call.output(0)}, loop);
    };
  } else {
    made.elementwise = std::make_shared<ElementwiseKernel>(std::move(loop), node, 2);
  }
  return made;
}

namespace {

// ---- one element; integers wrap, and what is divided by 0 is 0

template <typename T>
using Wrapping = std::conditional_t<sizeof(T) < sizeof(int), unsigned, std::make_unsigned_t<T>>;

template <typename T>
T add(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
  } else {
    return x + y;
  }
}
template <typename T>
T subtract(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
  } else {
    return x - y;
  }
}
template <typename T>
T multiply(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
  } else {
    return x * y;
  }
}
template <typename T>
T divide(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return subtract<T>(0, x);
    }
  }
  return static_cast<T>(x / y);
}
template <typename T>
T smaller(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return x;
    if (std::isnan(y)) return y;
  }
  return y < x ? y : x;
}
template <typename T>
T larger(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(x)) return x;
    if (std::isnan(y)) return y;
  }
  return x < y ? y : x;
}
template <typename T>
T prelu(T x, T slope) {
  return x < 0 ? multiply<T>(x, slope) : x;
}

// The remainder has the divisor's sign.
template <typename T>
T floor_mod(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    const T rest = std::fmod(x, y);
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
  } else {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return 0;
    }
    const T rest = static_cast<T>(x % y);
    return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
  }
}

// The remainder has the dividend's sign.
template <typename T>
T truncated_mod(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(x, y);
  } else {
    if (y == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (y == -1) return 0;
    }
    return static_cast<T>(x % y);
  }
}

// ---- loops

template <typename T>
Row arithmetic_row(std::string_view op) {
  using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                        std::type_identity<T>>::type;
  if (op == "Add")
    return binary_row<U, U, U, add<U>>;  // wrapping is the same with and without sign
  if (op == "Sub") return binary_row<U, U, U, subtract<U>>;
  if (op == "Mul") return binary_row<U, U, U, multiply<U>>;
  if (op == "Div") return binary_row<T, T, T, divide<T>>;
  if (op == "Min") return binary_row<T, T, T, smaller<T>>;
  if (op == "Max") return binary_row<T, T, T, larger<T>>;
  if (op == "PRelu") return binary_row<T, T, T, prelu<T>>;
  throw sy::bug("no arithmetic for ", op);
}

using PlainTypes =
    TypeList<double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

bool is_narrow_float(sy_dtype dtype) { return dtype == SY_FLOAT16 || dtype == SY_BFLOAT16; }

}  // namespace

Loop arithmetic_loop(std::string_view op, sy_dtype dtype) {
  if (dtype == SY_FLOAT32 || is_narrow_float(dtype)) {
    const Loop loop{vector_binary_row(op), {}, cheap_grain};
    return converted(loop, {SY_FLOAT32, SY_FLOAT32, SY_FLOAT32}, {dtype, dtype, dtype});
  }
  const Row row = visit_dtype(PlainTypes{}, dtype,
                              [&](auto zero) { return arithmetic_row<decltype(zero)>(op); });
  return {row, {}, cheap_grain};
}

namespace {

Prepared make_arithmetic(const sy::Node& node) {
  return binary_kernel(node, arithmetic_loop(node.op(), node.needed_input(0).dtype), true);
}

// ---- Mod

Prepared make_mod(const sy::Node& node) {
  const bool truncated = node.flag("fmod");
  const sy_dtype dtype = node.needed_input(0).dtype;
  const sy_dtype inner = is_narrow_float(dtype) ? SY_FLOAT32 : dtype;
  const auto scalar_row = [&] {
    return visit_dtype(PlainTypes{}, inner, [&](auto zero) -> Row {
      using T = decltype(zero);
      return truncated ? binary_row<T, T, T, truncated_mod<T>> : binary_row<T, T, T, floor_mod<T>>;
    });
  };
  const Row row =
      inner == SY_FLOAT32 ? vector_binary_row(truncated ? "Fmod" : "Mod") : scalar_row();
  const Loop loop{row, {}, medium_grain};
  return binary_kernel(node, converted(loop, {inner, inner, inner}, {dtype, dtype, dtype}), true);
}

// ---- Pow

template <typename T>
void float_power_row(char* const* data, const int64_t* steps, int64_t count,
                     const void* parameters) {
  constexpr auto square = [](T x, T) { return x * x; };
  constexpr auto cube = [](T x, T) { return x * x * x; };
  constexpr auto power = [](T x, T y) { return std::pow(x, y); };
  const T exponent = element_at<T>(data[1]);
  Row row = binary_row<T, T, T, power>;
  if (steps[1] == 0 && exponent == 2) row = binary_row<T, T, T, square>;
  if (steps[1] == 0 && exponent == 3) row = binary_row<T, T, T, cube>;
  row(data, steps, count, parameters);
}

// To a negative power only 1 and -1 are integers; the rest becomes 0.
int64_t integer_power(int64_t base, int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  uint64_t result = 1;
  for (auto factor = static_cast<uint64_t>(base); exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= factor;
    factor *= factor;
  }
  return static_cast<int64_t>(result);
}

bool is_integer(sy_dtype dtype) { return (sy::integer_dtypes & SY_DTYPE_BIT(dtype)) != 0; }

Prepared make_power(const sy::Node& node) {
  const sy_dtype base = node.needed_input(0).dtype;
  const sy_dtype exponent = node.needed_input(1).dtype;
  Loop loop{nullptr, {}, expensive_grain};
  sy_dtype inner = SY_FLOAT32;
  if (is_integer(base) && is_integer(exponent)) {
    inner = SY_INT64;
    loop.row = binary_row<int64_t, int64_t, int64_t, integer_power>;
  } else if (is_integer(base) || base == SY_FLOAT64) {
    inner = SY_FLOAT64;
    loop.row = float_power_row<double>;
  } else {
    loop.row = float_power_row<float>;
  }
  return binary_kernel(node, converted(loop, {inner, inner, inner}, {base, exponent, base}),
                       sy::dtype_bytes(base) == sy::dtype_bytes(exponent));
}

// ---- variadic

void copy_input(const Tensor& input, const Tensor& output, const Loop& copying) {
  run_elementwise({&input, &output}, copying);
}

Loop copying_loop(sy_dtype dtype) {
  struct Copying {
    ConvertRow convert;
  };
  const auto row = [](char* const* data, const int64_t* steps, int64_t count, const void* self) {
    static_cast<const Copying*>(self)->convert(data[0], steps[0], data[1], steps[1], count);
  };
  return {row, std::make_shared<Copying>(Copying{convert_row(dtype, dtype)}), cheap_grain};
}

// Joins the inputs from left to right in the output. Only the first two are read before it is
// written.
struct Fold {
  Loop loop;
  Loop copying;
  uint32_t count;

  void run(Call& call) const {
    const Tensor& output = call.output(0);
    if (count == 1) return copy_input(call.input(0), output, copying);
    run_elementwise({&call.input(0), &call.input(1), &output}, loop);
    for (uint32_t i = 2; i < count; ++i) run_elementwise({&output, &call.input(i), &output}, loop);
  }
};

Fold make_fold(const sy::Node& node, std::string_view op) {
  const sy_dtype dtype = node.needed_input(0).dtype;
  return {arithmetic_loop(op, dtype), copying_loop(dtype), node.input_count()};
}

Prepared fold_kernel(Run run) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = 3, .follows_layout = true}};
  made.run = std::move(run);
  return made;
}

Prepared make_variadic(const sy::Node& node) {
  const std::string_view op = node.op() == "Sum" ? "Add" : node.op();
  const Fold fold = make_fold(node, op);
  return fold_kernel([fold](Call& call) { fold.run(call); });
}

Prepared make_mean(const sy::Node& node) {
  const Fold fold = make_fold(node, "Add");
  const sy_dtype dtype = node.needed_input(0).dtype;
  const Loop division = arithmetic_loop("Div", dtype);
  struct alignas(8) Count {
    std::array<char, 8> bytes{};
  } count;
  const double number = node.input_count();
  convert_row(SY_FLOAT64, dtype)(reinterpret_cast<const char*>(&number), 0, count.bytes.data(), 0,
                                 1);
  return fold_kernel([fold, division, dtype, count](Call& call) {
    fold.run(call);
    const Tensor divisor{dtype, const_cast<char*>(count.bytes.data()), {}, {}};
    run_elementwise({&call.output(0), &divisor, &call.output(0)}, division);
  });
}

constexpr KernelRow arithmetic_rows[] = {
    {"Add", numeric_types, numeric_types, make_arithmetic, nullptr, any_strides},
    {"Sub", numeric_types, numeric_types, make_arithmetic, nullptr, any_strides},
    {"Mul", numeric_types, numeric_types, make_arithmetic, nullptr, any_strides},
    {"Div", numeric_types, numeric_types, make_arithmetic, nullptr, any_strides},
    {"PRelu", numeric_types, numeric_types, make_arithmetic, nullptr, any_strides},
    {"Mod", numeric_types, numeric_types, make_mod, nullptr, any_strides},
    {"Pow", numeric_types, numeric_types, make_power, nullptr, any_strides},
    {"Min", numeric_types, numeric_types, make_variadic, nullptr, any_strides},
    {"Max", numeric_types, numeric_types, make_variadic, nullptr, any_strides},
    {"Sum", numeric_types, numeric_types, make_variadic, nullptr, any_strides},
    {"Mean", sy::float_dtypes, sy::float_dtypes, make_mean, nullptr, any_strides},
};

}  // namespace

KernelTable arithmetic_kernels() { return arithmetic_rows; }

}  // namespace cpu
