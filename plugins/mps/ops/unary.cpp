// Ops of one input, by kernels/unary.metal.
#include <array>
#include <string>
#include <string_view>

#include "ops/elementwise.hpp"
#include "ops/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// As kernels/unary.metal reads them.
struct Parameters {
  uint32_t operation = 0;
  float alpha = 0;
  float beta = 0;
};

class UnaryKernel final : public Kernel {
 public:
  UnaryKernel(const seam::Pipeline& pipeline, Parameters parameters)
      : pipeline_(pipeline), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const std::array<const Tensor*, 2> tensors = {&run.inputs[0], &run.outputs[0]};
    encode_elements(run.stream, pipeline_, tensors, parameters_);
  }

 private:
  const seam::Pipeline& pipeline_;
  const Parameters parameters_;
};

// A function of kernels/unary.metal: its case there, and the attributes that it reads.
struct Function {
  const char* op;
  uint32_t operation;
  const char* alpha = nullptr;
  const char* beta = nullptr;
};

constexpr Function functions[] = {
    {"Abs", 0},
    {"Acos", 1},
    {"Acosh", 2},
    {"Asin", 3},
    {"Asinh", 4},
    {"Atan", 5},
    {"Atanh", 6},
    {"Ceil", 7},
    {"Celu", 8, "alpha"},
    {"Cos", 10},
    {"Cosh", 11},
    {"Elu", 12, "alpha"},
    {"Erf", 13},
    {"Exp", 14},
    {"Floor", 15},
    {"Gelu", 16},  // 17 with approximate = "tanh"
    {"HardSigmoid", 18, "alpha", "beta"},
    {"HardSwish", 19},
    {"LeakyRelu", 21, "alpha"},
    {"Log", 22},
    {"Mish", 23},
    {"Neg", 24},
    {"Reciprocal", 25},
    {"Relu", 26},
    {"Round", 27},
    {"Selu", 28, "alpha", "gamma"},
    {"Sigmoid", 29},
    {"Sign", 30},
    {"Sin", 31},
    {"Sinh", 32},
    {"Softplus", 33},
    {"Softsign", 34},
    {"Sqrt", 35},
    {"Tan", 36},
    {"Tanh", 37},
    {"ThresholdedRelu", 38, "alpha"},
};

Prepared prepared(Device& device, const std::string& function, Parameters parameters,
                  bool may_alias) {
  return {std::make_unique<UnaryKernel>(device.pipeline(function), parameters),
          0,
          {may_alias ? uint64_t{1} : 0}};
}

Parameters parameters_of(const sy::Node& node) {
  Parameters parameters;
  for (const Function& function : functions) {
    if (node.op() != function.op) continue;
    parameters.operation = function.operation;
    if (function.alpha != nullptr) parameters.alpha = node.real(function.alpha);
    if (function.beta != nullptr) parameters.beta = node.real(function.beta);
  }
  if (node.op() == "Gelu" && node.text("approximate", "none") == "tanh") parameters.operation = 17;
  return parameters;
}

Prepared make_function(Device& device, const sy::Node& node) {
  const Parameters parameters = parameters_of(node);
  const std::string type = metal_type(node.needed_input(0).dtype);
  return prepared(device, "unary_" + type, parameters, true);
}

uint32_t integer_operation_of(const sy::Node& node) {
  return node.op() == "Abs" ? 0 : node.op() == "Neg" ? 1 : 2;
}

Prepared make_integer_function(Device& device, const sy::Node& node) {
  const uint32_t operation = integer_operation_of(node);
  const std::string type = metal_type(node.needed_input(0).dtype);
  return prepared(device, "integer_unary_" + type, {operation}, true);
}

Prepared make_classification(Device& device, const sy::Node& node) {
  Parameters parameters;
  if (node.op() == "IsInf") {
    parameters.operation = 1;
    parameters.alpha = node.flag("detect_negative", true) ? 1 : 0;
    parameters.beta = node.flag("detect_positive", true) ? 1 : 0;
  }
  const std::string type = metal_type(node.needed_input(0).dtype);
  return prepared(device, "classify_" + type, parameters, false);
}

Prepared make_not(Device& device, const sy::Node&) {
  return prepared(device, "logical_not", {}, true);
}

std::string write_function(const sy::Node& node, std::span<const std::string> operands) {
  const Parameters parameters = parameters_of(node);
  return sy::text(metal_type(node.needed_output(0).dtype), "(unary_value(", parameters.operation,
                  "u, float(", operands[0], "), ", metal_number(parameters.alpha), ", ",
                  metal_number(parameters.beta), "))");
}

std::string write_integer_function(const sy::Node& node, std::span<const std::string> operands) {
  return sy::text("integer_unary_value<", metal_type(node.needed_output(0).dtype), ">(",
                  integer_operation_of(node), "u, ", operands[0], ")");
}

std::string write_is_nan(const sy::Node&, std::span<const std::string> operands) {
  return sy::text("uchar(isnan(float(", operands[0], ")) ? 1 : 0)");
}

std::string write_not(const sy::Node&, std::span<const std::string> operands) {
  return sy::text("uchar(", operands[0], " == 0 ? 1 : 0)");
}

std::vector<Row> make_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr uint64_t integers = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  constexpr uint64_t booleans = SY_DTYPE_BIT(SY_BOOL);
  std::vector<Row> rows;
  for (const Function& function : functions) {
    rows.push_back({.claim = {.op = function.op, .dtypes = floats},
                    .make = make_function,
                    .lower = lower_unary,
                    .write = write_function});
  }
  for (const char* op : {"Abs", "Neg", "Sign"}) {
    rows.push_back({.claim = {.op = op, .dtypes = integers},
                    .make = make_integer_function,
                    .write = write_integer_function});
  }
  for (const char* op : {"IsNaN", "IsInf"}) {
    rows.push_back({.claim = {.op = op, .dtypes = floats, .output_dtypes = booleans},
                    .make = make_classification,
                    .lower = op[2] == 'N' ? lower_is_nan : nullptr,
                    .write = op[2] == 'N' ? write_is_nan : nullptr});
  }
  rows.push_back({.claim = {.op = "Not", .dtypes = booleans},
                  .make = make_not,
                  .lower = lower_not,
                  .write = write_not});
  return rows;
}

}  // namespace

std::span<const Row> unary_rows() {
  static const auto& rows = *new const std::vector<Row>(make_rows());
  return rows;
}

}  // namespace mps
