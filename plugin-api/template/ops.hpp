// The ops: which the device claims, which nodes it takes, how it computes them.
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "device.hpp"
#include "switchyard/plugin/claims.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/tensor.hpp"

namespace example {

struct Op {
  const char* name;
  uint32_t inputs;
  uint32_t min_version, max_version;  // ONNX's since-versions of this meaning
  float (*compute)(float a, float b);
};

// To add an op of one or two inputs, add its row.
inline constexpr Op ops[] = {
    {"Add", 2, 7, 14, [](float a, float b) { return a + b; }},
    {"Mul", 2, 7, 14, [](float a, float b) { return a * b; }},
    {"Relu", 1, 6, 14, [](float a, float) { return a < 0 ? 0 : a; }},  // NaN stays NaN
};

// The rows claim every dtype, so that `supports` is asked and refuses in its own words.
inline sy::ClaimTable make_claims() {
  sy::ClaimTable claims;
  for (const Op& op : ops) {
    claims.add({.op = op.name,
                .min_version = op.min_version,
                .max_version = op.max_version,
                .flags = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS});
  }
  return claims;
}

// The op of a node that this device takes; throws sy::unsupported with the reason if it does not.
inline const Op& op_of(const sy::Node& node) {
  const auto* op = std::find_if(std::begin(ops), std::end(ops), [&](const Op& row) {
    return node.domain().empty() && node.op() == row.name && node.version() >= row.min_version &&
           node.version() <= row.max_version;
  });
  if (op == std::end(ops)) {
    throw sy::unsupported(SY_REASON_OP, "the template has no ", node.op(), "-", node.version());
  }
  for (uint32_t i = 0; i < op->inputs; ++i) {
    const sy_dtype dtype = node.needed_input(i).dtype;
    if (dtype != SY_FLOAT32) {
      throw sy::unsupported(SY_REASON_DTYPE, "the template computes ", op->name,
                            " in float32, not in ", sy::dtype_name(dtype));
    }
  }
  return *op;
}

// A prepared op. It holds nothing that depends on shapes, strides or values: one kernel serves all.
struct Kernel {
  struct Operand {
    uint32_t input;     // position among the program's inputs
    bool is_immediate;  // the value lies in the sy_tensor, not in a storage
  };
  const Op* op;
  std::vector<Operand> operands;
};

inline std::unique_ptr<Kernel> prepare_kernel(sy_prepare_args& args) {
  const sy_program& program = *args.program;
  const sy::Node node = sy::only_node(program);
  auto kernel = std::make_unique<Kernel>();
  kernel->op = &op_of(node);
  for (uint32_t i = 0; i < kernel->op->inputs; ++i) {
    // A value used twice is one input of the program: x + x has one.
    const uint32_t* end = program.inputs + program.input_count;
    const uint32_t* input = std::find(program.inputs, end, node.raw().inputs[i]);
    const auto position = static_cast<uint32_t>(input - program.inputs);
    const bool is_immediate = sy::is_immediate(node.needed_input(i));
    kernel->operands.push_back({position, is_immediate});
    if (!is_immediate) args.outputs->may_alias_inputs |= UINT64_C(1) << position;
  }
  args.workspace_bytes = 0;
  std::fill_n(args.specialised_on, program.input_count, uint8_t{0});
  return kernel;
}

// Everything the work needs of a run's args, which end with the call.
inline std::function<void()> bind(Device& device, const Kernel& kernel, const sy_run_args& args) {
  const auto address = [&](const sy_tensor& tensor) {
    return reinterpret_cast<float*>(device.at(tensor.storage, tensor.offset_bytes, tensor.dtype,
                                              sy::shape_of(tensor), tensor.strides));
  };
  const sy_tensor& result = *SY_AT(sy_tensor, args.outputs, 0);
  const sy::View<float> output(address(result), sy::shape_of(result), result.strides);
  const auto immediates = std::make_shared<std::array<float, 2>>();
  std::vector<sy::View<const float>> inputs;
  for (size_t i = 0; i < kernel.operands.size(); ++i) {
    const sy_tensor& tensor = *SY_AT(sy_tensor, args.inputs, kernel.operands[i].input);
    const float* data = &(*immediates)[i];
    if (kernel.operands[i].is_immediate) {
      (*immediates)[i] = sy::immediate_of<float>(tensor);
    } else {
      data = address(tensor);
    }
    const sy::View<const float> input(data, sy::shape_of(tensor), tensor.strides);
    inputs.push_back(input.broadcast_to(output.shape()));
  }
  return [compute = kernel.op->compute, output, inputs, immediates] {
    using Input = sy::Row<const float>;
    const auto compute_row = [&](int64_t count, sy::Row<float> y, Input a, Input b) {
      for (int64_t i = 0; i < count; ++i)
        y[i] = compute(a[i], b[i]);
    };
    sy::for_each_row(compute_row, output, inputs.front(), inputs.back());
  };
}

}  // namespace example
