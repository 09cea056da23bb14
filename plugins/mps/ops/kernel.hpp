// What a kernel of this plugin is, and the row that offers it. A family of ops is one file that
// ends in a table of rows; rows.def lists the tables. The first row that fits wins.
#pragma once

#include <switchyard/kernels.h>
#include <switchyard/plugin.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/stream.hpp"
#include "runtime/tensor.hpp"
#include "switchyard/plugin/claims.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

// One node's run: its tensors by the node's own numbering, and where commands go.
struct Run {
  Stream& stream;
  std::span<const Tensor> inputs;  // those left out have dtype 0
  std::span<const Tensor> outputs;
  const sy_launch* launch = nullptr;  // for kernels that users wrote

  bool has_input(size_t i) const { return i < inputs.size() && inputs[i].dtype != 0; }
};

// Immutable; may run on several streams at once.
class Kernel {
 public:
  virtual ~Kernel() = default;
  // Records the node's commands. No output is without elements.
  virtual void encode(const Run& run) const = 0;
};

struct Prepared {
  std::unique_ptr<Kernel> kernel;
  uint8_t specialised_on = 0;  // SY_ON_*, for every input
  // Of output 0 and those after it: masks over the node's inputs.
  std::array<uint64_t, 3> may_alias_inputs = {};
};

using Make = Prepared (*)(Device& device, const sy::Node& node);

class GraphBuilder;

// Adds the node to a graph and returns the graph's node for output 0. All shapes are known, and no
// tensor is without elements. Throws sy::unsupported where a graph cannot do what the row promises.
using Lower = uint32_t (*)(GraphBuilder& graph, const sy::Node& node);

// Throws sy::unsupported for a node that the claim lets through but the kernel cannot do.
using Check = void (*)(const sy::Node& node);

// Output 0 as an expression in the Metal Shading Language, of the output's type, for one element.
// `operands` are the inputs', each of its own type. Null inputs stand as "".
using Write = std::string (*)(const sy::Node& node, std::span<const std::string> operands);

struct KernelRow {
  sy::Claim claim;
  Make make = nullptr;  // null: by `lower` (prepared_by)
  Check check = nullptr;
  Lower lower = nullptr;  // null: never part of a graph
  Write write = nullptr;  // null: not elementwise; never part of a chain
};

// The kernel of a node that the row takes.
Prepared prepared_by(const KernelRow& row, Device& device, const sy::Node& node);

#define ROWS(name, needs) std::span<const KernelRow> name##_rows();
#include "ops/rows.def"
#undef ROWS

}  // namespace mps
