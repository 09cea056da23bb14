#include "onednn/float_product.hpp"

#include "held_signals.hpp"
#include "onednn/primitive.hpp"
#include "switchyard/plugin/guard.hpp"

namespace cpu::onednn {

bool multiplies_floats() {
  static const bool known = has_instructions(dnnl_cpu_isa_avx2);
  return known;
}

void multiply_floats(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                     DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate) {
  set_threads(1);
  const HeldSignals held;
  const dnnl_status_t status =
      dnnl_sgemm(a.turned ? 'T' : 'N', b.turned ? 'T' : 'N', m, n, k, alpha, a.data, a.step, b.data,
                 b.step, accumulate ? 1.0f : 0.0f, c.data, c.step);
  if (status == dnnl_out_of_memory) throw sy::out_of_memory("oneDNN: a product of matrices");
  if (status != dnnl_success) {
    throw sy::bug("oneDNN: a product failed with status ", static_cast<int>(status));
  }
}

}  // namespace cpu::onednn
