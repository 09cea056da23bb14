// SoftmaxCrossEntropyLoss and NegativeLogLikelihoodLoss of scores [N, C, ...] and labels [N, ...],
// by kernels/loss.metal: a group a label, then one that joins them.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ops/building/arguments.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/kernel.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/loss.metal reads them.
struct LossParameters {
  int64_t ignored = 0;
  uint32_t has_ignored = 0;
  uint32_t takes_softmax = 0;
  uint32_t has_weights = 0;
  uint32_t weights_at = 0;
  int32_t weights_step = 0;
  uint32_t writes_logarithms = 0;
  uint32_t joins = 1;
  uint32_t unused = 0;  // to the end of the kernel's struct
};

struct JoinParameters {
  uint32_t count = 0;
  uint32_t at = 0;
  uint32_t divides = 0;
};

constexpr size_t class_axis = 1;
constexpr uint32_t joining_threads = 256;

std::vector<int64_t> without_classes(const sy::Dimensions& strides, size_t rank) {
  std::vector<int64_t> made(strides.data.data(), strides.data.data() + rank);
  made.erase(made.begin() + class_axis);
  return made;
}

class LossKernel final : public Kernel {
 public:
  LossKernel(const seam::Pipeline& loss, const seam::Pipeline& join,
             const LossParameters& parameters, bool divides)
      : loss_(loss), join_(join), parameters_(parameters), divides_(divides) {}

  void encode(const Run& run) const override {
    if (run.inputs[0].size() == 0) throw sy::unsupported(SY_REASON_LIMIT, "no elements to join");
    const auto count = static_cast<uint32_t>(run.inputs[1].size());
    const Block* parts = nullptr;
    if (parameters_.joins != 0) parts = &run.stream.temporary(size_t{count} * 2 * sizeof(float));
    encode_losses(run, parts);
    if (parts == nullptr) return;
    const Bound y = bind(run.outputs[0], 1);
    const JoinParameters joining{count, static_cast<uint32_t>(y.offset), divides_ ? 1u : 0u};
    Arguments arguments;
    arguments.add(*parts).add(y).add_value(joining);
    arguments.run_groups(run.stream, join_, 1, joining_threads);
  }

 private:
  // What is not there is bound as the scores, or the result, and not touched.
  void encode_losses(const Run& run, const Block* parts) const {
    const Tensor &scores = run.inputs[0], &labels = run.inputs[1], &output = run.outputs[0];
    LossParameters parameters = parameters_;
    parameters.has_weights = run.has_input(2) ? 1 : 0;
    parameters.writes_logarithms = run.outputs.size() > 1 && run.outputs[1].dtype != 0 ? 1 : 0;
    const Tensor& weights = parameters.has_weights != 0 ? run.inputs[2] : scores;
    const Tensor& logarithms = parameters.writes_logarithms != 0 ? run.outputs[1] : scores;
    const Bound bound[5] = {bind(scores, 0), bind(labels, 1), bind(weights, 2), bind(logarithms, 3),
                            bind(output, 4)};
    parameters.weights_at = static_cast<uint32_t>(bound[2].offset);
    parameters.weights_step = int32_step(weights.strides[0]);
    const size_t rank = scores.shape.size();
    const auto score_strides = without_classes(scores.strides, rank);
    const auto logarithm_strides = without_classes(logarithms.strides, rank);
    const std::vector<int64_t> nowhere(rank - 1, 0);
    const bool joins = parts != nullptr;
    const std::array<Walked, 4> lines = {
        Walked{score_strides.data(), bound[0].offset},
        Walked{labels.strides.data.data(), bound[1].offset},
        Walked{logarithm_strides.data(), bound[3].offset},
        Walked{joins ? nowhere.data() : output.strides.data.data(), bound[4].offset}};
    const std::array<Walked, 2> along = {Walked{&scores.strides.data[class_axis]},
                                         Walked{&logarithms.strides.data[class_axis]}};
    const Axes outer = make_axes(labels.shape, lines);
    const Axes inner = make_axes(scores.shape.subspan(class_axis, 1), along);
    Arguments arguments;
    for (const Bound& one : bound) arguments.add(one);
    joins ? arguments.add(*parts) : arguments.add(bound[4]);
    arguments.add_value(outer).add_value(inner).add_value(parameters).add_faults();
    arguments.run_groups(run.stream, loss_, outer.count, group_for(inner.count));
  }

  const seam::Pipeline& loss_;
  const seam::Pipeline& join_;
  const LossParameters parameters_;
  const bool divides_;
};

Prepared make_loss(Device& device, const sy::Node& node) {
  const std::string type = metal_type(node.required_input(0).dtype);
  const std::string_view reduction = node.text("reduction", "mean");
  LossParameters parameters;
  parameters.has_ignored = node.has("ignore_index") ? 1 : 0;
  parameters.ignored = node.integer("ignore_index", 0);
  parameters.takes_softmax = node.op() == "SoftmaxCrossEntropyLoss" ? 1 : 0;
  parameters.joins = reduction != "none" ? 1 : 0;
  const auto& loss =
      device.pipeline("class_loss_" + type + "_" + metal_type(node.required_input(1).dtype));
  return {std::make_unique<LossKernel>(loss, device.pipeline("join_losses_" + type), parameters,
                                       reduction == "mean")};
}

void check_loss(const sy::Node& node) {
  const sy_value& scores = node.required_input(0);
  node.required_output(0);
  if (sy::has_known_shape(scores) && sy::element_count(sy::shape_of(scores)) == 0) {
    throw sy::unsupported(SY_REASON_LIMIT, "no elements to join");
  }
}

}  // namespace

std::span<const KernelRow> loss_rows() {
  constexpr uint64_t with_labels = float_types | SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  const auto row = [](const char* op) {
    return KernelRow{
        {.op = op, .dtypes = with_labels, .output_dtypes = float_types}, make_loss, check_loss};
  };
  static const KernelRow rows[] = {row("SoftmaxCrossEntropyLoss"),
                                   row("NegativeLogLikelihoodLoss")};
  return rows;
}

}  // namespace mps
