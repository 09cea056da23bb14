// Det, by elimination in double with the largest pivot of each column.
#include <cmath>
#include <utility>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

// Destroys the matrix.
double determinant(double* matrix, int64_t n) {
  double product = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::abs(matrix[i * n + k]) > std::abs(matrix[pivot * n + k])) pivot = i;
    }
    const double largest = matrix[pivot * n + k];
    if (largest == 0) return 0;
    if (pivot != k) {
      for (int64_t j = k; j < n; ++j) std::swap(matrix[pivot * n + j], matrix[k * n + j]);
      product = -product;
    }
    product *= largest;
    for (int64_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k] / largest;
      for (int64_t j = k + 1; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
    }
  }
  return product;
}

void run_determinant(Call& call) {
  const ConstTensor& x = call.input(0);
  const Tensor& y = call.output(0);
  const int64_t n = x.shape[x.rank() - 1];
  const Scratch<double> matrices(x.size());
  copy_tensor(x, ContiguousTensor(SY_FLOAT64, matrices.data(), x.shape).get());
  const Scratch<double> determinants(y.size());
  parallel_for(y.size(), std::max<int64_t>(1, 65536 / std::max<int64_t>(1, n * n * n)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t i = begin; i < end; ++i) {
                   determinants[i] = determinant(matrices.data() + i * n * n, n);
                 }
               });
  copy_tensor(ContiguousTensor(SY_FLOAT64, determinants.data(), y.shape).get(), y);
}

Prepared make_determinant(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel(run_determinant);
  return made;
}

constexpr KernelRow determinant_rows[] = {
    {"Det", sy::float_dtypes, sy::float_dtypes, make_determinant, nullptr, any_strides, "", 1,
     UINT32_MAX, 2},
};

}  // namespace

KernelTable determinant_kernels() { return determinant_rows; }

}  // namespace cpu
