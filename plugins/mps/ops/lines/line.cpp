// Softmax, LogSoftmax, Hardmax, LpNormalization, CumSum: along one axis, by kernels/line.metal and
// running_sum.metal.
#include <string>

#include "ops/building/host_values.hpp"
#include "ops/building/lines.hpp"
#include "ops/dtypes.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// As the kernels read them.
struct LineParameters {
  uint32_t first = 0;
  uint32_t second = 0;
};

// Lines of the input to lines of the output.
class LineKernel final : public Kernel {
 public:
  LineKernel(const seam::Pipeline& pipeline, int64_t axis, LineParameters parameters)
      : pipeline_(pipeline), axis_(axis), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const size_t rank = run.inputs[0].shape.size();
    const Lines lines = lines_of(run.inputs[0], run.outputs[0], along_axis(axis_, rank));
    encode_lines(run.stream, pipeline_, lines, std::as_bytes(std::span(&parameters_, 1)));
  }

 private:
  const seam::Pipeline& pipeline_;
  const int64_t axis_;
  const LineParameters parameters_;
};

Prepared prepared(Device& device, const sy::Node& node, const char* family, int64_t axis,
                  LineParameters parameters, uint8_t specialised_on = 0) {
  const auto& pipeline =
      device.pipeline(std::string(family) + metal_type(node.required_input(0).dtype));
  return {std::make_unique<LineKernel>(pipeline, axis, parameters), specialised_on, {1}};
}

Prepared make_softmax(Device& device, const sy::Node& node) {
  const LineParameters parameters{node.op() == "LogSoftmax" ? 1u : 0u};
  return prepared(device, node, "softmax_", node.integer("axis", -1), parameters);
}

Prepared make_hardmax(Device& device, const sy::Node& node) {
  return prepared(device, node, "hardmax_", node.integer("axis", -1), {});
}

Prepared make_norm(Device& device, const sy::Node& node) {
  const LineParameters parameters{node.integer("p", 2) == 2 ? 1u : 0u};
  return prepared(device, node, "divide_by_norm_", node.integer("axis", -1), parameters);
}

void check_norm(const sy::Node& node) {
  const int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2) throw sy::unsupported(SY_REASON_ATTRIBUTE, "p is ", p, ", not 1 or 2");
}

Prepared make_running_sum(Device& device, const sy::Node& node) {
  const LineParameters parameters{node.flag("exclusive") ? 1u : 0u, node.flag("reverse") ? 1u : 0u};
  const std::vector<int64_t> axis = host_integers(node, 1);
  if (axis.size() != 1) throw sy::invalid("CumSum goes along one axis, not ", axis.size());
  return prepared(device, node, "running_sum_", axis[0], parameters, SY_ON_DATA);
}

// Relative to the largest, as the kernel does.
uint32_t lower_softmax(GraphBuilder& graph, const sy::Node& node) {
  using Do = seam::Operation;
  const uint32_t x = widened_input(graph, node);
  GraphBuilder::Shape line = graph.shape(x);
  const size_t axis = normalize_axis(node.integer("axis", -1), line.size());
  const seam::Axes axes{{static_cast<int64_t>(axis)}};
  if (node.op() == "Softmax") {
    return as_output(graph, node, graph.add(Do::softmax, line, {x}, axes));
  }
  line[axis] = 1;
  const uint32_t below =
      add_binary(graph, Do::subtract, x, graph.add(Do::largest, line, {x}, axes));
  const uint32_t powers = add_unary(graph, Do::exponential, below);
  const uint32_t sum = graph.add(Do::sum, line, {powers}, axes);
  return as_output(graph, node,
                   add_binary(graph, Do::subtract, below, add_unary(graph, Do::logarithm, sum)));
}

KernelRow softmax_row(const char* op) {
  return {.claim = {.op = op, .min_version = 13, .dtypes = float_types, .min_rank = 1},
          .make = make_softmax,
          .lower = lower_softmax};
}

}  // namespace

std::span<const KernelRow> line_rows() {
  static const KernelRow rows[] = {
      softmax_row("Softmax"),
      softmax_row("LogSoftmax"),
      {{.op = "Hardmax", .min_version = 13, .dtypes = float_types, .min_rank = 1}, make_hardmax},
      {{.op = "LpNormalization", .dtypes = float_types, .min_rank = 1}, make_norm, check_norm},
      {{.op = "CumSum", .dtypes = number_types, .min_rank = 1}, make_running_sum}};
  return rows;
}

}  // namespace mps
