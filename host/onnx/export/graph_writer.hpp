#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <switchyard/tensor.hpp>

#include "onnx/schema.hpp"

namespace switchyard {

/// An attribute of a node that is written.
struct WrittenAttribute {
  std::string_view name;
  std::variant<std::int64_t, double, std::vector<std::int64_t>, std::string_view,
               std::vector<float>, std::vector<std::string>>
      value;
};

/// A chain of nodes, each of which takes what the one before it gave. Names are made of that of the
/// layer at hand: "3.Conv" for a node and its output, "3.weight" for a parameter.
class GraphWriter {
 public:
  /// `input` is what the first node takes.
  GraphWriter(onnx::GraphProto& graph, std::string input);

  /// Names that follow begin with this one.
  void enter(std::string layer) { layer_ = std::move(layer); }

  /// The value at hand: what the last node gave that was appended.
  const std::string& current() const { return current_; }

  /// Adds a node of the value at hand and of `more`; its output is the value at hand then.
  void append(std::string_view op, const std::vector<std::string>& more = {},
              const std::vector<WrittenAttribute>& attributes = {});
  /// Adds a node beside the chain; gives the name of its output.
  std::string add(std::string_view op, const std::vector<std::string>& inputs,
                  const std::vector<WrittenAttribute>& attributes = {});
  /// The same of a node of any domain with several outputs, whose names it gives.
  std::vector<std::string> add(std::string_view domain, std::string_view op,
                               const std::vector<std::string>& inputs, std::size_t output_count,
                               const std::vector<WrittenAttribute>& attributes);
  /// The domains of nodes, but ONNX's, with the version that has their ops.
  const std::map<std::string, int>& domains() const { return domains_; }

  /// The layer at hand.
  const std::string& layer() const { return layer_; }

  /// What the next node takes.
  void go_on_with(std::string value) { current_ = std::move(value); }

  /// Holds the elements under the layer's name and this one; gives the name of the value.
  std::string constant(std::string_view name, const Tensor& elements);
  std::string constant(std::string_view name, const std::vector<std::int64_t>& elements);

  /// Gives the value at hand this name.
  void finish(const std::string& output);

 private:
  std::string unused_name(std::string_view name);

  onnx::GraphProto& graph_;
  std::string layer_;
  std::string current_;
  std::set<std::string> names_;
  std::map<std::string, int> domains_;
};

}  // namespace switchyard
