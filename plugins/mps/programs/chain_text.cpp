#include <algorithm>

#include "kernels/sources.hpp"
#include "ops/building/elementwise.hpp"
#include "programs/chain.hpp"

namespace mps {
namespace {

class Writer {
 public:
  Writer(const Flow& flow, const std::vector<uint32_t>& inputs,
         const std::vector<uint32_t>& outputs)
      : flow_(flow), inputs_(inputs), outputs_(outputs) {}

  std::string text(const std::vector<Abilities>& abilities, const Piece& piece) {
    text_ = chain_preamble();
    write_head();
    write_walk();
    for (uint32_t i = 0; i < inputs_.size(); ++i) {
      line("  const ", type_of_value(inputs_[i]), " v", inputs_[i], " = b", i, "[p", i, "];");
    }
    for (const uint32_t number : piece.nodes) write_node(*abilities[number].row, number);
    for (uint32_t i = 0; i < outputs_.size(); ++i) {
      const size_t k = inputs_.size() + i;
      line("  b", k, "[p", k, "] = v", outputs_[i], ";");
    }
    line("}");
    return std::move(text_);
  }

 private:
  template <typename... Parts>
  void line(const Parts&... parts) {
    text_ += sy::text(parts...);
    text_ += '\n';
  }

  const char* type_of_value(uint32_t value) const { return metal_type(flow_.value(value).dtype); }
  size_t count() const { return inputs_.size() + outputs_.size(); }

  void write_head() {
    line("#line 1 \"chain\"");
    line("struct ChainWalk {");
    line("  uint rank;");
    line("  uint extents[16];");
    line("  uint offsets[", count(), "];");
    line("  int steps[", count(), "][16];");
    line("};");
    line("[[kernel]] void chain(");
    for (uint32_t i = 0; i < count(); ++i) {
      const bool is_input = i < inputs_.size();
      const uint32_t value = is_input ? inputs_[i] : outputs_[i - inputs_.size()];
      line("    device ", is_input ? "const " : "", type_of_value(value), "* b", i, " [[buffer(", i,
           ")]],");
    }
    line("    constant ChainWalk& walk [[buffer(", count(), ")]],");
    line("    uint index [[thread_position_in_grid]]) {");
  }

  void write_walk() {
    for (uint32_t i = 0; i < count(); ++i) line("  uint p", i, " = walk.offsets[", i, "];");
    line("  uint left = index;");
    line("  for (uint i = walk.rank; i-- > 0;) {");
    line("    const int along = int(left % walk.extents[i]);");
    line("    left /= walk.extents[i];");
    for (uint32_t i = 0; i < count(); ++i) {
      line("    p", i, " += uint(along * walk.steps[", i, "][i]);");
    }
    line("  }");
  }

  void write_node(const KernelRow& row, uint32_t number) {
    const sy::Node& node = flow_.nodes[number];
    std::vector<std::string> operands;
    for (uint32_t i = 0; i < node.input_count(); ++i) {
      const uint32_t value = node.raw().inputs[i];
      operands.push_back(value == SY_ABSENT ? "" : sy::text("v", value));
    }
    const uint32_t output = node.raw().outputs[0];
    line("  const ", type_of_value(output), " v", output, " = ", row.write(node, operands), ";");
  }

  const Flow& flow_;
  const std::vector<uint32_t>& inputs_;
  const std::vector<uint32_t>& outputs_;
  std::string text_;
};

}  // namespace

std::string text_of_chain(const Flow& flow, const std::vector<Abilities>& abilities,
                          const Piece& piece, const std::vector<uint32_t>& outputs) {
  const std::vector<uint32_t> inputs = inputs_of_chain(flow, piece.nodes);
  return Writer(flow, inputs, outputs).text(abilities, piece);
}

}  // namespace mps
