#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <switchyard/optim/optimizer.hpp>
#include <vector>

namespace switchyard::optim {

/// What is wrong with a setting's value, empty if nothing is. As PyTorch has it: rates and shares
/// are not negative, and no share is all, but for rho.
std::string fault_of(std::string_view setting, double value);

/// Takes a state apart and remembers what is wrong with it.
class StateReader {
 public:
  explicit StateReader(const StateDict& state) : rest_(state) {}

  bool has(const std::string& name) const { return rest_.count(name) > 0; }
  /// The value of that name; 0 or no tensor if it is missing or does not fit.
  double number(const std::string& name);
  /// A number that must be one that the setting may have.
  double setting(const std::string& name, std::string_view setting);
  /// A number that must be a whole one of at least 0.
  std::int64_t count(const std::string& name);
  Tensor tensor(const std::string& name, const Dims& shape);

  /// Throws Error(invalid_argument) that lists what was missing, did not fit or was never taken.
  void finish(const char* owner);

 private:
  StateDict rest_;
  std::vector<std::string> missing_, misfits_;
};

}  // namespace switchyard::optim
