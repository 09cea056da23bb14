// Svd, PseudoInverse and Eigh.
#include <optional>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/linear_algebra/singular_values.hpp"

namespace cpu {
namespace {

constexpr const char* not_converged = "has values that the iteration did not find";

// A stack of the shape [..., rows, columns] that the last two extents are replaced by.
sy::Dimensions of_extents(sy::Extents shape, int64_t rows, int64_t columns) {
  sy::Dimensions made(shape);
  made[shape.size() - 2] = rows;
  made[shape.size() - 1] = columns;
  return made;
}

template <typename T>
void write_lines(const Scratch<T>& numbers, const Tensor& to) {
  copy_tensor(ContiguousTensor(sy::dtype_of<T>, numbers.data(), to.shape).get(), to);
}

template <typename T>
void run_svd(Call& call) {
  const ConstTensor& x = call.input(0);
  if (x.size() == 0) return;
  const ColumnMajor<T> matrices(x);
  const int64_t least = std::min(matrices.rows, matrices.columns);
  const bool has_vectors = call.has_output(1) || call.has_output(2);
  const sy::Dimensions u_shape = of_extents(x.shape, has_vectors ? matrices.rows : 0, least);
  const sy::Dimensions vh_shape = of_extents(x.shape, least, has_vectors ? matrices.columns : 0);
  const ColumnMajor<T> u{sy::Extents(u_shape)}, vh{sy::Extents(vh_shape)};
  const Scratch<T> s(matrices.count * least);
  const SingularValues<T> values(matrices, has_vectors);
  Findings findings(matrices.count);
  for_each_matrix(matrices.count, 8.0 * double(matrices.size()) * double(least), [&](int64_t i) {
    T* own = s.data() + i * least;
    if (!is_finite(matrices.matrix(i), matrices.size())) {
      fill_with_nan(own, least);
      fill_with_nan(u.matrix(i), u.size());
      return fill_with_nan(vh.matrix(i), vh.size());
    }
    findings[i] = values.run(matrices.matrix(i), own, u.matrix(i), vh.matrix(i));
  });
  findings.refuse("Svd", x.shape, not_converged);
  if (call.has_output(0)) write_lines(s, call.output(0));
  if (call.has_output(1)) u.write(call.output(1));
  if (call.has_output(2)) vh.write(call.output(2));
}

// What counts as 0 beside the largest value.
struct Cutoff {
  double absolute;
  std::optional<double> relative;

  template <typename T>
  double of(T largest, int m, int n) const {
    const double share = relative.value_or(std::numeric_limits<T>::epsilon() * std::max(m, n));
    return std::max(absolute, share * largest);
  }
};

template <typename T>
void run_pseudo_inverse(const Cutoff& cutoff, Call& call) {
  const ConstTensor& x = call.input(0);
  if (x.size() == 0) return;
  const ColumnMajor<T> matrices(x);
  const int m = matrices.rows, n = matrices.columns, least = std::min(m, n);
  const ColumnMajor<T> inverses(call.output(0).shape);
  const SingularValues<T> values(matrices, true);
  Findings findings(matrices.count);
  for_each_matrix(matrices.count, 8.0 * double(matrices.size()) * least, [&](int64_t i) {
    if (!is_finite(matrices.matrix(i), matrices.size())) {
      return fill_with_nan(inverses.matrix(i), inverses.size());
    }
    const Scratch<T> s(least), u(int64_t{m} * least), vh(int64_t{least} * n);
    findings[i] = values.run(matrices.matrix(i), s.data(), u.data(), vh.data());
    const double limit = cutoff.of(s[0], m, n);
    for (int64_t column = 0; column < least; ++column) {
      const T factor = double(s[column]) > limit ? 1 / s[column] : T{0};
      for (int64_t row = 0; row < m; ++row) u[column * m + row] *= factor;
    }
    const T one = 1, zero = 0;
    Lapack<T>::gemm("T", "T", &n, &m, &least, &one, vh.data(), &least, u.data(), &m, &zero,
                    inverses.matrix(i), &n, 1, 1);
  });
  findings.refuse("PseudoInverse", x.shape, not_converged);
  inverses.write(call.output(0));
}

Prepared make_pseudo_inverse(const sy::Node& node) {
  Prepared made;
  Cutoff cutoff{node.real("atol", 0), {}};
  if (node.has("rtol")) cutoff.relative = node.real("rtol");
  made.kernel = function_kernel([cutoff](Call& call) {
    const bool is_double = call.input(0).dtype == SY_FLOAT64;
    (is_double ? run_pseudo_inverse<double> : run_pseudo_inverse<float>)(cutoff, call);
  });
  return made;
}

// The upper triangle is not looked at.
template <typename T>
void run_eigh(Call& call) {
  const ConstTensor& x = call.input(0);
  if (x.size() == 0) return;
  const ColumnMajor<T> matrices(x);
  const int n = matrices.rows, asked = -1;
  const char* const job = call.has_output(1) ? "V" : "N";
  T size = 0;
  int integer_count = 0, info = 0;
  Lapack<T>::syevd(job, "L", &n, nullptr, &n, nullptr, &size, &asked, &integer_count, &asked, &info,
                   1, 1);
  const int numbers = work_size(size);
  const Scratch<T> w(matrices.count * n);
  Findings findings(matrices.count);
  for_each_matrix(matrices.count, 4 * cubed(n), [&](int64_t i) {
    T* matrix = matrices.matrix(i);
    for (int64_t column = 1; column < n; ++column) std::fill_n(matrix + column * n, column, T{0});
    if (!is_finite(matrix, matrices.size())) {
      fill_with_nan(w.data() + i * n, n);
      return fill_with_nan(matrix, matrices.size());
    }
    const Scratch<T> work(numbers);
    const Scratch<int> integers(integer_count);
    Lapack<T>::syevd(job, "L", &n, matrix, &n, w.data() + i * n, work.data(), &numbers,
                     integers.data(), &integer_count, &findings[i], 1, 1);
  });
  findings.refuse("Eigh", x.shape, not_converged);
  if (call.has_output(0)) write_lines(w, call.output(0));
  if (call.has_output(1)) matrices.write(call.output(1));
}

constexpr KernelRow spectrum_rows[] = {
    {"Svd", matrix_types, matrix_types, matrix_kernel<run_svd<float>, run_svd<double>>,
     check_matrices, any_strides, "switchyard"},
    {"PseudoInverse", matrix_types, matrix_types, make_pseudo_inverse, check_matrices, any_strides,
     "switchyard"},
    {"Eigh", matrix_types, matrix_types, matrix_kernel<run_eigh<float>, run_eigh<double>>,
     check_matrices, any_strides, "switchyard"},
};

}  // namespace

KernelTable spectrum_kernels() { return spectrum_rows; }

}  // namespace cpu
