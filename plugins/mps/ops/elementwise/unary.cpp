// Ops of one input, by kernels/unary.metal.
#include <array>
#include <optional>
#include <span>
#include <string>

#include "ops/building/element_kernel.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// As kernels/unary.metal reads them.
struct Parameters {
  float alpha = 0;
  float beta = 0;
};

class UnaryKernel final : public Kernel {
 public:
  explicit UnaryKernel(ElementKernel kernel, std::optional<Parameters> parameters = {})
      : kernel_(kernel), parameters_(parameters) {}

  void encode(const Run& run) const override {
    const std::array<const Tensor*, 2> tensors = {&run.inputs[0], &run.outputs[0]};
    if (!parameters_) return kernel_.encode(run.stream, tensors);
    kernel_.encode(run.stream, tensors, *parameters_);
  }

 private:
  const ElementKernel kernel_;
  const std::optional<Parameters> parameters_;
};

// A function of kernels/unary.metal: its case there, and the attributes that it reads.
struct UnaryFunction {
  const char* op;
  uint32_t operation;
  const char* alpha = nullptr;
  const char* beta = nullptr;
};

constexpr UnaryFunction functions[] = {
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

// Of the domain "switchyard".
constexpr UnaryFunction own_functions[] = {
    {"Exp2", 39},  {"Expm1", 40}, {"Log1p", 41}, {"Log2", 42},
    {"Log10", 43}, {"Rsqrt", 44}, {"Trunc", 45},
};

const UnaryFunction& function_of(const sy::Node& node) {
  for (const std::span<const UnaryFunction> all :
       {std::span<const UnaryFunction>(functions), std::span<const UnaryFunction>(own_functions)}) {
    for (const UnaryFunction& function : all) {
      if (node.op() == function.op) return function;
    }
  }
  throw sy::bug("no unary function ", node.op());
}

uint32_t operation_of(const sy::Node& node) {
  const bool by_tanh = node.op() == "Gelu" && node.text("approximate", "none") == "tanh";
  return by_tanh ? 17 : function_of(node).operation;
}

Parameters function_parameters(const sy::Node& node) {
  const UnaryFunction& function = function_of(node);
  Parameters parameters;
  if (function.alpha != nullptr) parameters.alpha = node.real(function.alpha);
  if (function.beta != nullptr) parameters.beta = node.real(function.beta);
  return parameters;
}

// Of the family of input 0's type.
ElementKernel kernel_of(Device& device, const sy::Node& node, const char* family,
                        uint32_t operation) {
  const sy_dtype dtype = node.needed_input(0).dtype;
  return {device, std::string(family) + metal_type(dtype), sy::dtype_bytes(dtype), operation};
}

Prepared make_function(Device& device, const sy::Node& node) {
  return {std::make_unique<UnaryKernel>(kernel_of(device, node, "unary_", operation_of(node)),
                                        function_parameters(node)),
          0,
          {1}};
}

uint32_t integer_operation_of(const sy::Node& node) {
  return node.op() == "Abs" ? 0 : node.op() == "Neg" ? 1 : 2;
}

Prepared make_integer_function(Device& device, const sy::Node& node) {
  const uint32_t operation = integer_operation_of(node);
  return {
      std::make_unique<UnaryKernel>(kernel_of(device, node, "integer_unary_", operation)), 0, {1}};
}

Prepared make_classification(Device& device, const sy::Node& node) {
  const bool infinite = node.op() == "IsInf";
  Parameters parameters;
  if (infinite) {
    parameters.alpha = node.flag("detect_negative", true) ? 1 : 0;
    parameters.beta = node.flag("detect_positive", true) ? 1 : 0;
  }
  return {std::make_unique<UnaryKernel>(kernel_of(device, node, "classify_", infinite ? 1 : 0),
                                        parameters)};
}

Prepared make_not(Device& device, const sy::Node&) {
  return {std::make_unique<UnaryKernel>(ElementKernel(device, "logical_not", 1)), 0, {1}};
}

std::string write_function(const sy::Node& node, std::span<const std::string> operands) {
  const Parameters parameters = function_parameters(node);
  return sy::text(metal_type(node.needed_output(0).dtype), "(unary_value(", operation_of(node),
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

std::vector<Row> make_unary_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr uint64_t integers = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  constexpr uint64_t booleans = SY_DTYPE_BIT(SY_BOOL);
  std::vector<Row> rows;
  for (const UnaryFunction& function : functions) {
    rows.push_back({.claim = {.op = function.op, .dtypes = floats},
                    .make = make_function,
                    .lower = lower_unary,
                    .write = write_function});
  }
  for (const UnaryFunction& function : own_functions) {
    rows.push_back({.claim = {.op = function.op, .domain = "switchyard", .dtypes = floats},
                    .make = make_function,
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
  static const auto& rows = *new const std::vector<Row>(make_unary_rows());
  return rows;
}

}  // namespace mps
