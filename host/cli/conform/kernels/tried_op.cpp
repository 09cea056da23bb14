#include "cli/conform/kernels/tried_op.hpp"

#include <switchyard/plugin/claims.hpp>

#include "cli/conform/kernels/reference.hpp"
#include "cli/verify/tolerance.hpp"
#include "ops/signature.hpp"

namespace switchyard::cli::conform {
namespace {

/// How far results of a type may be apart: relative to each, and to the largest of an output, as
/// sums may be taken in any order.
struct TypeTolerance {
  DType dtype;
  double relative;
  double peak;
};
constexpr TypeTolerance kTolerances[] = {
    {DType::float32, 1e-4, 1e-5},    {DType::complex64, 1e-4, 1e-5}, {DType::float64, 1e-8, 1e-9},
    {DType::complex128, 1e-8, 1e-9}, {DType::float16, 4e-3, 4e-3},   {DType::bfloat16, 2e-2, 2e-2},
};

ToleranceOptions tolerance_of(DType dtype) {
  ToleranceOptions options;
  for (const TypeTolerance& row : kTolerances) {
    if (row.dtype != dtype) continue;
    options.relative = row.relative;
    options.peak = row.peak;
  }
  return options;
}

std::uint64_t claimed_inputs(const Op& op, const sy_device_info& info) {
  std::uint64_t types = 0;
  for (std::uint32_t i = 0; i < info.claim_count; ++i) {
    const sy_claim& claim = *SY_AT(sy_claim, info.claims, i);
    const auto version = static_cast<std::uint32_t>(op.version());
    if (!sy::names_op(claim, op.row->domain, op.name())) continue;
    if (version < claim.min_version || version > claim.max_version) continue;
    types |= claim.input_dtypes;
  }
  return types;
}

}  // namespace

std::vector<DType> claimed_types(const Op& op, const sy_device_info& info) {
  const Formal* formal = formal_at(op.canonical.inputs, main_input(op));
  const std::uint64_t types = claimed_inputs(op, info) & (formal == nullptr ? 0 : formal->allowed);
  std::vector<DType> list;
  for (int number = 1; number <= static_cast<int>(kLastDType); ++number) {
    if ((types >> number & 1) != 0) list.push_back(static_cast<DType>(number));
  }
  return list;
}

const std::string& TriedOp::words() {
  if (!words_.empty()) return words_;
  words_ = example_words(op_);
  for (const std::string& words : {words_, of_lower_rank(words_)}) {
    for (const DType dtype : claimed_types(op_, device_.info())) {
      const std::optional<OpCall> call = call_of(op_, words, dtype);
      Refusal refusal;
      if (call && TestKernel::prepare(stream_, *call, {}, refusal)) return words_ = words;
    }
  }
  return words_;
}

void TriedOp::each_type(const std::function<void(const OpCall&)>& visit) {
  each_type(words(), visit);
}

void TriedOp::each_type(const std::string& words, const std::function<void(const OpCall&)>& visit) {
  for (const DType dtype : claimed_types(op_, device_.info())) {
    const std::optional<OpCall> call = call_of(op_, words, dtype);
    if (call) {
      visit(*call);
    } else {
      leave_out(fmt::format("the op's rules do not allow the example in {}", name_of(dtype)));
    }
  }
}

std::unique_ptr<TestKernel> TriedOp::prepare(const OpCall& call, const RunForm& form) {
  Refusal refusal;
  std::unique_ptr<TestKernel> kernel = TestKernel::prepare(stream_, call, form, refusal);
  if (!kernel)
    leave_out(fmt::format("{}{} is refused: {}", call.text(), form.text(), refusal.message));
  return kernel;
}

void TriedOp::run_on(const TestKernel& kernel, const OpCall& call, const RunForm& form,
                     std::string_view why, std::optional<TestKernel::Alias> alias) {
  const Reference& reference = reference_for(run_.plugin);
  const auto expected = reference.compute(call);
  if (!expected) {
    return leave_out(fmt::format("{} does not compute {}, so nothing can be compared",
                                 reference.device(), call.text()));
  }
  const std::vector<Literal> found = kernel.run(stream_, call, form, alias);
  const std::string difference = difference_of(found, *expected);
  if (difference.empty()) return;
  fail("{} of {}{}{}: {}", call.name(), call.text(), form.text(), why, difference);
}

bool TriedOp::attempt(const OpCall& call, const RunForm& form) {
  const OpCall given = fitted(form, call, device_.info());
  const std::unique_ptr<TestKernel> kernel = prepare(given, form);
  if (!kernel) return false;
  const std::uint64_t before = run_.kernel_runs;
  run_on(*kernel, given, form);
  return run_.kernel_runs > before;
}

void TriedOp::require_runs(std::string_view what) const {
  if (run_.kernel_runs > 0) return;
  if (run_.left_out.empty()) skip("{}", what);
  skip("{}: {}", what, run_.left_out.front());
}

std::string difference_of(const std::vector<Literal>& found, const std::vector<Literal>& expected) {
  if (found.size() != expected.size()) {
    return fmt::format("{} outputs, expected {}", found.size(), expected.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (expected[i].dtype() == DType::undefined) continue;
    const Comparison result = compare(found[i], expected[i], tolerance_of(expected[i].dtype()));
    if (!result.is_equal) return fmt::format("output {} {}", i, result.difference);
  }
  return "";
}

}  // namespace switchyard::cli::conform
