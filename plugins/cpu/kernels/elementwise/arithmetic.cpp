#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/elementwise/binary.hpp"
#include "kernels/elementwise/binary_functions.hpp"
#include "kernels/kernels.hpp"
#include "loops/convert.hpp"
#include "loops/elementwise_kernel.hpp"
#include "loops/scalar_rows.hpp"

namespace cpu {

Prepared binary_kernel(const sy::Node& node, Loop loop, bool may_alias, bool swapped) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = may_alias ? 3u : 0u, .follows_layout = true}};
  if (swapped) {
    made.kernel = function_kernel([loop = std::move(loop)](Call& call) {
      run_elementwise({call.input(1), call.input(0)}, call.output(0), loop);
    });
  } else {
    made.kernel = std::make_unique<ElementwiseKernel>(std::move(loop), node, 2);
  }
  return made;
}

namespace {

Prepared make_binary_function(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return binary_kernel(node, binary_function_loop(node.op(), dtype), true);
}

Prepared make_mod(const sy::Node& node) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return binary_kernel(node, binary_function_loop(node.flag("fmod") ? "Fmod" : "Mod", dtype), true);
}

// ---- Pow

template <typename T>
void float_power_row(char* const* data, const int64_t* steps, int64_t count,
                     const void* parameters) {
  constexpr auto square = [](T x, T) { return x * x; };
  constexpr auto cube = [](T x, T) { return x * x * x; };
  static const InnerLoop power = binary_function_row("Pow", sy::dtype_of<T>);
  const T exponent = element_at<T>(data[1]);
  InnerLoop row = power;
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
  const sy_dtype base = node.required_input(0).dtype;
  const sy_dtype exponent = node.required_input(1).dtype;
  Loop loop{nullptr, {}, expensive_grain};
  sy_dtype inner = SY_FLOAT32;
  if (is_integer(base) && is_integer(exponent)) {
    inner = SY_INT64;
    loop.row = binary_row<int64_t, int64_t, int64_t, integer_power>;
  } else if (is_integer(base) || base == SY_FLOAT64) {
    inner = SY_FLOAT64;
    loop.row = float_power_row<double>;
  } else {
    loop = {float_power_row<float>, {}, medium_grain};
  }
  return binary_kernel(node, converted(loop, {inner, inner, inner}, {base, exponent, base}),
                       sy::dtype_bytes(base) == sy::dtype_bytes(exponent));
}

// ---- variadic

void copy_input(const ConstTensor& input, const Tensor& output, const Loop& copying) {
  run_elementwise({input}, output, copying);
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
    run_elementwise({call.input(0), call.input(1)}, output, loop);
    for (uint32_t i = 2; i < count; ++i) run_elementwise({output, call.input(i)}, output, loop);
  }
};

Fold make_fold(const sy::Node& node, std::string_view op) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return {binary_function_loop(op, dtype), copying_loop(dtype), node.input_count()};
}

template <typename Function>
Prepared fold_kernel(Function run) {
  Prepared made;
  made.outputs = {{.may_alias_inputs = 3, .follows_layout = true}};
  made.kernel = function_kernel(std::move(run));
  return made;
}

Prepared make_variadic(const sy::Node& node) {
  const std::string_view op = node.op() == "Sum" ? "Add" : node.op();
  const Fold fold = make_fold(node, op);
  return fold_kernel([fold](Call& call) { fold.run(call); });
}

Prepared make_mean(const sy::Node& node) {
  const Fold fold = make_fold(node, "Add");
  const sy_dtype dtype = node.required_input(0).dtype;
  const Loop division = binary_function_loop("Div", dtype);
  struct alignas(8) Count {
    std::array<char, 8> bytes{};
  } count;
  const double number = node.input_count();
  convert_row(SY_FLOAT64, dtype)(reinterpret_cast<const char*>(&number), 0, count.bytes.data(), 0,
                                 1);
  return fold_kernel([fold, division, dtype, count](Call& call) {
    fold.run(call);
    const ConstTensor divisor{dtype, count.bytes.data(), {}, {}};
    run_elementwise({call.output(0), divisor}, call.output(0), division);
  });
}

std::vector<KernelRow> make_arithmetic_rows() {
  std::vector<KernelRow> rows;
  const auto claim = [&](const char* op, uint64_t dtypes, auto make, const char* domain = "") {
    rows.push_back({op, dtypes, dtypes, make, nullptr, any_strides, domain});
  };
  for (const char* op : {"Add", "Sub", "Mul", "Div", "PRelu"}) {
    claim(op, numeric_types, make_binary_function);
  }
  claim("FloorDivide", numeric_types, make_binary_function, "switchyard");
  claim("Mod", numeric_types, make_mod);
  claim("Pow", numeric_types, make_power);
  for (const char* op : {"Min", "Max", "Sum"}) claim(op, numeric_types, make_variadic);
  claim("Mean", sy::float_dtypes, make_mean);
#define ARITHMETIC(name, grain, vector, exact)
#define FORM(name, grain, vector, exact)
#define FUNCTION(name, grain, vector, exact) \
  claim(#name, sy::float_dtypes, make_binary_function, "switchyard");
#include "simd/binary_functions.def"
#undef FUNCTION
#undef FORM
#undef ARITHMETIC
  return rows;
}

}  // namespace

KernelTable arithmetic_kernels() {
  static const auto& rows = *new std::vector<KernelRow>(make_arithmetic_rows());
  return rows;
}

}  // namespace cpu
