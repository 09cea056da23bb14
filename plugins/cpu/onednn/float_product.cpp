#include "onednn/float_product.hpp"

#include "machine/held_signals.hpp"
#include "onednn/primitive.hpp"
#include "onednn/process_end.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu::onednn {
namespace {

unsigned kind_of(int64_t m, int64_t n, bool a_turned, bool b_turned, bool accumulate) {
  const bool is_line = m == 1 || n == 1, is_small = m * n < 4096;
  return (a_turned ? 1u : 0u) + (b_turned ? 2u : 0u) + (accumulate ? 4u : 0u) +
         (is_line ? 8u : 0u) + (is_small ? 16u : 0u);
}

void multiply_plainly(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                      DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate) {
  for (int64_t row = 0; row < m; ++row) {
    for (int64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < k; ++i) {
        sum += a.data[a.turned ? i * a.step + row : row * a.step + i] *
               b.data[b.turned ? column * b.step + i : i * b.step + column];
      }
      float& to = c.data[row * c.step + column];
      to = accumulate ? to + alpha * sum : alpha * sum;
    }
  }
}

}  // namespace

bool multiplies_floats() {
  static const bool known = has_instructions(dnnl_cpu_isa_avx2);
  return known;
}

void multiply_floats(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                     DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate) {
  if (!enter_product()) return multiply_plainly(m, n, k, alpha, a, b, c, accumulate);
  set_threads(1);
  const HeldSignals held;
  const dnnl_status_t status =
      dnnl_sgemm(a.turned ? 'T' : 'N', b.turned ? 'T' : 'N', m, n, k, alpha, a.data, a.step, b.data,
                 b.step, accumulate ? 1.0f : 0.0f, c.data, c.step);
  announce_end_after(kind_of(m, n, a.turned, b.turned, accumulate));
  leave_product();
  if (status == dnnl_out_of_memory) throw sy::out_of_memory("oneDNN: a product of matrices");
  if (status != dnnl_success) {
    throw sy::bug("oneDNN: a product failed with status ", static_cast<int>(status));
  }
}

}  // namespace cpu::onednn
