// Mean of several tensors, by kernels/mean.metal.
#include <array>
#include <string>

#include "ops/building/element_kernel.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// As kernels/mean.metal reads them.
struct MeanParameters {
  uint32_t is_first;
  uint32_t is_last;
  float count;
};

class MeanKernel final : public Kernel {
 public:
  explicit MeanKernel(ElementKernel kernel) : kernel_(kernel) {}

  void encode(const Run& run) const override {
    const size_t count = run.inputs.size();
    const Tensor& output = run.outputs[0];
    Tensor total = output;
    total.dtype = SY_FLOAT32;
    total.strides = sy::contiguous_strides(output.shape);
    total.offset_bytes = 0;
    total.block = &run.stream.temporary(total.size_bytes());
    for (size_t i = 0; i < count; ++i) {
      const std::array<const Tensor*, 3> tensors = {&run.inputs[i], &total, &output};
      const MeanParameters parameters{i == 0 ? 1u : 0u, i + 1 == count ? 1u : 0u,
                                      static_cast<float>(count)};
      kernel_.encode(run.stream, tensors, parameters);
    }
  }

 private:
  const ElementKernel kernel_;
};

Prepared make_mean(Device& device, const sy::Node& node) {
  const std::string function = std::string("mean_part_") + metal_type(node.required_input(0).dtype);
  return {std::make_unique<MeanKernel>(ElementKernel(device, function, sizeof(float)))};
}

}  // namespace

std::span<const KernelRow> mean_rows() {
  static const KernelRow rows[] = {{{.op = "Mean", .dtypes = float_types}, make_mean}};
  return rows;
}

}  // namespace mps
