#include "optim/state_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <switchyard/error.hpp>

#include "types/describe.hpp"

namespace switchyard::optim {

std::string fault_of(std::string_view setting, double value) {
  if (setting == "rho") {
    if (value >= 0 && value <= 1) return {};
    return fmt::format("{} = {}; it must lie between 0 and 1", setting, value);
  }
  const bool is_share = setting == "beta1" || setting == "beta2";
  if (value >= 0 && (!is_share || value < 1)) return {};
  return fmt::format("{} = {}; it must be 0 or more{}", setting, value,
                     is_share ? ", and less than 1" : "");
}

Tensor StateReader::tensor(const std::string& name, const Dims& shape) {
  const auto found = rest_.find(name);
  if (found == rest_.end()) {
    missing_.push_back(name);
    return {};
  }
  const Tensor value = found->second;
  rest_.erase(found);
  if (value.defined() && value.shape() == shape) return value;
  misfits_.push_back(fmt::format("{} has shape {} where {} is needed", name,
                                 value.defined() ? describe(value.shape()) : "none",
                                 describe(shape)));
  return {};
}

double StateReader::number(const std::string& name) {
  const Tensor value = tensor(name, {});
  return value.defined() ? value.item() : 0;
}

double StateReader::setting(const std::string& name, std::string_view setting) {
  const double value = number(name);
  const std::string fault = fault_of(setting, value);
  if (!fault.empty()) misfits_.push_back(name + " is " + fault);
  return value;
}

std::int64_t StateReader::count(const std::string& name) {
  constexpr double kMost = 9007199254740992;  // 2^53
  const double value = number(name);
  if (value >= 0 && value <= kMost && std::floor(value) == value) {
    return static_cast<std::int64_t>(value);
  }
  misfits_.push_back(fmt::format("{} is {} where a count is needed", name, value));
  return 0;
}

void StateReader::finish(const char* owner) {
  std::string text;
  const auto object = [&](const std::string& line) { text += (text.empty() ? "" : "; ") + line; };
  if (!missing_.empty()) object(fmt::format("missing are {}", fmt::join(missing_, ", ")));
  std::vector<std::string> unexpected;
  for (const auto& entry : rest_) unexpected.push_back(entry.first);
  if (!unexpected.empty()) object(fmt::format("unexpected are {}", fmt::join(unexpected, ", ")));
  for (const std::string& line : misfits_) object(line);
  if (text.empty()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the state does not fit {}: {}", owner, text));
}

}  // namespace switchyard::optim
