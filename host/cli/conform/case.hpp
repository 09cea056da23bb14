// One thing that a plugin is tried for, and what comes of it.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace switchyard::cli::conform {

struct PluginUnderTest;

/// How far an op's results are from those in float64.
struct Accuracy {
  std::string op;
  std::string dtype;
  double largest_error = 0;           // absolute
  double largest_relative_error = 0;  // to the larger of 1e-30 and the right value
  double units = 0;                   // the largest error in units in the last place
};

/// What a case is given, and what it leaves for the report.
struct CaseRun {
  const PluginUnderTest& plugin;
  std::atomic<std::uint64_t> device_work{0};  // copies and kernels that the device has run
  std::atomic<std::uint64_t> kernel_runs{0};  // of these, kernels whose results were compared
  std::vector<Accuracy> accuracy = {};        // of the cases about it
  std::vector<std::string> left_out = {};     // what of the case could not be tried, and why
};

/// A case: its name, "FOLDER/WHAT" or "kernels/OP/WHAT", the sentence that it proves, and how.
struct Case {
  std::string name;
  std::string proves;
  std::function<void(CaseRun&)> run;  // throws CaseFailed or CaseSkipped
};

/// The same as a row of a table.
struct CaseRow {
  std::string_view name;
  std::string_view proves;
  void (*run)(CaseRun&);
};

/// The plugin does not do what the case is about; says what it did instead.
class CaseFailed : public std::exception {
 public:
  explicit CaseFailed(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// The plugin does not claim what the case is about.
class CaseSkipped : public std::exception {
 public:
  explicit CaseSkipped(std::string reason) : reason_(std::move(reason)) {}
  const char* what() const noexcept override { return reason_.c_str(); }

 private:
  std::string reason_;
};

/// Tells the parent process at once: what a broken plugin does while the case is left may end this
/// one. Set by the child; null: nobody is told.
inline void (*tell_failure)(const std::string& reason) = nullptr;

template <typename... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::string reason = fmt::format(format, std::forward<Arguments>(arguments)...);
  if (tell_failure != nullptr) tell_failure(reason);
  throw CaseFailed(std::move(reason));
}

template <typename... Arguments>
[[noreturn]] void skip(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw CaseSkipped(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace switchyard::cli::conform
