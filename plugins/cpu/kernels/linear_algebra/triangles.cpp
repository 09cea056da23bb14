// Cholesky and TriangularSolve.
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/linear_algebra/matrices.hpp"

namespace cpu {
namespace {

// Zeros in the triangle that is not meant, so that nothing there counts; the diagonal stays.
template <typename T>
void clear_other_triangle(T* matrix, int n, bool upper) {
  for (int64_t column = 0; column < n; ++column) {
    T* at = matrix + column * n;
    if (upper) {
      std::fill(at + column + 1, at + n, T{0});
    } else {
      std::fill(at, at + column, T{0});
    }
  }
}

template <typename T>
void run_cholesky(Call& call) {
  const Tensor& l = call.output(0);
  if (l.size() == 0) return;
  const ColumnMajor<T> matrices(call.input(0));
  Findings findings(matrices.count);
  const int n = matrices.rows;
  for_each_matrix(matrices.count, cubed(n) / 3, [&](int64_t i) {
    T* matrix = matrices.matrix(i);
    clear_other_triangle(matrix, n, false);
    if (!is_finite(matrix, matrices.size())) return fill_with_nan(matrix, matrices.size());
    Lapack<T>::potrf("L", &n, matrix, &n, &findings[i], 1);
  });
  findings.refuse("Cholesky", matrices.shape(), "is not positive definite");
  matrices.write(l);
}

struct TriangularSolve {
  bool upper, unit;

  template <typename T>
  void run(Call& call) const {
    const Tensor& x = call.output(0);
    if (x.size() == 0) return;
    const ColumnMajor<T> triangles(call.input(0));
    const int n = triangles.rows;
    const Scratch<bool> finite(triangles.count);
    Findings zeros(triangles.count);
    for_each_matrix(triangles.count, double(triangles.size()), [&](int64_t i) {
      T* matrix = triangles.matrix(i);
      clear_other_triangle(matrix, n, upper);
      for (int64_t k = 0; k < n; ++k) {
        T& pivot = matrix[k * (n + 1)];
        if (unit) pivot = 1;
        if (pivot == 0) zeros[i] = 1;
      }
      finite[i] = is_finite(matrix, triangles.size());
    });
    zeros.refuse("TriangularSolve", triangles.shape(), "is singular");
    const ColumnMajor<T> sides(call.input(1), x.shape);
    const std::vector<int64_t> sources = broadcast_matrices(call.input(0).shape, x.shape);
    for_each_matrix(sides.count, double(sides.size()) * n / 2, [&](int64_t i) {
      const int64_t a = sources[static_cast<size_t>(i)];
      if (!finite[a]) return fill_with_nan(sides.matrix(i), sides.size());
      int info = 0;
      Lapack<T>::trtrs(upper ? "U" : "L", "N", unit ? "U" : "N", &n, &sides.columns,
                       triangles.matrix(a), &n, sides.matrix(i), &n, &info, 1, 1, 1);
    });
    sides.write(x);
  }
};

Prepared make_triangular_solve(const sy::Node& node) {
  Prepared made;
  const TriangularSolve solve{node.flag("upper"), node.flag("unit")};
  made.kernel = function_kernel([solve](Call& call) {
    call.input(0).dtype == SY_FLOAT64 ? solve.run<double>(call) : solve.run<float>(call);
  });
  return made;
}

constexpr KernelRow triangle_rows[] = {
    {"Cholesky", matrix_types, matrix_types,
     matrix_kernel<run_cholesky<float>, run_cholesky<double>>, check_matrices, any_strides,
     "switchyard"},
    {"TriangularSolve", matrix_types, matrix_types, make_triangular_solve, check_matrices,
     any_strides, "switchyard"},
};

}  // namespace

KernelTable triangle_kernels() { return triangle_rows; }

}  // namespace cpu
