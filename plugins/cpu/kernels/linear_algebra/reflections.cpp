// Qr, by Householder's reflections.
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/linear_algebra/matrices.hpp"

namespace cpu {
namespace {

template <typename T>
class Reflections {
 public:
  Reflections(const ColumnMajor<T>& x, int least)
      : m_(x.rows), n_(x.columns), least_(least), leading_(x.leading) {
    T factor = 0, columns = 0;
    const int asked = -1;
    int info = 0;
    Lapack<T>::geqrf(&m_, &n_, nullptr, &leading_, nullptr, &factor, &asked, &info);
    Lapack<T>::orgqr(&m_, &least_, &least_, nullptr, &leading_, nullptr, &columns, &asked, &info);
    work_size_ = work_size(std::max(factor, columns));
  }

  // `x` becomes the orthonormal columns, with what is behind them left over.
  void run(T* x, T* upper) const {
    const Scratch<T> tau(least_), work(work_size_);
    int info = 0;
    Lapack<T>::geqrf(&m_, &n_, x, &leading_, tau.data(), work.data(), &work_size_, &info);
    for (int64_t column = 0; column < n_; ++column) {
      const int64_t filled = std::min<int64_t>(column + 1, least_);
      T* to = upper + column * least_;
      std::copy_n(x + column * leading_, filled, to);
      std::fill(to + filled, to + least_, T{0});
    }
    Lapack<T>::orgqr(&m_, &least_, &least_, x, &leading_, tau.data(), work.data(), &work_size_,
                     &info);
  }

 private:
  const int m_, n_, least_, leading_;
  int work_size_;
};

template <typename T>
void run_qr(Call& call) {
  const ConstTensor& x = call.input(0);
  if (x.size() == 0) return;  // neither factor has an element then
  const size_t rank = x.rank();
  const int64_t least = std::min(x.shape[rank - 2], x.shape[rank - 1]);
  const ColumnMajor<T> matrices(x);
  sy::Dimensions q_shape(x.shape), r_shape(x.shape);
  q_shape[rank - 1] = r_shape[rank - 2] = least;
  const ColumnMajor<T> q{sy::Extents(q_shape)}, r{sy::Extents(r_shape)};
  const Reflections<T> reflections(matrices, static_cast<int>(least));
  const double steps = 4.0 * double(matrices.size()) * double(least);
  for_each_matrix(matrices.count, steps, [&](int64_t i) {
    if (!is_finite(matrices.matrix(i), matrices.size())) {
      fill_with_nan(q.matrix(i), q.size());
      return fill_with_nan(r.matrix(i), r.size());
    }
    reflections.run(matrices.matrix(i), r.matrix(i));
    std::copy_n(matrices.matrix(i), q.size(), q.matrix(i));
  });
  if (call.has_output(0)) q.write(call.output(0));
  if (call.has_output(1)) r.write(call.output(1));
}

constexpr KernelRow reflection_rows[] = {
    {"Qr", matrix_types, matrix_types, matrix_kernel<run_qr<float>, run_qr<double>>, check_matrices,
     any_strides, "switchyard"},
};

}  // namespace

KernelTable reflection_kernels() { return reflection_rows; }

}  // namespace cpu
