// What a run of the C API holds between its calls.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <switchyard/model.hpp>
#include <vector>

#include "c_api/objects.hpp"

namespace switchyard::c_api {

/// What one model is to be run with, and what came of it. One thread at a time uses it.
class RunState {
 public:
  explicit RunState(const Model& model);
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;
  ~RunState();

  /// Both throw Error(usage) if the model has no such input.
  void set_input(std::size_t index, const Tensor& tensor);
  void set_input(std::string_view name, const Tensor& tensor);

  /// From now; or SWY_NO_DEADLINE. Throws Error(usage) for other negative numbers.
  void set_deadline(std::int64_t milliseconds);
  /// Retains it; null takes the one before away.
  void set_token(swy_cancellation_token* token);

  void execute();

  /// Throws Error(usage) if there is no such output, or none yet.
  [[nodiscard]] const NamedValue& output(std::size_t index) const;

 private:
  Model model_;
  std::vector<Tensor> inputs_;  // in the model's order; undefined where none was set
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  swy_cancellation_token* token_ = nullptr;
  std::optional<std::vector<NamedValue>> outputs_;  // of the last run, if it did not fail
};

}  // namespace switchyard::c_api
