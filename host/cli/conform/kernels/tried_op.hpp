// An op of a device's claim table, tried with each type that the claim allows.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/conform/kernels/op_call.hpp"
#include "cli/conform/kernels/test_kernel.hpp"

namespace switchyard::cli::conform {

class TriedOp {
 public:
  TriedOp(CaseRun& run, const Op& op) : run_(run), op_(op), device_(run), stream_(device_) {}

  const Op& op() const { return op_; }
  TestDevice& device() { return device_; }
  TestStream& stream() { return stream_; }
  CaseRun& run() { return run_; }

  /// The op's example; one of lower rank where the device takes that alone.
  const std::string& words();

  /// Calls `visit` with the op's example in each type that a claim covers; with `words` in place of
  /// the example if given. Types whose calls the op's rules do not allow are passed over.
  void each_type(const std::function<void(const OpCall&)>& visit);
  void each_type(const std::string& words, const std::function<void(const OpCall&)>& visit);

  /// Prepares the call, runs it and compares the results with the reference's; fails the case where
  /// they differ. False where the device refuses the call, or nothing can be compared: it is noted.
  bool attempt(const OpCall& call, const RunForm& form = {});

  /// The same on a kernel that is there. `why` says in messages what is tried.
  void run_on(const TestKernel& kernel, const OpCall& call, const RunForm& form,
              std::string_view why = "", std::optional<TestKernel::Alias> alias = std::nullopt);

  std::unique_ptr<TestKernel> prepare(const OpCall& call, const RunForm& form = {});

  /// Notes why something was not tried; told where nothing was.
  void leave_out(std::string reason) { run_.left_out.push_back(std::move(reason)); }

  /// Throws CaseSkipped where no kernel has run, with what was noted.
  void require_runs(std::string_view what) const;

 private:
  CaseRun& run_;
  const Op& op_;
  std::string words_;  // "" until it is asked for
  TestDevice device_;
  TestStream stream_;
};

/// The types that a claim of the device covers for the op's main input, by their numbers.
std::vector<DType> claimed_types(const Op& op, const sy_device_info& info);

/// What differs between results and what is expected, or "". Floats may differ by what their type
/// and the order of sums explain; all others must be equal.
std::string difference_of(const std::vector<Literal>& found, const std::vector<Literal>& expected);

}  // namespace switchyard::cli::conform
