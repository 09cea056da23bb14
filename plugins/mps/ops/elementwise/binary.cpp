// Ops of two inputs and more, by kernels/binary.metal: arithmetic, logic, comparisons.
#include <array>
#include <string>
#include <string_view>

#include "kernels/binary_functions.h"
#include "ops/building/element_kernel.hpp"
#include "ops/building/elementwise.hpp"
#include "ops/elementwise/elementwise_graph.hpp"
#include "ops/kernel.hpp"

namespace mps {
namespace {

// x op y; with more inputs ((x op y) op z) ..., each step in the output's memory.
class BinaryKernel final : public Kernel {
 public:
  BinaryKernel(Device& device, ElementKernel kernel) : device_(device), kernel_(kernel) {}

  void encode(const Run& run) const override {
    const Tensor& output = run.outputs[0];
    if (run.inputs.size() == 1) return encode_copy(device_, run.stream, run.inputs[0], output);
    const Tensor* left = &run.inputs[0];
    for (size_t i = 1; i < run.inputs.size(); ++i) {
      const std::array<const Tensor*, 3> tensors = {left, &run.inputs[i], &output};
      kernel_.encode(run.stream, tensors);
      left = &output;
    }
  }

 private:
  Device& device_;
  const ElementKernel kernel_;
};

// An op and its number among the functions that Metal has.
struct BinaryRow {
  const char* op;
  uint32_t operation;
  const char* domain = "";
};

#define FUNCTION(op, value) {#op, static_cast<uint32_t>(FAMILY::op)},
#define OWN_FUNCTION(op, value) {#op, static_cast<uint32_t>(FAMILY::op), "switchyard"},
#define FAMILY BinaryFunction
constexpr BinaryRow float_functions[] = {BINARY_FUNCTIONS(FUNCTION)
                                             OWN_BINARY_FUNCTIONS(OWN_FUNCTION)};
#undef FAMILY
#define FAMILY IntegerBinaryFunction
constexpr BinaryRow integer_functions[] = {INTEGER_BINARY_FUNCTIONS(FUNCTION)
                                               OWN_INTEGER_BINARY_FUNCTIONS(OWN_FUNCTION)};
constexpr BinaryRow logical_functions[] = {LOGICAL_FUNCTIONS(FUNCTION)};
#undef FAMILY
#define FAMILY Comparison
constexpr BinaryRow comparison_functions[] = {COMPARISONS(FUNCTION)};
#undef FAMILY
#undef OWN_FUNCTION
#undef FUNCTION

uint32_t operation_of(std::span<const BinaryRow> functions, std::string_view op) {
  for (const BinaryRow& function : functions) {
    if (op == function.op) return function.operation;
  }
  throw sy::bug("no binary function ", op);
}

Prepared prepared(Device& device, const sy::Node& node, const char* family, uint32_t operation,
                  bool may_alias) {
  const sy_dtype dtype = node.required_input(0).dtype;
  const ElementKernel elements(device, std::string(family) + metal_type(dtype),
                               sy::dtype_bytes(dtype), operation);
  auto kernel = std::make_unique<BinaryKernel>(device, elements);
  // A chain reads its later inputs after it has written the output.
  const bool chain = node.input_count() > 2;
  return {std::move(kernel), 0, {may_alias ? (chain ? uint64_t{1} : uint64_t{3}) : 0}};
}

Prepared make_float(Device& device, const sy::Node& node) {
  return prepared(device, node, "binary_", operation_of(float_functions, node.op()), true);
}

Prepared make_integer(Device& device, const sy::Node& node) {
  return prepared(device, node, "integer_binary_", operation_of(integer_functions, node.op()),
                  true);
}

bool computes_in_floats(const sy::Node& node) {
  return (sy::float_dtypes & SY_DTYPE_BIT(node.required_input(0).dtype)) != 0;
}

uint32_t modulo_of(const sy::Node& node) {
  const bool by_dividend = node.flag("fmod");  // the sign is the dividend's
  if (computes_in_floats(node)) {
    return static_cast<uint32_t>(by_dividend ? BinaryFunction::Fmod : BinaryFunction::Mod);
  }
  return static_cast<uint32_t>(by_dividend ? IntegerBinaryFunction::Fmod
                                           : IntegerBinaryFunction::Mod);
}

Prepared make_modulo(Device& device, const sy::Node& node) {
  return prepared(device, node, computes_in_floats(node) ? "binary_" : "integer_binary_",
                  modulo_of(node), true);
}

Prepared make_logical(Device& device, const sy::Node& node) {
  return prepared(device, node, "integer_binary_", operation_of(logical_functions, node.op()),
                  true);
}

Prepared make_comparison(Device& device, const sy::Node& node) {
  return prepared(device, node, "compare_", operation_of(comparison_functions, node.op()), false);
}

// The exponent may be of another type; then another device takes it.
void check_same_types(const sy::Node& node) {
  for (uint32_t i = 1; i < node.input_count(); ++i) {
    const sy_value* input = node.input(i);
    if (input != nullptr && input->dtype != node.required_input(0).dtype) {
      throw sy::unsupported(SY_REASON_DTYPE, "inputs of ",
                            sy::dtype_name(node.required_input(0).dtype), " and ",
                            sy::dtype_name(input->dtype));
    }
  }
}

// x op y; with more ((x op y) op z) ..., each rounded as the kernel's steps are.
std::string written(const sy::Node& node, std::span<const std::string> operands,
                    uint32_t operation) {
  const std::string type = metal_type(node.required_input(0).dtype);
  std::string result = operands[0];
  for (const std::string& operand : operands.subspan(1)) {
    result = computes_in_floats(node) ? sy::text(type, "(binary_value(", operation, "u, float(",
                                                 result, "), float(", operand, ")))")
                                      : sy::text("integer_binary_value<", type, ">(", operation,
                                                 "u, ", result, ", ", operand, ")");
  }
  return result;
}

std::string write_float(const sy::Node& node, std::span<const std::string> operands) {
  return written(node, operands, operation_of(float_functions, node.op()));
}

std::string write_integer(const sy::Node& node, std::span<const std::string> operands) {
  return written(node, operands, operation_of(integer_functions, node.op()));
}

std::string write_modulo(const sy::Node& node, std::span<const std::string> operands) {
  return written(node, operands, modulo_of(node));
}

std::string write_logical(const sy::Node& node, std::span<const std::string> operands) {
  return written(node, operands, operation_of(logical_functions, node.op()));
}

std::string write_comparison(const sy::Node& node, std::span<const std::string> operands) {
  return sy::text("uchar(compared<", metal_type(node.required_input(0).dtype), ">(",
                  operation_of(comparison_functions, node.op()), "u, ", operands[0], ", ",
                  operands[1], ") ? 1 : 0)");
}

std::vector<KernelRow> make_binary_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr uint64_t integers = SY_DTYPE_BIT(SY_INT8) | SY_DTYPE_BIT(SY_UINT8) |
                                SY_DTYPE_BIT(SY_INT16) | SY_DTYPE_BIT(SY_INT32) |
                                SY_DTYPE_BIT(SY_INT64);
  constexpr uint64_t booleans = SY_DTYPE_BIT(SY_BOOL);
  std::vector<KernelRow> rows;
  for (const BinaryRow& function : float_functions) {
    rows.push_back({.claim = {.op = function.op, .domain = function.domain, .dtypes = floats},
                    .make = make_float,
                    .check = check_same_types,
                    .lower = *function.domain == 0 ? lower_arithmetic : nullptr,
                    .write = write_float});
  }
  for (const BinaryRow& function : integer_functions) {
    rows.push_back({.claim = {.op = function.op, .domain = function.domain, .dtypes = integers},
                    .make = make_integer,
                    .check = check_same_types,
                    .write = write_integer});
  }
  rows.push_back({.claim = {.op = "Mod", .dtypes = floats | integers},
                  .make = make_modulo,
                  .write = write_modulo});
  for (const BinaryRow& function : logical_functions) {
    rows.push_back({.claim = {.op = function.op, .dtypes = booleans},
                    .make = make_logical,
                    .lower = lower_logic,
                    .write = write_logical});
  }
  for (const BinaryRow& comparison : comparison_functions) {
    rows.push_back({.claim = {.op = comparison.op,
                              .dtypes = floats | integers | booleans,
                              .output_dtypes = booleans},
                    .make = make_comparison,
                    .lower = lower_comparison,
                    .write = write_comparison});
  }
  return rows;
}

}  // namespace

std::span<const KernelRow> binary_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_binary_rows());
  return rows;
}

}  // namespace mps
