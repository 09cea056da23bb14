#include "gemm/matrices.hpp"

#include <algorithm>
#include <type_traits>

#include "gemm/dense_product.hpp"
#include "loops/convert.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "run/packed.hpp"
#include "switchyard/plugin/division.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

template <typename T>
inline constexpr sy_dtype own_dtype = sy::dtype_of<T>;

// uint32_t products wrap as int32_t ones do, and int64_t as uint64_t.
bool is_stored_as(sy_dtype dtype, sy_dtype sum) {
  return dtype == sum || (dtype == SY_UINT32 && sum == SY_INT32) ||
         (dtype == SY_INT64 && sum == SY_UINT64);
}

// rows x columns elements from `from` to contiguous rows in `to`.
template <typename T>
void convert_block(const ConstMatrix& from, int64_t row, int64_t column, int64_t rows,
                   int64_t columns, T* to) {
  const auto size = static_cast<int64_t>(sy::dtype_bytes(from.dtype));
  const ConvertRow convert = convert_row(from.dtype, own_dtype<T>);
  const char* start = static_cast<const char*>(from.data) +
                      (row * from.row_step + column * from.column_step) * size;
  for (int64_t i = 0; i < rows; ++i) {
    convert(start + i * from.row_step * size, from.column_step * size,
            reinterpret_cast<char*>(to + i * columns), sizeof(T), columns);
  }
}

template <typename T>
GemmOperand<T> plain_operand(const ConstMatrix& matrix) {
  GemmOperand<T> operand;
  operand.view = {static_cast<const T*>(matrix.data), matrix.row_step, matrix.column_step};
  return operand;
}

}  // namespace

template <typename T>
GemmOperand<T> left_operand(const ConstMatrix& matrix) {
  if (is_stored_as(matrix.dtype, own_dtype<T>)) return plain_operand<T>(matrix);
  GemmOperand<T> operand;
  operand.pack = [matrix](int64_t k0, int64_t k, int64_t first, int64_t count, T* panels) {
    const Scratch<T> block(count * k);
    if (matrix.column_step == 1) {
      convert_block(matrix, first, k0, count, k, block.data());
      tiles<T>().pack_left({block.data(), k, 1}, count, k, panels);
    } else {
      const ConstMatrix turned{matrix.dtype, matrix.data, matrix.column_step, matrix.row_step};
      convert_block(turned, k0, first, k, count, block.data());
      tiles<T>().pack_left({block.data(), 1, count}, count, k, panels);
    }
  };
  return operand;
}

template <typename T>
GemmOperand<T> right_operand(const ConstMatrix& matrix) {
  if (is_stored_as(matrix.dtype, own_dtype<T>)) return plain_operand<T>(matrix);
  GemmOperand<T> operand;
  operand.pack = [matrix](int64_t k0, int64_t k, int64_t first, int64_t count, T* panels) {
    const Scratch<T> block(count * k);
    if (matrix.row_step == 1 && matrix.column_step != 1) {
      const ConstMatrix turned{matrix.dtype, matrix.data, matrix.column_step, matrix.row_step};
      convert_block(turned, first, k0, count, k, block.data());
      tiles<T>().pack_right({block.data(), 1, k}, k, count, panels);
    } else {
      convert_block(matrix, k0, first, k, count, block.data());
      tiles<T>().pack_right({block.data(), count, 1}, k, count, panels);
    }
  };
  return operand;
}

template GemmOperand<float> left_operand(const ConstMatrix&);
template GemmOperand<float> right_operand(const ConstMatrix&);
template GemmOperand<int32_t> left_operand(const ConstMatrix&);
template GemmOperand<int32_t> right_operand(const ConstMatrix&);

sy_dtype sum_dtype(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT32:
    case SY_FLOAT16:
    case SY_BFLOAT16: return SY_FLOAT32;
    case SY_FLOAT64: return SY_FLOAT64;
    case SY_INT64:
    case SY_UINT64: return SY_UINT64;
    case SY_INT8:
    case SY_INT16:
    case SY_INT32:
    case SY_UINT8:
    case SY_UINT16:
    case SY_UINT32: return SY_INT32;
    default: throw sy::unsupported(SY_REASON_DTYPE, "no product of ", sy::dtype_name(dtype));
  }
}

namespace {

using SumTypes = TypeList<float, double, int32_t, uint64_t>;

// Calls `visit(row)` on the team.
template <typename Visit>
void for_rows(int64_t m, int64_t n, Visit&& visit) {
  parallel_for(m, std::max<int64_t>(1, 32768 / std::max<int64_t>(n, 1)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) visit(i);
               });
}

template <typename T>
T factor_of(double number) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<int64_t>(number));
  } else {
    return static_cast<T>(number);
  }
}

template <typename T>
Epilogue<T> epilogue_of(const MatrixProduct& p) {
  return {factor_of<T>(p.alpha), p.accumulate};
}

template <typename T>
void scale_row(T* row, int64_t step, int64_t count, double factor) {
  using U = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                        std::type_identity<T>>::type;
  const U by = static_cast<U>(factor_of<T>(factor));
  for (int64_t j = 0; j < count; ++j) {
    row[j * step] = static_cast<T>(static_cast<U>(row[j * step]) * by);
  }
}

// Sums that are not of c's type are made beside it, then rounded into it.
template <typename T>
void multiply_beside(const MatrixProduct& p, const GemmOperand<T>& a, const GemmOperand<T>& b) {
  const Scratch<T> sums(p.m * p.n);
  const auto size = static_cast<int64_t>(sy::dtype_bytes(p.c.dtype));
  const ConvertRow widen_row = convert_row(p.c.dtype, own_dtype<T>);
  const ConvertRow round_row = convert_row(own_dtype<T>, p.c.dtype);
  const auto c_row = [&](int64_t i) {
    return static_cast<char*>(p.c.data) + i * p.c.row_step * size;
  };
  const auto sum_row = [&](int64_t i) { return reinterpret_cast<char*>(sums.data() + i * p.n); };
  if (p.accumulate) {
    for_rows(p.m, p.n, [&](int64_t i) {
      widen_row(c_row(i), p.c.column_step * size, sum_row(i), sizeof(T), p.n);
      if (p.beta != 1) scale_row(sums.data() + i * p.n, 1, p.n, p.beta);
    });
  }
  gemm<T>(p.m, p.n, p.k, a, b, {sums.data(), p.n, 1}, epilogue_of<T>(p));
  for_rows(p.m, p.n, [&](int64_t i) {
    round_row(sum_row(i), sizeof(T), c_row(i), p.c.column_step * size, p.n);
  });
}

template <typename T>
GemmOperand<T> operand_of(const ConstMatrix& matrix, bool left) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, int32_t>) {
    return left ? left_operand<T>(matrix) : right_operand<T>(matrix);
  } else {
    return plain_operand<T>(matrix);
  }
}

// Strips for floats where those are better, else panels.
template <typename T>
int64_t strip_columns_for(sy_dtype dtype, int64_t n) {
  return std::is_same_v<T, float> && dtype == SY_FLOAT32 ? strip_columns_of(n) : 0;
}

template <typename T>
GemmOperand<T> packed_operand(const T* packed, sy_dtype dtype, int64_t n) {
  GemmOperand<T> operand;
  operand.strip_columns = strip_columns_for<T>(dtype, n);
  (operand.strip_columns != 0 ? operand.strips : operand.panels) = packed;
  return operand;
}

template <typename T>
void multiply_as(const MatrixProduct& p) {
  const GemmOperand<T> a = operand_of<T>(p.a, true);
  GemmOperand<T> b;
  const bool is_row =
      p.m == 1 && is_stored_as(p.b.dtype, own_dtype<T>);  // streams what is in memory
  if (p.panels != nullptr && !is_row) {
    const int64_t columns = p.packed_columns != 0 ? p.packed_columns : p.n;
    b = packed_operand(static_cast<const T*>(p.panels), p.b.dtype, columns);
  } else {
    b = operand_of<T>(p.b, false);
  }
  if (!is_stored_as(p.c.dtype, own_dtype<T>)) return multiply_beside<T>(p, a, b);
  const MatrixView<T> c{static_cast<T*>(p.c.data), p.c.row_step, p.c.column_step};
  if (p.accumulate && p.beta != 1) {
    for_rows(p.m, p.n, [&](int64_t i) { scale_row(c.at(i, 0), c.column_step, p.n, p.beta); });
  }
  gemm<T>(p.m, p.n, p.k, a, b, c, epilogue_of<T>(p));
}

}  // namespace

void multiply(const MatrixProduct& product) {
  visit_dtype(SumTypes{}, sum_dtype(product.c.dtype),
              [&](auto zero) { multiply_as<decltype(zero)>(product); });
}

namespace {

template <typename T>
void pack_strips(MatrixView<const T> b, int64_t k, int64_t n, int64_t width, T* to) {
  for (int64_t column = 0; column < n; column += width) {
    const int64_t count = std::min(width, n - column);
    if (b.column_step == 1) {
      for (int64_t i = 0; i < k; ++i) std::copy_n(b.at(i, column), count, to + i * width);
    } else {
      for (int64_t j = 0; j < count; ++j) {
        for (int64_t i = 0; i < k; ++i) to[i * width + j] = *b.at(i, column + j);
      }
    }
    for (int64_t i = 0; i < k; ++i, to += width) std::fill(to + count, to + width, T{0});
  }
}

template <typename T>
void pack_matrix(const ConstMatrix& matrix, int64_t k, int64_t n, T* to) {
  const GemmOperand<T> operand = operand_of<T>(matrix, false);
  if (const int64_t width = strip_columns_for<T>(matrix.dtype, n)) {
    pack_strips(operand.view, k, n, width, to);
  } else if (operand.pack) {
    operand.pack(0, k, 0, n, to);
  } else {
    tiles<T>().pack_right(operand.view, k, n, to);
  }
}

template <typename T>
int64_t packed_size(sy_dtype dtype, int64_t k, int64_t n) {
  const int64_t width = strip_columns_for<T>(dtype, n);
  return width == 0 ? tiles<T>().right_size(k, n) : sy::ceil_div(n, width) * width * k;
}

}  // namespace

PackedMatrix pack_constant(const sy_value& constant, int64_t k, int64_t n, int64_t row_step,
                           int64_t column_step) {
  if (!sy::is_constant(constant) || constant.data == nullptr || n == 1 || k == 0 || n == 0)
    return {};
  return visit_dtype(SumTypes{}, sum_dtype(constant.dtype), [&](auto zero) -> PackedMatrix {
    using T = decltype(zero);
    const int64_t matrices = sy::element_count(sy::shape_of(constant)) / (k * n);
    const int64_t size = packed_size<T>(constant.dtype, k, n);
    const std::string form = sy::text("gemm/right/", sy::dtype_name(constant.dtype), "/", k, "x", n,
                                      "/", row_step, ",", column_step);
    const auto make = [&]() -> std::shared_ptr<const void> {
      const std::shared_ptr<T[]> panels(new (std::align_val_t(64)) T[matrices * size], [](T* data) {
        ::operator delete[](data, std::align_val_t(64));
      });
      const auto bytes = static_cast<int64_t>(sy::dtype_bytes(constant.dtype));
      for (int64_t i = 0; i < matrices; ++i) {
        const auto* data = static_cast<const char*>(constant.data) + i * k * n * bytes;
        const ConstMatrix matrix{constant.dtype, data, row_step, column_step};
        pack_matrix(matrix, k, n, panels.get() + i * size);
      }
      return panels;
    };
    return {packed_constant(constant.constant_id, form, make),
            matrices * size * static_cast<int64_t>(sizeof(T)),
            size * static_cast<int64_t>(sizeof(T))};
  });
}

int64_t packed_unit(int64_t n) {
  const int64_t width = strip_columns_of(n);
  return width == 0 ? tiles<float>().columns : width;
}

}  // namespace cpu
