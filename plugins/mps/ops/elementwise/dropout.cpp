// Dropout where it drops nothing: outside of training, or at ratio 0. By kernels/copy.metal.
#include <array>

#include "ops/building/elementwise.hpp"
#include "ops/building/graph_builder.hpp"
#include "ops/building/host_values.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

class DropoutKernel final : public Kernel {
 public:
  explicit DropoutKernel(Device& device) : device_(device) {}

  void encode(const Run& run) const override {
    if (run.outputs[0].dtype != 0) {
      encode_copy(device_, run.stream, run.inputs[0], run.outputs[0]);
    }
    if (run.outputs.size() < 2 || run.outputs[1].dtype == 0) return;
    constexpr std::array<std::byte, 1> kept = {std::byte{1}};
    encode_fill(device_, run.stream, run.outputs[1], kept);
  }

 private:
  Device& device_;
};

Prepared make_dropout(Device& device, const sy::Node&) {
  return {std::make_unique<DropoutKernel>(device)};
}

// Whether it trains must be known before the run: so it is in models that do not.
void check_dropout(const sy::Node& node) {
  const sy_value* training = node.input(2);
  if (training == nullptr) return;
  if (training->data == nullptr) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "training_mode is not known before the run");
  }
  if (*static_cast<const uint8_t*>(training->data) == 0) return;
  const std::vector<double> ratio = host_reals(node, 1);
  if (ratio.empty() || ratio[0] != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "drops nothing at random");
  }
}

uint32_t lower_dropout(GraphBuilder& graph, const sy::Node& node) { return graph.input(node, 0); }

}  // namespace

std::span<const KernelRow> dropout_rows() {
  static const KernelRow rows[] = {{{.op = "Dropout",
                                     .dtypes = float_types | SY_DTYPE_BIT(SY_BOOL),
                                     .output_dtypes = float_types | SY_DTYPE_BIT(SY_BOOL)},
                                    make_dropout,
                                    check_dropout,
                                    lower_dropout}};
  return rows;
}

}  // namespace mps
