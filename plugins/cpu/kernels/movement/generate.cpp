// Tensors made from little: ConstantOfShape, Range, EyeLike, OneHot, Trilu.
#include <algorithm>
#include <cstring>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"
#include "loops/numbers.hpp"

namespace cpu {
namespace {

// ---- ConstantOfShape: the attribute's one element everywhere; float32 0 without it

Prepared make_constant_of_shape(const sy::Node& node) {
  std::vector<char> value(16, 0);
  if (const sy_value* tensor = node.tensor("value"); tensor != nullptr && tensor->data != nullptr) {
    std::memcpy(value.data(), tensor->data, sy::dtype_bytes(tensor->dtype));
  }
  Prepared made;
  made.kernel = function_kernel([value](Call& call) { fill_tensor(call.output(0), value.data()); });
  return made;
}

// ---- Range: start + i * delta, rounded once

template <typename T>
T term(T start, T delta, int64_t i) {
  if constexpr (std::is_integral_v<T>) {  // the way there may lie out of range, the term does not
    return static_cast<T>(static_cast<uint64_t>(start) +
                          static_cast<uint64_t>(i) * static_cast<uint64_t>(delta));
  } else {
    return convert<T>(convert<double>(start) + static_cast<double>(i) * convert<double>(delta));
  }
}

template <typename T>
void range(Call& call) {
  const T start = *call.input(0).as<T>(), delta = *call.input(2).as<T>();
  T* out = call.output(0).as<T>();
  const int64_t count = call.output(0).size();
  for (int64_t i = 0; i < count; ++i) out[i] = term(start, delta, i);
}

using RangeTypes = TypeList<float, double, Float16, BFloat16, int16_t, int32_t, int64_t>;

Prepared make_range(const sy::Node& node) {
  Prepared made;
  made.kernel =
      function_kernel(visit_dtype(RangeTypes{}, node.required_output(0).dtype,
                                  [](auto zero) -> Run { return range<decltype(zero)>; }));
  return made;
}

// ---- EyeLike

Prepared make_eye_like(const sy::Node& node) {
  const int64_t diagonal = node.integer("k", 0);
  Prepared made;
  made.kernel = function_kernel(
      visit_dtype(ByteTypes{}, node.required_output(0).dtype, [&](auto zero) -> Run {
        using T = decltype(zero);
        return [diagonal](Call& call) {
          const Tensor& out = call.output(0);
          const T none = convert<T>(0.0f);
          fill_tensor(out, &none);
          const int64_t shift = std::clamp(diagonal, -out.shape[0], out.shape[1]);
          for (int64_t row = 0; row < out.shape[0]; ++row) {
            const int64_t column = row + shift;
            if (column >= 0 && column < out.shape[1])
              out.as<T>()[row * out.shape[1] + column] = convert<T>(1.0f);
          }
        };
      }));
  return made;
}

// ---- OneHot: the off value everywhere, the on value at each index; indices outside mark nothing

Prepared make_one_hot(const sy::Node& node) {
  const int64_t axis = node.integer("axis", -1);
  Prepared made;
  made.kernel = function_kernel([axis](Call& call) {
    const ConstTensor& indices = call.input(0);
    const ConstTensor& values = call.input(2);
    const Tensor& out = call.output(0);
    const int64_t bytes = element_bytes(out);
    fill_tensor(out, values.data);
    const size_t at = normalize_axis(axis, out.rank());
    const int64_t depth = out.shape[at];
    const std::vector<double> wanted = numbers_of<double>(indices);
    const int64_t inner = sy::element_count(out.shape.subspan(at + 1));
    for (int64_t i = 0; i < indices.size(); ++i) {
      double index = wanted[static_cast<size_t>(i)];
      if (index < 0) index += static_cast<double>(depth);
      if (!(index >= 0 && index < static_cast<double>(depth))) continue;
      const int64_t position =
          (i / inner) * depth * inner + static_cast<int64_t>(index) * inner + i % inner;
      std::memcpy(bytes_of(out) + position * bytes, bytes_of(values) + bytes,
                  static_cast<size_t>(bytes));
    }
  });
  return made;
}

// ---- Trilu

Prepared make_trilu(const sy::Node& node) {
  const bool upper = node.flag("upper", true);
  Prepared made;
  made.kernel = function_kernel([upper](Call& call) {
    const ConstTensor& in = call.input(0);
    const Tensor& out = call.output(0);
    const int64_t rows = in.shape[in.rank() - 2], columns = in.shape[in.rank() - 1];
    const int64_t diagonal =
        std::clamp(call.has_input(1) ? integer_of(call.input(1)) : 0, -rows - 1, columns);
    const int64_t bytes = element_bytes(in);
    const int64_t lines = columns == 0 ? 0 : in.size() / columns;
    for (int64_t line = 0; line < lines; ++line) {
      // Kept: columns from `cut` on in the upper form, up to it in the lower one.
      const int64_t row = line % rows;
      const int64_t cut =
          std::clamp<int64_t>(upper ? row + diagonal : row + diagonal + 1, 0, columns);
      const int64_t first = upper ? cut : 0, last = upper ? columns : cut;
      char* to = bytes_of(out) + line * columns * bytes;
      std::memset(to, 0, static_cast<size_t>(columns * bytes));
      std::memcpy(to + first * bytes, bytes_of(in) + (line * columns + first) * bytes,
                  static_cast<size_t>((last - first) * bytes));
    }
  });
  return made;
}

constexpr uint64_t integer_and_float = dtypes_of(NumericTypes{});

constexpr KernelRow generate_rows[] = {
    {"ConstantOfShape", SY_DTYPES_ALL, whole_byte_dtypes, make_constant_of_shape, nullptr,
     any_strides},
    {"Range", SY_DTYPES_ALL, dtypes_of(RangeTypes{}), make_range},
    {"EyeLike", whole_byte_dtypes, dtypes_of(ByteTypes{}), make_eye_like, nullptr, 0, "", 1,
     UINT32_MAX, 2, 2},
    {"OneHot", whole_byte_dtypes, whole_byte_dtypes, make_one_hot,
     [](const sy::Node& node) {
       if (!(integer_and_float & SY_DTYPE_BIT(node.required_input(0).dtype))) {
         throw sy::unsupported(SY_REASON_DTYPE, "OneHot takes no indices of ",
                               sy::dtype_name(node.required_input(0).dtype));
       }
     }},
    {"Trilu", whole_byte_dtypes, whole_byte_dtypes, make_trilu},
};

}  // namespace

KernelTable generate_kernels() { return generate_rows; }

}  // namespace cpu
