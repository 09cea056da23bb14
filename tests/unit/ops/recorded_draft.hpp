#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/catalogue.hpp"
#include "ops/row.hpp"
#include "types/describe.hpp"

namespace switchyard {

/// A node of a model of some opset, and what upgrading it does to the graph around it.
class RecordedDraft {
 public:
  struct Added {
    std::string op;
    Attributes attributes;
    std::vector<std::string> inputs;
  };

  RecordedDraft(std::string op, Attributes attributes, std::size_t inputs,
                std::size_t outputs = 1) {
    node.op = std::move(op);
    node.name = "node";
    node.attributes = std::move(attributes);
    for (std::size_t i = 0; i < inputs; ++i) node.inputs.push_back("in" + std::to_string(i));
    for (std::size_t i = 0; i < outputs; ++i) node.outputs.push_back("out" + std::to_string(i));
    node.add_constant = [this](Literal value) {
      constants.push_back(std::move(value));
      return "constant" + std::to_string(constants.size() - 1);
    };
    node.add_node_before = [this](std::string name, Attributes set, std::vector<std::string> from) {
      before.push_back({std::move(name), std::move(set), std::move(from)});
      return "before" + std::to_string(before.size() - 1);
    };
    node.add_node_after = [this](std::size_t, std::string name, Attributes set,
                                 std::vector<std::string> more) {
      after.push_back({std::move(name), std::move(set), std::move(more)});
    };
    node.info = [this](std::size_t input) {
      return input < infos.size() ? infos[input] : ValueInfo{};
    };
  }
  RecordedDraft(const RecordedDraft&) = delete;  // the functions hold its address
  RecordedDraft& operator=(const RecordedDraft&) = delete;

  RecordedDraft& knowing(Dims shape, DType dtype = DType::float32) {
    infos.push_back({dtype, std::move(shape)});
    return *this;
  }

  const Op& upgrade_from(int opset) { return upgrade(node, opset); }

  /// "Op(in0, before0)".
  static std::string text_of(const std::string& op, const std::vector<std::string>& inputs) {
    std::string text = op + "(";
    for (const std::string& name : inputs) text += (text.back() == '(' ? "" : ", ") + name;
    return text + ")";
  }
  std::string text() const { return text_of(node.op, node.inputs); }
  std::vector<std::string> text_before() const {
    std::vector<std::string> texts;
    for (const Added& added : before) texts.push_back(text_of(added.op, added.inputs));
    return texts;
  }

  NodeDraft node;
  std::vector<Literal> constants;
  std::vector<Added> before;
  std::vector<Added> after;
  std::vector<ValueInfo> infos;
};

}  // namespace switchyard
