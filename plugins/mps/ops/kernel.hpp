// What a kernel of this plugin is, and the row that offers it. A family of ops is one file that
// ends in a table of rows; rows.cpp lists the tables. The first row that fits wins.
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

struct Row {
  sy::Claim claim;
  Make make = nullptr;  // null: by `lower` (prepared_by)
  Check check = nullptr;
  Lower lower = nullptr;  // null: never part of a graph
  Write write = nullptr;  // null: not elementwise; never part of a chain
};

// The kernel of a node that the row takes.
Prepared prepared_by(const Row& row, Device& device, const sy::Node& node);

// The families.
std::span<const Row> unary_rows();            // unary.cpp
std::span<const Row> binary_rows();           // binary.cpp: arithmetic and comparisons
std::span<const Row> choice_rows();           // choice.cpp: Where, Clip
std::span<const Row> cast_rows();             // cast.cpp: Cast, CastLike, Identity
std::span<const Row> small_product_rows();    // small_product_rows.cpp; before product_rows
std::span<const Row> product_rows();          // product.cpp: MatMul, Gemm
std::span<const Row> window_rows();           // window.cpp: convolutions and pooling
std::span<const Row> normalisation_rows();    // normalisation.cpp: BatchNormalization
std::span<const Row> reduction_rows();        // reduction.cpp
std::span<const Row> line_rows();             // line.cpp: Softmax, Hardmax, LpNormalization, CumSum
std::span<const Row> moments_rows();          // moments.cpp: LayerNormalization and the like
std::span<const Row> local_response_rows();   // local_response.cpp: LRN
std::span<const Row> top_k_rows();            // top_k.cpp
std::span<const Row> form_rows();             // form.cpp: Concat
std::span<const Row> view_rows();             // view.cpp: Reshape, Transpose, Slice and the like
std::span<const Row> pad_rows();              // pad.cpp
std::span<const Row> rearrangement_rows();    // rearrangement.cpp: Tile, DepthToSpace, SpaceToDepth
std::span<const Row> gather_rows();           // gather.cpp
std::span<const Row> scatter_rows();          // scatter.cpp
std::span<const Row> generate_rows();         // generate.cpp: ConstantOfShape, Range, EyeLike, ...
std::span<const Row> resize_rows();           // resize.cpp
std::span<const Row> dropout_rows();          // dropout.cpp
std::span<const Row> mean_rows();             // mean.cpp
std::span<const Row> einsum_rows();           // einsum.cpp
std::span<const Row> quantize_rows();         // quantize.cpp: QuantizeLinear, DequantizeLinear
std::span<const Row> integer_product_rows();  // integer_product.cpp: MatMulInteger, ConvInteger
std::span<const Row> random_rows();           // random.cpp
std::span<const Row> philox_rows();           // philox.cpp: PhiloxUniform and the like
std::span<const Row> optimizer_rows();        // optimizer.cpp: SgdStep and the like
std::span<const Row> pooling_rows();  // pooling.cpp: MaxPool with indices; after window_rows
std::span<const Row> pooling_gradient_rows();  // pooling_gradient.cpp
std::span<const Row> softmax_gradient_rows();  // softmax_gradient.cpp
std::span<const Row> layer_gradient_rows();    // layer_gradient.cpp
std::span<const Row> loss_rows();              // loss.cpp
std::span<const Row> recurrent_rows();         // recurrent.cpp: RNN, GRU, LSTM
std::span<const Row> mixed_power_rows();  // mixed_power.cpp: Pow of two types; after binary_rows

}  // namespace mps
