// Inverse, Solve and SlogDet, by elimination with the largest pivot of each column.
#include <cmath>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/linear_algebra/matrices.hpp"

namespace cpu {
namespace {

// The matrices of an input as products of triangles. What is not finite is not looked at.
template <typename T>
class Eliminated {
 public:
  explicit Eliminated(const ConstTensor& from)
      : factors_(from),
        pivots_(factors_.count * factors_.rows),
        finite_(factors_.count),
        zeros_(factors_.count) {
    const int n = factors_.rows;
    for_each_matrix(factors_.count, cubed(n), [&](int64_t i) {
      finite_[i] = is_finite(factors_.matrix(i), factors_.size());
      if (!finite_[i]) return;
      Lapack<T>::getrf(&n, &n, factors_.matrix(i), &factors_.leading, pivots(i), &zeros_[i]);
    });
  }

  int extent() const { return factors_.rows; }
  int64_t count() const { return factors_.count; }
  bool is_finite_matrix(int64_t i) const { return finite_[i]; }
  bool is_singular(int64_t i) { return zeros_[i] != 0; }
  void refuse_singular(const char* op) const { zeros_.refuse(op, factors_.shape(), "is singular"); }

  // Column-major, of as many rows as the matrix has.
  void solve(int64_t i, T* sides, int side_count) const {
    const int n = factors_.rows;
    int info = 0;
    Lapack<T>::getrs("N", &n, &side_count, factors_.matrix(i), &factors_.leading, pivots(i), sides,
                     &factors_.leading, &info, 1);
  }

  T diagonal(int64_t i, int k) const {
    return factors_.matrix(i)[k * (int64_t{factors_.leading} + 1)];
  }
  // Whether row k stayed where it was.
  bool is_unmoved(int64_t i, int k) const { return pivots(i)[k] == k + 1; }

 private:
  int* pivots(int64_t i) const { return pivots_.data() + i * factors_.rows; }

  ColumnMajor<T> factors_;
  Scratch<int> pivots_;
  Scratch<bool> finite_;
  Findings zeros_;
};

template <typename T>
void run_inverse(Call& call) {
  const Tensor& y = call.output(0);
  if (y.size() == 0) return;
  Eliminated<T> eliminated(call.input(0));
  eliminated.refuse_singular("Inverse");
  const ColumnMajor<T> inverses(y.shape);
  for_each_matrix(inverses.count, cubed(inverses.rows), [&](int64_t i) {
    T* inverse = inverses.matrix(i);
    if (!eliminated.is_finite_matrix(i)) return fill_with_nan(inverse, inverses.size());
    std::fill_n(inverse, inverses.size(), T{0});
    for (int k = 0; k < inverses.rows; ++k) inverse[k * (int64_t{inverses.leading} + 1)] = 1;
    eliminated.solve(i, inverse, inverses.columns);
  });
  inverses.write(y);
}

template <typename T>
void run_solve(Call& call) {
  const Tensor& x = call.output(0);
  if (x.size() == 0) return;
  Eliminated<T> eliminated(call.input(0));
  eliminated.refuse_singular("Solve");
  const ColumnMajor<T> sides(call.input(1), x.shape);
  const std::vector<int64_t> matrices = broadcast_matrices(call.input(0).shape, x.shape);
  for_each_matrix(sides.count, double(sides.size()) * sides.rows, [&](int64_t i) {
    const int64_t a = matrices[static_cast<size_t>(i)];
    if (!eliminated.is_finite_matrix(a)) return fill_with_nan(sides.matrix(i), sides.size());
    eliminated.solve(a, sides.matrix(i), sides.columns);
  });
  sides.write(x);
}

// The sum of logarithms is made in double.
template <typename T>
void run_slog_det(Call& call) {
  Eliminated<T> eliminated(call.input(0));
  const Scratch<T> signs(eliminated.count()), logarithms(eliminated.count());
  for (int64_t i = 0; i < eliminated.count(); ++i) {
    double sign = 1, logarithm = 0;
    if (!eliminated.is_finite_matrix(i)) {
      sign = logarithm = std::numeric_limits<double>::quiet_NaN();
    } else if (eliminated.is_singular(i)) {
      sign = 0;
      logarithm = -std::numeric_limits<double>::infinity();
    } else {
      for (int k = 0; k < eliminated.extent(); ++k) {
        const double pivot = eliminated.diagonal(i, k);
        if ((pivot < 0) == eliminated.is_unmoved(i, k)) sign = -sign;
        logarithm += std::log(std::fabs(pivot));
      }
    }
    signs[i] = static_cast<T>(sign);
    logarithms[i] = static_cast<T>(logarithm);
  }
  const auto write = [](const Scratch<T>& numbers, const Tensor& to) {
    copy_tensor(ContiguousTensor(sy::dtype_of<T>, numbers.data(), to.shape).get(), to);
  };
  if (call.has_output(0)) write(signs, call.output(0));
  if (call.has_output(1)) write(logarithms, call.output(1));
}

constexpr KernelRow elimination_rows[] = {
    {"Inverse", matrix_types, matrix_types, matrix_kernel<run_inverse<float>, run_inverse<double>>,
     check_matrices, any_strides, "switchyard"},
    {"Solve", matrix_types, matrix_types, matrix_kernel<run_solve<float>, run_solve<double>>,
     check_matrices, any_strides, "switchyard"},
    {"SlogDet", matrix_types, matrix_types,
     matrix_kernel<run_slog_det<float>, run_slog_det<double>>, check_matrices, any_strides,
     "switchyard"},
};

}  // namespace

KernelTable elimination_kernels() { return elimination_rows; }

}  // namespace cpu
