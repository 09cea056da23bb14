#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "cli/conform/kernels/kernel_trials.hpp"
#include "cli/conform/kernels/open_specials.hpp"
#include "io/doubles.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard::cli::conform {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kAll[] = {kNan, kInfinity, -kInfinity, -0.0, 0.0};
constexpr double kWithoutInfinities[] = {kNan, -0.0, 0.0};

/// Of what a NaN or infinity becomes as an integer, ONNX says nothing.
bool gives_integers(const OpCall& call) {
  return std::any_of(call.outputs.begin(), call.outputs.end(),
                     [](const ValueInfo& output) { return is_integer(output.dtype); });
}

/// The call with special values as the first elements of one input; in each turn, another of them
/// is the first.
OpCall with_specials(const OpCall& call, std::size_t input, std::span<const double> specials,
                     std::size_t turn) {
  const Literal& value = call.inputs[input];
  std::vector<double> elements = to_doubles(value);
  for (std::size_t k = 0; k < elements.size() && k < specials.size(); ++k) {
    elements[k] = specials[(k + turn) % specials.size()];
  }
  OpCall changed = call;
  changed.inputs[input] = literal_of(value.dtype(), value.shape(), elements);
  return changed;
}

/// One input has them at a time: what two of them meet for is open more often.
void try_inputs(TriedOp& tried, const OpCall& call, std::span<const double> specials) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (!call.has(i) || call.is_host_input(i) || call.inputs[i].size() == 0) continue;
    if (!is_floating(call.inputs[i].dtype())) continue;
    for (std::size_t turn = 0; turn < specials.size(); ++turn) {
      tried.attempt(with_specials(call, i, specials, turn));
    }
  }
}

}  // namespace

void try_special_values(TriedOp& tried) {
  const OpenSpecials open = open_specials_of(tried.op());
  if (open.what == OpenSpecials::What::all) skip("{}", open.reason);
  tried.each_type([&](const OpCall& call) {
    if (gives_integers(call)) {
      return tried.leave_out("what NaN is as an integer is open");
    }
    if (open.what == OpenSpecials::What::nothing) return try_inputs(tried, call, kAll);
    tried.leave_out(fmt::format("infinities: {}", open.reason));
    try_inputs(tried, call, kWithoutInfinities);
  });
  tried.require_runs("no input of it has NaN and infinities");
}

}  // namespace switchyard::cli::conform
