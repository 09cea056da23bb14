// RNN, GRU and LSTM, by kernels/recurrent.metal. Formulas: ONNX operators RNN-14, GRU-14, LSTM-14.
#include "ops/recurrent/recurrent.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "ops/building/arguments.hpp"
#include "ops/dtypes.hpp"
#include "ops/recurrent/recurrent_input.hpp"
#include "runtime/axes.hpp"

namespace mps {
namespace {

// As kernels/recurrent.metal knows them.
enum Phase : uint32_t { phase_begin = 1, phase_gates = 2, phase_hidden_gate = 4, phase_end = 8 };
enum Presence : uint32_t {
  has_bias = 1,
  has_lengths = 2,
  has_first_h = 4,
  has_first_c = 8,
  has_peepholes = 16,
  has_y = 32,
  has_last_h = 64,
  has_last_c = 128
};

// As kernels/recurrent.metal reads them.
struct RecurrentParameters {
  uint32_t steps, batch, hidden, directions;
  uint32_t parts;
  uint32_t phases;
  uint32_t first_step, end_step;
  uint32_t reversed;
  uint32_t present;
  uint32_t coupled;
  uint32_t reset_after;
  float clip;
  RecurrentActivation activations[2][3];
  uint32_t gate_step, gate_batch;
  int32_t r[3];
  int32_t bias[2];
  int32_t length;
  int32_t first_h[3];
  int32_t first_c[3];
  int32_t peepholes[2];
  int32_t y[4];
  int32_t last_h[3];
  int32_t last_c[3];
  uint32_t r_at, bias_at, lengths_at, first_h_at, first_c_at, peepholes_at, y_at, last_h_at,
      last_c_at;
};

// Up to this state one threadgroup makes all steps of an entry; the matrix of a larger one is read
// by as many threadgroups as there are units for, a dispatch a step.
constexpr uint32_t most_hidden_of_a_group = 256;
constexpr uint32_t simd_width = 32;

bool is_there(std::span<const Tensor> tensors, size_t i) {
  return i < tensors.size() && tensors[i].dtype != 0 && tensors[i].size() != 0;
}

// One run's tensors, bound one by one with their strides.
class RecurrentBinding {
 public:
  RecurrentBinding(RecurrentParameters& parameters, const Block& products, const Block& state)
      : parameters_(parameters), state_(state) {
    arguments_.add(products);
  }

  // `axes` are the tensor's axes in the kernel's order. An absent tensor is bound to the state.
  template <size_t count>
  void add(std::span<const Tensor> tensors, size_t i, uint32_t presence,
           const std::array<size_t, count>& axes, int32_t (&strides)[count], uint32_t& at) {
    if (!is_there(tensors, i)) {
      arguments_.add(state_);
      return;
    }
    const Bound bound = bind(tensors[i], 0);
    arguments_.add(bound);
    parameters_.present |= presence;
    for (size_t k = 0; k < count; ++k) strides[k] = int32_step(tensors[i].strides[axes[k]]);
    at = offset(bound);
  }
  void add_state() { arguments_.add(state_); }
  Arguments& arguments() { return arguments_; }

 private:
  static uint32_t offset(const Bound& bound) {
    if (bound.offset > std::numeric_limits<uint32_t>::max()) {
      throw sy::unsupported(SY_REASON_LIMIT, "an offset of ", bound.offset, " elements");
    }
    return static_cast<uint32_t>(bound.offset);
  }

  RecurrentParameters& parameters_;
  const Block& state_;
  Arguments arguments_;
};

class RecurrentKernel final : public Kernel {
 public:
  RecurrentKernel(const seam::Pipeline& pipeline, RecurrentLayer layer, RecurrentInput input)
      : pipeline_(pipeline), layer_(std::move(layer)), input_(std::move(input)) {}

  void encode(const Run& run) const override {
    RecurrentParameters parameters = described(run);
    const uint64_t kept =
        uint64_t{4} * parameters.directions * parameters.batch * parameters.hidden;
    const uint64_t products = uint64_t{parameters.steps} * parameters.batch *
                              parameters.directions * layer_.gates * parameters.hidden;
    if (std::max(kept, products) > std::numeric_limits<int32_t>::max()) {
      throw sy::unsupported(SY_REASON_LIMIT, "gates of more than 2147483647 elements");
    }
    const Block& state = run.stream.temporary(kept * sizeof(float));
    const Block& given = parameters.steps == 0 ? state : input_.encode(run);
    RecurrentBinding binding(parameters, given, state);
    bind_tensors(run, parameters, binding);
    Arguments arguments = binding.arguments();
    arguments.add_value(parameters).add_faults();
    if (parameters.hidden <= most_hidden_of_a_group) {
      parameters.phases = phase_begin | step_phases() | phase_end;
      encode_part(run.stream, arguments, parameters);
    } else {
      encode_steps(run.stream, arguments, parameters);
    }
  }

 private:
  RecurrentParameters described(const Run& run) const {
    const Tensor& x = run.inputs[0];
    RecurrentParameters made{};
    made.steps = static_cast<uint32_t>(x.shape[layer_.batch_first ? 1 : 0]);
    made.batch = static_cast<uint32_t>(x.shape[layer_.batch_first ? 0 : 1]);
    made.hidden = static_cast<uint32_t>(run.inputs[2].shape[2]);
    made.directions = layer_.directions;
    made.parts = 1;
    made.end_step = made.steps;
    made.reversed = layer_.reversed ? 1 : 0;
    made.coupled = layer_.coupled ? 1 : 0;
    made.reset_after = layer_.reset_after ? 1 : 0;
    made.clip = layer_.clip;
    made.gate_step = layer_.batch_first ? 1 : made.batch;
    made.gate_batch = layer_.batch_first ? made.steps : 1;
    const size_t functions = layer_.activations.size() / layer_.directions;
    for (size_t i = 0; i < layer_.activations.size(); ++i) {
      made.activations[i / functions][i % functions] = layer_.activations[i];
    }
    return made;
  }

  void bind_tensors(const Run& run, RecurrentParameters& p, RecurrentBinding& binding) const {
    using Three = std::array<size_t, 3>;
    const bool turned = layer_.batch_first;
    const Three state = turned ? Three{1, 0, 2} : Three{0, 1, 2};
    int32_t length[1] = {};
    binding.add(run.inputs, 2, 0, Three{0, 1, 2}, p.r, p.r_at);
    binding.add(run.inputs, 3, has_bias, std::array<size_t, 2>{0, 1}, p.bias, p.bias_at);
    binding.add(run.inputs, 4, has_lengths, std::array<size_t, 1>{0}, length, p.lengths_at);
    p.length = length[0];
    binding.add(run.inputs, 5, has_first_h, state, p.first_h, p.first_h_at);
    binding.add(run.inputs, 6, has_first_c, state, p.first_c, p.first_c_at);
    binding.add(run.inputs, 7, has_peepholes, std::array<size_t, 2>{0, 1}, p.peepholes,
                p.peepholes_at);
    binding.add_state();
    binding.add(run.outputs, 0, has_y,
                turned ? std::array<size_t, 4>{1, 2, 0, 3} : std::array<size_t, 4>{0, 1, 2, 3}, p.y,
                p.y_at);
    binding.add(run.outputs, 1, has_last_h, state, p.last_h, p.last_h_at);
    binding.add(run.outputs, 2, has_last_c, state, p.last_c, p.last_c_at);
  }

  uint32_t step_phases() const {
    return layer_.gates == 3 && !layer_.reset_after ? phase_gates | phase_hidden_gate : phase_gates;
  }

  // Nothing but a dispatch's end orders threadgroups, so half a step that needs the other is one.
  void encode_steps(Stream& stream, Arguments& arguments, RecurrentParameters& p) const {
    p.parts = (p.hidden + 31) / 32;
    p.first_step = p.end_step = 0;
    p.phases = phase_begin;
    encode_part(stream, arguments, p);
    for (uint32_t i = 0; i < p.steps; ++i) {
      p.first_step = i;
      p.end_step = i + 1;
      for (const uint32_t phase : {uint32_t{phase_gates}, uint32_t{phase_hidden_gate}}) {
        if ((step_phases() & phase) == 0) continue;
        p.phases = phase;
        encode_part(stream, arguments, p);
      }
    }
    p.first_step = p.end_step = 0;
    p.phases = phase_end;
    encode_part(stream, arguments, p);
  }

  void encode_part(Stream& stream, Arguments& arguments, const RecurrentParameters& p) const {
    const uint32_t groups = p.directions * p.batch * p.parts;
    const uint32_t units = p.parts == 1 ? p.hidden : 32;
    const uint32_t most = std::min(pipeline_.max_threads_per_group(), 1024u) / simd_width;
    arguments.run_groups(stream, pipeline_, groups, std::clamp(units, 1u, most) * simd_width);
  }

  const seam::Pipeline& pipeline_;
  const RecurrentLayer layer_;
  const RecurrentInput input_;
};

Prepared make_recurrent(Device& device, const sy::Node& node) {
  RecurrentLayer layer = recurrent_layer(node);
  const std::string name =
      "recurrent_" + std::to_string(layer.gates) + "_" + metal_type(node.required_input(0).dtype);
  return {std::make_unique<RecurrentKernel>(device.pipeline(name), std::move(layer),
                                            RecurrentInput(device, node)),
          SY_ON_SHAPE};
}

void check_recurrent(const sy::Node& node) {
  recurrent_layer(node);
  const sy_dtype dtype = node.required_input(0).dtype;
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value* input = node.input(i);
    const uint64_t wanted = i == 4 ? SY_DTYPE_BIT(SY_INT32) : SY_DTYPE_BIT(dtype) & float_types;
    if (input == nullptr || (SY_DTYPE_BIT(input->dtype) & wanted) != 0) continue;
    throw sy::unsupported(SY_REASON_DTYPE, "input ", i, " is ", sy::dtype_name(input->dtype));
  }
}

}  // namespace

std::span<const KernelRow> recurrent_rows() {
  static const auto& rows = *new const std::vector<KernelRow>([] {
    std::vector<KernelRow> made;
    for (const char* op : {"RNN", "GRU", "LSTM"}) {
      made.push_back({{.op = op,
                       .min_version = 7,
                       .dtypes = float_types | SY_DTYPE_BIT(SY_INT32),
                       .output_dtypes = float_types},
                      make_recurrent,
                      check_recurrent});
    }
    return made;
  }());
  return rows;
}

}  // namespace mps
