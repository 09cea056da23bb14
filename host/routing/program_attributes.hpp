#pragma once

#include <switchyard/plugin.h>

#include <vector>

#include "ops/attributes.hpp"

namespace switchyard {

/// A node's attributes in the ABI's form. Points into the attributes that it was made from.
class ProgramAttributes {
 public:
  explicit ProgramAttributes(const Attributes& attributes);
  ProgramAttributes(ProgramAttributes&&) = default;  // what points inside stays where it is
  ProgramAttributes(const ProgramAttributes&) = delete;
  ProgramAttributes& operator=(const ProgramAttributes&) = delete;

  const std::vector<sy_attribute>& get() const { return attributes_; }

 private:
  std::vector<sy_attribute> attributes_;
  std::vector<std::vector<const char*>> texts_;  // of lists
  std::vector<sy_value> tensors_;
  std::vector<const char*> text_;
};

}  // namespace switchyard
