#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "graph/graph.hpp"

namespace switchyard {

/// Version by domain; the default domain's name is "".
using OpsetImports = std::map<std::string, std::int64_t>;

/// The names that the nodes of one graph, or of one call of a function, know. A body's scope looks
/// up in the scopes around it what it does not define, and captures it into its own graph; a
/// function's scope knows only its own.
class NameScope {
 public:
  /// Names of a whole graph; of a body if there is a scope around.
  NameScope(Graph& graph, const OpsetImports& opsets, NameScope* around = nullptr)
      : graph_(graph), opsets_(opsets), around_(around) {
    if (around) prefix_ = around->prefix_;
  }

  /// Names of a function's call in the graph of `caller`; values get `label` before their names.
  static NameScope of_call(NameScope& caller, const OpsetImports& opsets,
                           const std::string& label) {
    NameScope scope(caller.graph_, opsets);
    scope.prefix_ = caller.prefix_ + label + "/";
    scope.optional_run_ = caller.is_run_optional();
    return scope;
  }

  Graph& graph() const { return graph_; }
  const OpsetImports& opsets() const { return opsets_; }

  /// True in bodies, whose nodes may never run: what is wrong with the shapes there may not matter.
  bool is_run_optional() const { return optional_run_ || around_ != nullptr; }

  /// The value, captured from a scope around if need be; kAbsent for an absent argument of a
  /// function; nothing if no scope knows the name.
  std::optional<ValueId> find(const std::string& name);

  /// True if this scope itself, without those around, has the name.
  bool owns(const std::string& name) const { return names_.count(name) > 0; }

  /// True if a scope around has the name.
  bool is_outer(const std::string& name) const;

  /// Gives a value a name. Throws Error(model), beginning with `where`, if the name is taken.
  void define(const std::string& name, ValueId id, const std::string& where);

  /// A name that is not in use yet, for values that the model does not name.
  std::string fresh_name(const std::string& stem);

  /// What a value or node of this scope is called in the graph.
  std::string full_name(const std::string& name) const { return prefix_ + name; }

  /// Types that the model declares for values inside the graph.
  std::unordered_map<std::string, Value>& declared() { return declared_; }

 private:
  ValueId capture(const std::string& name, ValueId outer);

  Graph& graph_;
  const OpsetImports& opsets_;
  NameScope* around_;
  std::string prefix_;
  bool optional_run_ = false;
  std::unordered_map<std::string, ValueId> names_;
  std::unordered_map<std::string, Value> declared_;
  std::unordered_map<std::string, std::size_t> next_number_;  // of fresh names, by stem
};

}  // namespace switchyard
