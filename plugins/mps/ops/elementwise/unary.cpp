// Ops of one input, by kernels/unary.metal.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/unary_functions.h"
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

// A function of kernels/unary_functions.h, and the attributes that it reads, or "".
struct UnaryRow {
  const char* op;
  const char* domain;
  const char* alpha;
  const char* beta;
};

constexpr UnaryRow functions_of_floats[] = {
#define FUNCTION(op, domain, alpha, beta, value) {#op, domain, alpha, beta},
    UNARY_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

constexpr std::string_view functions_of_integers[] = {
#define FUNCTION(op, value) #op,
    INTEGER_UNARY_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

uint32_t position_of(const sy::Node& node) {
  const auto* found = std::find_if(std::begin(functions_of_floats), std::end(functions_of_floats),
                                   [&](const UnaryRow& row) { return node.op() == row.op; });
  if (found == std::end(functions_of_floats)) throw sy::bug("no unary function ", node.op());
  return static_cast<uint32_t>(found - std::begin(functions_of_floats));
}

uint32_t operation_of(const sy::Node& node) {
  const bool by_tanh = node.op() == "Gelu" && node.text("approximate", "none") == "tanh";
  return by_tanh ? static_cast<uint32_t>(UnaryFunction::GeluByTanh) : position_of(node);
}

Parameters function_parameters(const sy::Node& node) {
  const UnaryRow& function = functions_of_floats[position_of(node)];
  Parameters parameters;
  if (*function.alpha != 0) parameters.alpha = node.real(function.alpha);
  if (*function.beta != 0) parameters.beta = node.real(function.beta);
  return parameters;
}

// Of the family of input 0's type.
ElementKernel kernel_of(Device& device, const sy::Node& node, const char* family,
                        uint32_t operation) {
  const sy_dtype dtype = node.required_input(0).dtype;
  return {device, std::string(family) + metal_type(dtype), sy::dtype_bytes(dtype), operation};
}

Prepared make_function(Device& device, const sy::Node& node) {
  return {std::make_unique<UnaryKernel>(kernel_of(device, node, "unary_", operation_of(node)),
                                        function_parameters(node)),
          0,
          {1}};
}

uint32_t integer_operation_of(const sy::Node& node) {
  const auto* found =
      std::find(std::begin(functions_of_integers), std::end(functions_of_integers), node.op());
  return static_cast<uint32_t>(found - std::begin(functions_of_integers));
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
  return sy::text(metal_type(node.required_output(0).dtype), "(unary_value(", operation_of(node),
                  "u, float(", operands[0], "), ", metal_number(parameters.alpha), ", ",
                  metal_number(parameters.beta), "))");
}

std::string write_integer_function(const sy::Node& node, std::span<const std::string> operands) {
  return sy::text("integer_unary_value<", metal_type(node.required_output(0).dtype), ">(",
                  integer_operation_of(node), "u, ", operands[0], ")");
}

std::string write_is_nan(const sy::Node&, std::span<const std::string> operands) {
  return sy::text("uchar(isnan(float(", operands[0], ")) ? 1 : 0)");
}

std::string write_not(const sy::Node&, std::span<const std::string> operands) {
  return sy::text("uchar(", operands[0], " == 0 ? 1 : 0)");
}

// Graphs have the functions that ONNX has.
bool has_graph(const UnaryRow& function) { return *function.domain == 0; }

std::vector<KernelRow> make_unary_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr uint64_t integers = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);
  constexpr uint64_t booleans = SY_DTYPE_BIT(SY_BOOL);
  std::vector<KernelRow> rows;
  for (const UnaryRow& function : functions_of_floats) {
    rows.push_back({.claim = {.op = function.op, .domain = function.domain, .dtypes = floats},
                    .make = make_function,
                    .lower = has_graph(function) ? lower_unary : nullptr,
                    .write = write_function});
  }
  for (const std::string_view op : functions_of_integers) {
    rows.push_back({.claim = {.op = op.data(), .dtypes = integers},
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

std::span<const KernelRow> unary_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_unary_rows());
  return rows;
}

}  // namespace mps
