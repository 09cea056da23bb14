#include <algorithm>
#include <cmath>

#include "cli/conform/kernels/kernel_trials.hpp"
#include "cli/conform/kernels/reference.hpp"
#include "io/doubles.hpp"

namespace switchyard::cli::conform {
namespace {

/// The distance to the next number of a type at 1.
double epsilon_of(DType dtype) {
  switch (dtype) {
    case DType::float32: return std::ldexp(1.0, -23);
    case DType::float16: return std::ldexp(1.0, -10);
    case DType::bfloat16: return std::ldexp(1.0, -7);
    default: return 0;
  }
}

/// The same call with its inputs, as the narrow type has rounded them, in float64; nothing if the
/// op's rules do not allow that.
std::optional<OpCall> in_float64(const OpCall& call) {
  OpCall wide = call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || epsilon_of(call.inputs[i].dtype()) == 0) continue;
    wide.inputs[i] = literal_of(DType::float64, call.inputs[i].shape(), to_doubles(call.inputs[i]));
  }
  if (!wide.infers()) return std::nullopt;
  return wide;
}

void add(Accuracy& row, const Literal& found, const Literal& expected) {
  const std::vector<double> ours = to_doubles(found), theirs = to_doubles(expected);
  const double epsilon = epsilon_of(found.dtype());
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(theirs[i])) continue;
    const double error = std::abs(ours[i] - theirs[i]);
    const double size = std::max(std::abs(theirs[i]), 1e-30);
    const double unit = std::ldexp(epsilon, std::ilogb(size));
    row.largest_error = std::max(row.largest_error, error);
    row.largest_relative_error = std::max(row.largest_relative_error, error / size);
    row.units = std::max(row.units, error / unit);
  }
}

}  // namespace

void try_accuracy(TriedOp& tried) {
  const Reference& reference = reference_for(tried.run().plugin);
  tried.each_type([&](const OpCall& call) {
    const DType dtype = call.inputs[main_input(tried.op())].dtype();
    if (epsilon_of(dtype) == 0) return;
    const std::optional<OpCall> wide = in_float64(call);
    if (!wide) return tried.leave_out("the op's rules do not allow float64");
    const auto expected = reference.compute(*wide);
    if (!expected) return tried.leave_out("nothing computes it in float64");
    const auto kernel = tried.prepare(call);
    if (!kernel) return;
    const std::vector<Literal> found = kernel->run(tried.stream(), call, {});
    Accuracy row;
    row.op = call.name();
    row.dtype = name_of(dtype);
    for (std::size_t i = 0; i < found.size() && i < expected->size(); ++i) {
      if (epsilon_of(found[i].dtype()) != 0) add(row, found[i], (*expected)[i]);
    }
    tried.run().accuracy.push_back(std::move(row));
  });
  tried.require_runs("it has no type of fewer digits than float64");
}

}  // namespace switchyard::cli::conform
