#pragma once

#include "kernels/linear_algebra/matrices.hpp"

namespace cpu {

// Singular values of matrices of one shape, from the largest on, and the vectors of each.
template <typename T>
class SingularValues {
 public:
  // `has_vectors`: whether the vectors are asked for, too.
  SingularValues(const ColumnMajor<T>& x, bool has_vectors)
      : job_(has_vectors ? "S" : "N"), m_(x.rows), n_(x.columns), least_(std::min(m_, n_)) {
    T size = 0;
    const int asked = -1;
    int info = 0;
    Lapack<T>::gesdd(job_, &m_, &n_, nullptr, &m_, nullptr, nullptr, &m_, nullptr, &least_, &size,
                     &asked, nullptr, &info, 1);
    work_size_ = work_size(size);
  }

  // Destroys `x` [m, n]; U is [m, least] and Vh [least, n], both left alone without vectors.
  // Returns what LAPACK says: not 0 where it did not converge.
  int run(T* x, T* s, T* u, T* vh) const {
    const Scratch<T> work(work_size_);
    const Scratch<int> integers(8 * int64_t{least_});
    int info = 0;
    Lapack<T>::gesdd(job_, &m_, &n_, x, &m_, s, u, &m_, vh, &least_, work.data(), &work_size_,
                     integers.data(), &info, 1);
    return info;
  }

 private:
  const char* const job_;
  const int m_, n_, least_;
  int work_size_;
};

}  // namespace cpu
