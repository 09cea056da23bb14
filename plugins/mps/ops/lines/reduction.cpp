// Reductions, ArgMax and ArgMin, by kernels/reduction.metal.
#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <string_view>

#include "ops/building/folding.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// An op and its case in kernels/reduction.metal.
struct Function {
  const char* op;
  uint32_t operation;
};

constexpr Function float_functions[] = {
    {"ReduceSum", 0},    {"ReduceMean", 1},     {"ReduceMax", 2}, {"ReduceMin", 3},
    {"ReduceProd", 4},   {"ReduceL1", 5},       {"ReduceL2", 6},  {"ReduceSumSquare", 7},
    {"ReduceLogSum", 8}, {"ReduceLogSumExp", 9}};
constexpr Function whole_functions[] = {{"ReduceSum", 0}, {"ReduceMax", 2},
                                        {"ReduceMin", 3}, {"ReduceProd", 4},
                                        {"ReduceL1", 5},  {"ReduceSumSquare", 7}};

// Below this a group's barriers cost more than its threads gain.
constexpr uint32_t least_for_group = 64;
constexpr uint32_t largest_group = 256;

struct Axis {
  std::vector<bool> folded;
  bool keeps;
  bool are_none;  // no axes are given, and that means none
};

// One element by itself stays what it is; the other ops still take its size, square or logarithm.
bool keeps_one(std::string_view op) {
  constexpr std::string_view changing[] = {"ReduceL1", "ReduceL2", "ReduceSumSquare",
                                           "ReduceLogSum"};
  return std::find(std::begin(changing), std::end(changing), op) == std::end(changing);
}

class ReductionKernel final : public Kernel {
 public:
  ReductionKernel(Device& device, Axis axes, bool copies, uint32_t operation,
                  const seam::Pipeline& by_thread, const seam::Pipeline& by_group)
      : device_(device),
        axes_(std::move(axes)),
        copies_(copies),
        operation_(operation),
        by_thread_(by_thread),
        by_group_(by_group) {}

  void encode(const Run& run) const override {
    if (copies_) {
      return encode_copy(device_, run.stream, run.inputs[0], run.outputs[0]);
    }
    const Folding folding = fold(run.inputs[0], run.outputs[0], axes_.folded, axes_.keeps);
    const bool grouped = &by_thread_ != &by_group_ && folding.inner.count >= least_for_group;
    const uint32_t group =
        grouped ? std::min(std::bit_floor(folding.inner.count / 2), largest_group) : 1;
    encode_folding(run.stream, grouped ? by_group_ : by_thread_, folding,
                   std::as_bytes(std::span(&operation_, 1)), group);
  }

 private:
  Device& device_;
  const Axis axes_;
  const bool copies_;
  const uint32_t operation_;
  const seam::Pipeline& by_thread_;
  const seam::Pipeline& by_group_;
};

Axis read_axes(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (!sy::has_rank(input)) {
    throw sy::unsupported(SY_REASON_RANK, "the rank is not known before the run");
  }
  const sy_value* given = node.input(1);
  if (given != nullptr && given->data == nullptr && sy::element_count(sy::shape_of(*given)) != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "the axes are not known before the run");
  }
  const std::vector<int64_t> axes =
      given == nullptr ? std::vector<int64_t>() : sy::integers_of(*given);
  Axis read{axes_in(axes, input.rank), node.flag("keepdims", true), false};
  if (axes.empty()) {
    read.are_none = node.flag("noop_with_empty_axes");
    read.folded.assign(input.rank, !read.are_none);
    read.keeps = read.keeps || read.are_none;
  }
  return read;
}

uint32_t operation_of(std::span<const Function> functions, std::string_view op) {
  for (const Function& function : functions) {
    if (op == function.op) return function.operation;
  }
  throw sy::bug("no reduction ", op);
}

constexpr uint8_t on_form_and_axes = SY_ON_SHAPE | SY_ON_DATA;

Prepared make_float(Device& device, const sy::Node& node) {
  const std::string type = metal_type(node.required_input(0).dtype);
  const Axis axes = read_axes(node);
  return {std::make_unique<ReductionKernel>(device, axes, axes.are_none && keeps_one(node.op()),
                                            operation_of(float_functions, node.op()),
                                            device.pipeline("reduce_by_thread_" + type),
                                            device.pipeline("reduce_by_group_" + type)),
          on_form_and_axes};
}

Prepared make_whole(Device& device, const sy::Node& node) {
  const auto& pipeline =
      device.pipeline(std::string("reduce_whole_") + metal_type(node.required_input(0).dtype));
  const Axis axes = read_axes(node);
  return {std::make_unique<ReductionKernel>(device, axes, axes.are_none && keeps_one(node.op()),
                                            operation_of(whole_functions, node.op()), pipeline,
                                            pipeline),
          on_form_and_axes};
}

Prepared make_bool_reduction(Device& device, const sy::Node& node) {
  const Axis axes = read_axes(node);
  return {std::make_unique<ReductionKernel>(
              device, axes, axes.are_none, operation_of(float_functions, node.op()),
              device.pipeline("reduce_bool_by_thread"), device.pipeline("reduce_bool_by_group")),
          on_form_and_axes};
}

// As kernels/reduction.metal reads them.
struct ExtremeParameters {
  uint32_t smallest;
  uint32_t last;
};

class ExtremeKernel final : public Kernel {
 public:
  ExtremeKernel(const seam::Pipeline& pipeline, Axis axes, ExtremeParameters parameters)
      : pipeline_(pipeline), axes_(std::move(axes)), parameters_(parameters) {}

  void encode(const Run& run) const override {
    if (run.inputs[0].size() == 0) {
      throw sy::invalid("no largest or smallest among no elements: shape ", run.inputs[0].shape);
    }
    const Folding folding = fold(run.inputs[0], run.outputs[0], axes_.folded, axes_.keeps);
    encode_folding(run.stream, pipeline_, folding, std::as_bytes(std::span(&parameters_, 1)), 1);
  }

 private:
  const seam::Pipeline& pipeline_;
  const Axis axes_;
  const ExtremeParameters parameters_;
};

Prepared make_extreme(Device& device, const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (!sy::has_rank(input)) {
    throw sy::unsupported(SY_REASON_RANK, "the rank is not known before the run");
  }
  const Axis axes{axes_in({node.integer("axis", 0)}, input.rank), node.flag("keepdims", true),
                  false};
  const ExtremeParameters parameters{node.op() == "ArgMin" ? 1u : 0u,
                                     node.flag("select_last_index") ? 1u : 0u};
  const auto& pipeline =
      device.pipeline(std::string("position_of_extreme_") + metal_type(input.dtype));
  return {std::make_unique<ExtremeKernel>(pipeline, axes, parameters), SY_ON_SHAPE};
}

// The reductions that nets are made of; what is rounded on the way stays float32.
uint32_t reduced(GraphBuilder& graph, const sy::Node& node, uint32_t x, const seam::Axes& axes) {
  using Do = seam::Operation;
  GraphBuilder::Shape shape = graph.shape(x);
  for (const int64_t axis : axes.axes) shape[static_cast<size_t>(axis)] = 1;
  const auto over = [&](Do operation, uint32_t operand) {
    return graph.add(operation, shape, {operand}, axes);
  };
  const auto squares = [&] { return add_binary(graph, Do::multiply, x, x); };
  const std::string_view op = node.op();
  if (op == "ReduceSum") return over(Do::sum, x);
  if (op == "ReduceMean") return over(Do::mean, x);
  if (op == "ReduceMax") return over(Do::largest, x);
  if (op == "ReduceMin") return over(Do::smallest, x);
  if (op == "ReduceProd") return over(Do::product, x);
  if (op == "ReduceL1") return over(Do::sum, add_unary(graph, Do::absolute, x));
  if (op == "ReduceSumSquare") return over(Do::sum, squares());
  if (op == "ReduceL2") return add_unary(graph, Do::square_root, over(Do::sum, squares()));
  throw sy::unsupported(SY_REASON_OP, op, " has no graph's form");
}

uint32_t lower_reduction(GraphBuilder& graph, const sy::Node& node) {
  const Axis given = read_axes(node);
  if (given.are_none && keeps_one(node.op())) return graph.input(node, 0);
  seam::Axes axes;
  for (size_t i = 0; i < given.folded.size(); ++i) {
    if (given.folded[i]) axes.axes.push_back(static_cast<int64_t>(i));
  }
  if (axes.axes.empty()) throw sy::unsupported(SY_REASON_RANK, "a graph reduces axes");
  const uint32_t result = reduced(graph, node, widened_input(graph, node), axes);
  return as_output(graph, node, graph.reshape(result, type_of(node.required_output(0)).shape));
}

std::vector<KernelRow> make_reduction_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr uint64_t whole = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  std::vector<KernelRow> rows;
  for (const Function& function : float_functions) {
    rows.push_back({.claim = {.op = function.op, .dtypes = floats},
                    .make = make_float,
                    .lower = lower_reduction});
  }
  for (const Function& function : whole_functions) {
    rows.push_back({{.op = function.op, .dtypes = whole}, make_whole});
  }
  for (const char* op : {"ReduceMax", "ReduceMin"}) {
    rows.push_back({{.op = op, .dtypes = SY_DTYPE_BIT(SY_BOOL)}, make_bool_reduction});
  }
  for (const char* op : {"ArgMax", "ArgMin"}) {
    rows.push_back({{.op = op,
                     .dtypes = floats | SY_DTYPE_BIT(SY_INT32),
                     .output_dtypes = SY_DTYPE_BIT(SY_INT64),
                     .min_rank = 1},
                    make_extreme});
  }
  return rows;
}

}  // namespace

std::span<const KernelRow> reduction_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_reduction_rows());
  return rows;
}

}  // namespace mps
