#include "onnx/graph/node_order.hpp"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "io/file_error.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

using Makers = std::unordered_map<std::string, std::size_t>;
using Names = std::unordered_set<std::string>;

void add_free_names(const onnx::NodeProto& node, Names& names);

// What a body uses of the graphs around it: the names that it does not define.
void add_free_names(const onnx::GraphProto& body, Names& names) {
  Names used;
  for (const onnx::NodeProto& node : body.node) add_free_names(node, used);
  for (const auto& output : body.output) used.insert(output.name);
  for (const onnx::NodeProto& node : body.node) {
    for (const std::string& name : node.output) used.erase(name);
  }
  for (const auto& input : body.input) used.erase(input.name);
  for (const auto& initializer : body.initializer) used.erase(initializer.name);
  names.merge(used);
}

void add_free_names(const onnx::NodeProto& node, Names& names) {
  names.insert(node.input.begin(), node.input.end());
  for (const onnx::AttributeProto& attribute : node.attribute) {
    if (attribute.g) add_free_names(*attribute.g, names);
  }
}

Makers makers_of(const std::vector<const onnx::NodeProto*>& nodes, const std::string& file) {
  Makers makers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i]->output) {
      if (name.empty() || makers.emplace(name, i).second) continue;
      refuse(location_of(*nodes[i], file),
             fmt::format("the value {} is made by an earlier node too; each value needs a name of "
                         "its own",
                         in_quotes(name)));
    }
  }
  return makers;
}

// For each node the nodes whose values it uses.
std::vector<std::vector<std::size_t>> needs_of(const std::vector<const onnx::NodeProto*>& nodes,
                                               const Makers& makers, const NameScope& scope,
                                               const std::string& file) {
  std::vector<std::vector<std::size_t>> needs(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Names names;
    add_free_names(*nodes[i], names);
    for (const std::string& name : names) {
      const auto maker = makers.find(name);
      if (maker == makers.end()) continue;
      if (maker->second >= i && scope.is_outer(name)) {
        refuse(location_of(*nodes[i], file),
               fmt::format("the name {} may mean a value of the graph around or one that this body "
                           "makes later; rename one of them",
                           in_quotes(name)));
      }
      needs[i].push_back(maker->second);
    }
  }
  return needs;
}

bool is_ordered(const std::vector<std::vector<std::size_t>>& needs) {
  for (std::size_t i = 0; i < needs.size(); ++i) {
    for (const std::size_t need : needs[i]) {
      if (need >= i) return false;
    }
  }
  return true;
}

// Of the nodes that are ready, always the first of the file.
std::vector<std::size_t> sorted(const std::vector<std::vector<std::size_t>>& needs) {
  std::vector<std::vector<std::size_t>> users(needs.size());
  std::vector<std::size_t> open(needs.size());
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < needs.size(); ++i) {
    open[i] = needs[i].size();
    if (open[i] == 0) ready.push(i);
    for (const std::size_t need : needs[i]) users[need].push_back(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (const std::size_t user : users[next]) {
      if (--open[user] == 0) ready.push(user);
    }
  }
  return order;
}

[[noreturn]] void refuse_cycle(const std::vector<const onnx::NodeProto*>& nodes,
                               const std::vector<std::size_t>& order, const std::string& file) {
  std::vector<bool> is_placed(nodes.size(), false);
  for (const std::size_t i : order) is_placed[i] = true;
  std::size_t first = 0;
  while (is_placed[first]) ++first;
  refuse(location_of(*nodes[first], file),
         "it waits for a value that cannot be made before its own: the graph has a cycle");
}

}  // namespace

std::vector<const onnx::NodeProto*> in_order(std::vector<const onnx::NodeProto*> nodes,
                                             const NameScope& scope, const std::string& file) {
  const auto needs = needs_of(nodes, makers_of(nodes, file), scope, file);
  if (is_ordered(needs)) return nodes;
  const std::vector<std::size_t> order = sorted(needs);
  if (order.size() < nodes.size()) refuse_cycle(nodes, order, file);
  std::vector<const onnx::NodeProto*> ordered;
  for (const std::size_t i : order) ordered.push_back(nodes[i]);
  return ordered;
}

std::string location_of(const onnx::NodeProto& node, const std::string& file) {
  if (!node.name.empty()) {
    return fmt::format("{}: node {} ({})", file, in_quotes(node.name), node.op_type);
  }
  const std::string output = node.output.empty() ? std::string() : node.output[0];
  return fmt::format("{}: the {} that makes {}", file, node.op_type, in_quotes(output));
}

}  // namespace switchyard
