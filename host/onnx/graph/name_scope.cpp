#include "onnx/graph/name_scope.hpp"

#include <fmt/format.h>

#include "io/file_error.hpp"

namespace switchyard {

std::optional<ValueId> NameScope::find(const std::string& name) {
  const auto own = names_.find(name);
  if (own != names_.end()) return own->second;
  if (!around_) return std::nullopt;
  const std::optional<ValueId> outer = around_->find(name);
  if (!outer || *outer == kAbsent) return outer;
  return capture(name, *outer);
}

bool NameScope::is_outer(const std::string& name) const {
  return around_ && (around_->owns(name) || around_->is_outer(name));
}

ValueId NameScope::capture(const std::string& name, ValueId outer) {
  Value value = around_->graph_.values[outer];
  const bool is_constant = value.constant.has_value();
  value.dim_names.clear();
  const ValueId inner = graph_.add_value(std::move(value));
  // A constant is the same in every graph and shares its bytes, so the body simply has it too.
  if (!is_constant) graph_.captures.push_back({outer, inner});
  names_.emplace(name, inner);
  return inner;
}

void NameScope::define(const std::string& name, ValueId id, const std::string& where) {
  if (names_.emplace(name, id).second) return;
  refuse(where, fmt::format("the name {} is given to two values of one graph; each value needs a "
                            "name of its own",
                            in_quotes(name)));
}

std::string NameScope::fresh_name(const std::string& stem) {
  // Names are never given back, so each search goes on where the last one of its stem ended.
  for (std::size_t& next = next_number_[stem];; ++next) {
    std::string name = fmt::format("{}#{}", stem, next);
    if (!owns(name) && !is_outer(name)) return name;
  }
}

}  // namespace switchyard
