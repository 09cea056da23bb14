#include <algorithm>
#include <cmath>
#include <iterator>

#include "cli/conform/kernels/kernel_trials.hpp"
#include "cli/conform/kernels/reference.hpp"
#include "io/doubles.hpp"

namespace switchyard::cli::conform {
namespace {

/// What a type of fewer digits than float64 holds.
struct Precision {
  DType dtype;
  int digits;             // of the mantissa, in bits
  int smallest_exponent;  // of a normal number
};
constexpr Precision kPrecisions[] = {
    {DType::float32, 23, -126}, {DType::float16, 10, -14}, {DType::bfloat16, 7, -126}};

/// Null for a type that is none of these.
const Precision* precision_of(DType dtype) {
  const auto* found = std::find_if(std::begin(kPrecisions), std::end(kPrecisions),
                                   [dtype](const Precision& row) { return row.dtype == dtype; });
  return found == std::end(kPrecisions) ? nullptr : found;
}

/// The distance to the next number of the type at `value`.
double unit_at(double value, const Precision& precision) {
  const int exponent = value == 0 ? precision.smallest_exponent : std::ilogb(value);
  return std::ldexp(1.0, std::max(exponent, precision.smallest_exponent) - precision.digits);
}

/// The same call with its inputs, as the narrow type has rounded them, in float64; nothing if the
/// op's rules do not allow that.
std::optional<OpCall> in_float64(const OpCall& call) {
  OpCall wide = call;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || precision_of(call.inputs[i].dtype()) == nullptr) continue;
    wide.inputs[i] = literal_of(DType::float64, call.inputs[i].shape(), to_doubles(call.inputs[i]));
  }
  if (!wide.infers()) return std::nullopt;
  return wide;
}

/// Numbers that are not finite are for the case `example`, which compares them, too.
void add(Accuracy& row, const Literal& found, const Literal& expected, const Precision& precision) {
  const std::vector<double> ours = to_doubles(found), theirs = to_doubles(expected);
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (!std::isfinite(ours[i]) || !std::isfinite(theirs[i])) continue;
    const double error = std::abs(ours[i] - theirs[i]);
    const double size = std::max(std::abs(theirs[i]), 1e-30);
    row.largest_error = std::max(row.largest_error, error);
    row.largest_relative_error = std::max(row.largest_relative_error, error / size);
    row.units = std::max(row.units, error / unit_at(theirs[i], precision));
  }
}

}  // namespace

void try_accuracy(TriedOp& tried) {
  const Reference& reference = reference_for(tried.run().plugin);
  tried.each_type([&](const OpCall& call) {
    const DType dtype = call.inputs[main_input(tried.op())].dtype();
    if (precision_of(dtype) == nullptr) return;
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
      const Precision* precision = precision_of(found[i].dtype());
      if (precision != nullptr) add(row, found[i], (*expected)[i], *precision);
    }
    tried.run().accuracy.push_back(std::move(row));
  });
  tried.require_runs("it has no type of fewer digits than float64");
}

}  // namespace switchyard::cli::conform
