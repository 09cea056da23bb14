// What is tried without memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tensor/test_runtime.hpp"

namespace switchyard::allocation_failures {

/// Something that a program asks of the host, the same each time.
class Operation {
 public:
  virtual ~Operation() = default;
  /// What it needs of the program itself, made anew for each time.
  virtual void prepare() = 0;
  virtual void perform() = 0;
  /// What the last `perform` came to, and lets it go.
  virtual Floats result() = 0;
  /// What it must come to.
  virtual Floats expected() const = 0;
  /// Whether it may end in std::bad_alloc: functions of tensors and layers let that of a list or a
  /// text of their own through.
  virtual bool may_throw_bad_alloc() const { return false; }
};

std::unique_ptr<Operation> loading_a_runtime();
std::unique_ptr<Operation> loading_a_model();
std::unique_ptr<Operation> running_a_model();
std::unique_ptr<Operation> making_a_network();
std::unique_ptr<Operation> training_a_step();

}  // namespace switchyard::allocation_failures
