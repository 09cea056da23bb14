#pragma once

#include <cstdint>
#include <string>
#include <switchyard/optim/optimizer.hpp>
#include <vector>

namespace switchyard::optim {

/// Takes a state apart and remembers what is wrong with it.
class StateReader {
 public:
  explicit StateReader(const StateDict& state) : rest_(state) {}

  bool has(const std::string& name) const { return rest_.count(name) > 0; }
  /// The value of that name; 0 or no tensor if it is missing or of another shape.
  double number(const std::string& name);
  std::int64_t integer(const std::string& name);
  Tensor tensor(const std::string& name, const Dims& shape);

  /// Throws Error(usage) that lists what was missing, misshapen or never taken.
  void finish(const char* owner);

 private:
  StateDict rest_;
  std::vector<std::string> missing_, misshapen_;
};

}  // namespace switchyard::optim
