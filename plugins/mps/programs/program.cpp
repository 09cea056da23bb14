#include "programs/program.hpp"

#include <algorithm>
#include <utility>

#include "ops/building/elementwise.hpp"
#include "programs/assembly.hpp"
#include "runtime/limits.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

// What storages are aligned to, whatever the device wants beyond that.
constexpr uint64_t storage_alignment = 256;

uint64_t round_up(uint64_t value, uint64_t step) { return sy::ceil_div(value, step) * step; }

Tensor described(const sy_tensor& given) {
  Tensor tensor;
  tensor.dtype = given.dtype;
  tensor.shape = sy::shape_of(given);
  tensor.strides = sy::strides_or_contiguous(tensor.shape, given.strides);
  return tensor;
}

Tensor on_device(const sy_tensor& given) {
  Tensor tensor = described(given);
  tensor.block = reinterpret_cast<const Block*>(given.storage);
  tensor.offset_bytes = given.offset_bytes;
  check_limits(tensor);
  return tensor;
}

Tensor on_host(const sy_tensor& given) {
  Tensor tensor = described(given);
  tensor.host = reinterpret_cast<const char*>(given.storage) + given.offset_bytes;
  return tensor;
}

}  // namespace

// The tensors of one run. Each slot in use has a buffer of its own.
class Program::Binding {
 public:
  Binding(const Program& program, Stream& stream, const sy_run_args& args)
      : program_(program),
        stream_(stream),
        args_(args),
        workspace_(reinterpret_cast<const Block*>(args.workspace)),
        blocks_(program.slots_.size()) {
    if (program.workspace_bytes_ == 0) return;
    if (workspace_ == nullptr) throw sy::invalid("the run has no workspace");
    const Block& workspace = *workspace_;
    base_ = round_up(workspace.offset + args.workspace_offset_bytes, program.alignment_) -
            workspace.offset;
  }

  Tensor tensor(const Location& location) {
    switch (location.kind) {
      case Location::Kind::absent: break;
      case Location::Kind::input: return on_device(*SY_AT(sy_tensor, args_.inputs, location.index));
      case Location::Kind::host: return on_host(*SY_AT(sy_tensor, args_.inputs, location.index));
      case Location::Kind::output:
        return on_device(*SY_AT(sy_tensor, args_.outputs, location.index));
      case Location::Kind::workspace: return in_slot(location.index);
      case Location::Kind::view: return seen(program_.views_[location.index]);
    }
    return {};
  }

 private:
  Tensor in_slot(uint32_t index) {
    const Slot& slot = program_.slots_[index];
    Block& block = blocks_[index];
    if (!block.buffer && slot.bytes > 0) {
      block.buffer = Allocator::part(*workspace_, base_ + slot.offset, slot.bytes);
      block.bytes = slot.bytes;
    }
    Tensor tensor;
    tensor.dtype = slot.dtype;
    tensor.shape = slot.shape;
    tensor.strides = sy::contiguous_strides(slot.shape);
    tensor.block = &block;
    return tensor;
  }

  Tensor seen(const SeenLocation& location) {
    Tensor shown = tensor(location.source);
    Layout layout{sy::Dimensions(shown.shape), shown.strides, 0};
    if (!see(location.view, layout)) {
      shown = packed(program_.device_, stream_, shown);
      layout.strides = shown.strides;
      see(location.view, layout);
    }
    const auto bytes = static_cast<int64_t>(sy::dtype_bytes(shown.dtype));
    shown.shape = location.view.shape;
    shown.strides = layout.strides;
    shown.offset_bytes =
        static_cast<uint64_t>(static_cast<int64_t>(shown.offset_bytes) + layout.offset * bytes);
    return shown;
  }

  const Program& program_;
  Stream& stream_;
  const sy_run_args& args_;
  const Block* const workspace_;
  uint64_t base_ = 0;  // of slots, after the workspace's block begins
  std::vector<Block> blocks_;
};

Program::Program(Device& device, const sy_program& program)
    : device_(device),
      alignment_(std::max<uint64_t>(storage_alignment, device.metal().placement_alignment())) {
  if (program.node_count > most_program_nodes) {
    throw sy::unsupported(SY_REASON_LIMIT, "a program of ", program.node_count, " nodes; at most ",
                          most_program_nodes, " are taken");
  }
  Assembly(*this, program).build();
  if (workspace_bytes_ > 0) workspace_bytes_ += alignment_ - storage_alignment;
}

void Program::encode(Stream& stream, const sy_run_args& args) const {
  Binding binding(*this, stream, args);
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  for (const Entry& entry : entries_) {
    outputs.clear();
    bool is_empty = true;
    for (const Location& location : entry.outputs) {
      outputs.push_back(binding.tensor(location));
      is_empty = is_empty && (outputs.back().dtype == 0 || outputs.back().size() == 0);
    }
    if (is_empty) continue;
    inputs.clear();
    stream.begin_section(entry.name);
    for (const Location& location : entry.inputs) inputs.push_back(binding.tensor(location));
    entry.kernel->encode({stream, inputs, outputs, nullptr});
  }
}

}  // namespace mps
