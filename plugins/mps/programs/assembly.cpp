#include "programs/assembly.hpp"

#include <algorithm>

#include "ops/building/elementwise.hpp"
#include "ops/rows.hpp"
#include "programs/attention.hpp"
#include "programs/chain.hpp"

namespace mps {
namespace {

class CopyKernel final : public Kernel {
 public:
  explicit CopyKernel(Device& device) : device_(device) {}
  void encode(const Run& run) const override {
    encode_copy(device_, run.stream, run.inputs[0], run.outputs[0]);
  }

 private:
  Device& device_;
};

// And not a view of it.
bool reads_itself(const sy_node& node, uint32_t value) {
  return std::find(node.inputs, node.inputs + node.input_count, value) !=
         node.inputs + node.input_count;
}

std::string name_of(const Flow& flow, const Piece& piece) {
  if (piece.kind == Piece::Kind::attention) {
    return sy::text("attention (", piece.nodes.size(), ")");
  }
  const std::string first(flow.nodes[piece.nodes.front()].op());
  if (piece.nodes.size() == 1) return first;
  return sy::text(first, " .. ", flow.nodes[piece.nodes.back()].op(), " (", piece.nodes.size(),
                  ")");
}

}  // namespace

Assembly::Assembly(Program& program, const sy_program& described)
    : program_(program),
      flow_(flow_of(described)),
      abilities_(abilities_of(flow_, traits_of(program.device_.info()),
                              program.device_.writes_kernels())) {
  pieces_ = cut(flow_, abilities_);
  piece_of_.resize(flow_.nodes.size());
  for (size_t i = 0; i < pieces_.size(); ++i) {
    for (const uint32_t number : pieces_[i].nodes) piece_of_[number] = i;
  }
}

void Assembly::build() {
  place_inputs_and_outputs();
  for (const Piece& piece : pieces_) add_piece(piece);
  add_copies();
  place_slots();
}

void Assembly::place_inputs_and_outputs() {
  const sy_program& described = flow_.program;
  locations_.resize(described.value_count);
  for (uint32_t i = 0; i < described.input_count; ++i) {
    const bool is_on_host = sy::is_host_input(flow_.value(described.inputs[i]));
    locations_[described.inputs[i]] = {is_on_host ? Location::Kind::host : Location::Kind::input,
                                       i};
  }
  // What a node makes is written where it is wanted; views are, if a graph makes them.
  for (uint32_t i = described.output_count; i-- > 0;) {
    const uint32_t value = described.outputs[i];
    if (flow_.maker[value] == SY_ABSENT || flow_.seen[value]) continue;
    locations_[value] = {Location::Kind::output, i};
  }
}

void Assembly::add_piece(const Piece& piece) {
  MadePiece made = make_piece(piece);
  Program::Entry entry{name_of(flow_, piece), piece.kind, std::move(made.kernel), {}, {}};
  for (const uint32_t value : made.inputs) {
    entry.inputs.push_back(value == SY_ABSENT ? Location() : location_of(value));
    program_.touched_bytes_ += bytes_of(value);
  }
  for (const uint32_t value : made.outputs) {
    if (value != SY_ABSENT) give_room(value);
    entry.outputs.push_back(value == SY_ABSENT ? Location() : locations_[value]);
    program_.touched_bytes_ += bytes_of(value);
  }
  program_.entries_.push_back(std::move(entry));
}

MadePiece Assembly::make_piece(const Piece& piece) const {
  Device& device = program_.device_;
  if (piece.kind == Piece::Kind::graph) {
    return make_graph_piece(device, flow_, abilities_, piece, exports_of(piece));
  }
  if (piece.kind == Piece::Kind::chain) {
    return make_chain(device, flow_, abilities_, piece, exports_of(piece));
  }
  if (piece.kind == Piece::Kind::attention) return make_attention(device, flow_, piece);
  return make_node_piece(piece);
}

MadePiece Assembly::make_node_piece(const Piece& piece) const {
  const sy::Node& node = flow_.nodes[piece.nodes.front()];
  const KernelRow& row = *abilities_[piece.nodes.front()].row;
  const sy_node& raw = node.raw();
  return {prepared_by(row, program_.device_, node).kernel,
          {raw.inputs, raw.inputs + raw.input_count},
          {raw.outputs, raw.outputs + raw.output_count}};
}

// What others read: graphs see views themselves, kernels see those that strides can show. Other
// views only a graph can make.
std::vector<uint32_t> Assembly::exports_of(const Piece& piece) const {
  std::vector<bool> exported(flow_.program.value_count);
  for (uint32_t value = 0; value < flow_.program.value_count; ++value) {
    const uint32_t maker = flow_.maker[flow_.root(value)];
    if (maker == SY_ABSENT || piece_of_[maker] != piece_of_[piece.nodes.front()]) continue;
    const bool makes_views = piece.kind == Piece::Kind::graph;
    if (flow_.is_output[value]) exported[makes_views ? value : flow_.root(value)] = true;
    export_for_users(value, exported);
  }
  std::vector<uint32_t> values;
  for (uint32_t value = 0; value < exported.size(); ++value) {
    if (exported[value]) values.push_back(value);
  }
  return values;
}

void Assembly::export_for_users(uint32_t value, std::vector<bool>& exported) const {
  const uint32_t root = flow_.root(value);
  const size_t own = piece_of_[flow_.maker[root]];
  for (const uint32_t user : flow_.users[value]) {
    const size_t piece = piece_of_[user];
    if (piece == own || !reads_itself(flow_.nodes[user].raw(), value)) continue;
    const bool needs_view =
        pieces_[own].kind == Piece::Kind::graph && pieces_[piece].kind != Piece::Kind::graph;
    exported[needs_view && !is_strided_view(flow_, value) ? value : root] = true;
  }
}

// Outputs that nobody makes in their place: views of what kernels make, inputs, and second copies.
void Assembly::add_copies() {
  const sy_program& described = flow_.program;
  for (uint32_t i = 0; i < described.output_count; ++i) {
    const Location location = location_of(described.outputs[i]);
    if (location.kind == Location::Kind::output && location.index == i) continue;
    Program::Entry entry{"Identity", Piece::Kind::node, nullptr, {location}, {}};
    entry.kernel = std::make_unique<CopyKernel>(program_.device_);
    entry.outputs.push_back({Location::Kind::output, i});
    program_.entries_.push_back(std::move(entry));
  }
}

// A value that a piece writes.
void Assembly::give_room(uint32_t value) {
  if (locations_[value].kind != Location::Kind::absent) return;
  if (flow_.is_output[value]) {
    const uint32_t* outputs = flow_.program.outputs;
    const auto number = std::find(outputs, outputs + flow_.program.output_count, value) - outputs;
    locations_[value] = {Location::Kind::output, static_cast<uint32_t>(number)};
    return;
  }
  const sy_value& described = flow_.value(value);
  locations_[value] = {Location::Kind::workspace, static_cast<uint32_t>(program_.slots_.size())};
  program_.slots_.push_back(
      {described.dtype, sy::Dimensions(sy::shape_of(described)), bytes_of(value), 0});
}

uint64_t Assembly::bytes_of(uint32_t value) const {
  if (value == SY_ABSENT) return 0;
  const sy_value& described = flow_.value(value);
  const int64_t count = sy::element_count(sy::shape_of(described));
  return sy::contiguous_bytes(described.dtype, static_cast<uint64_t>(count));
}

Location Assembly::location_of(uint32_t value) {
  if (locations_[value].kind != Location::Kind::absent) return locations_[value];
  const auto& seen = flow_.seen[value];
  if (!seen) throw sy::bug("value ", value, " of a program is read before it is made");
  const Location source = location_of(seen->source);
  program_.views_.push_back({source, seen->view});
  locations_[value] = {Location::Kind::view, static_cast<uint32_t>(program_.views_.size() - 1)};
  return locations_[value];
}

void Assembly::place_slots() {
  std::vector<Lifetime> lifetimes(program_.slots_.size());
  const auto root = [&](Location location) {
    while (location.kind == Location::Kind::view) location = program_.views_[location.index].source;
    return location;
  };
  for (uint32_t i = 0; i < program_.entries_.size(); ++i) {
    for (const Location& location : program_.entries_[i].outputs) {
      if (location.kind == Location::Kind::workspace) lifetimes[location.index] = {i, i, 0};
    }
    for (const Location& location : program_.entries_[i].inputs) {
      if (root(location).kind == Location::Kind::workspace)
        lifetimes[root(location).index].last = i;
    }
  }
  for (size_t i = 0; i < lifetimes.size(); ++i) lifetimes[i].bytes = program_.slots_[i].bytes;
  const Placement placement = place(lifetimes, program_.alignment_);
  for (size_t i = 0; i < lifetimes.size(); ++i) {
    program_.slots_[i].offset = placement.offsets[i];
  }
  program_.workspace_bytes_ = placement.bytes;
}

}  // namespace mps
