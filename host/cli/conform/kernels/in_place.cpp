#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

bool can_lie_on(const OpCall& call, const TestKernel& kernel, const TestKernel::Alias& alias) {
  const ValueInfo& output = call.outputs[alias.output];
  const Literal& input = call.inputs[alias.input];
  return kernel.is_exact(alias.output) && output.shape && call.has(alias.input) &&
         !call.is_host_input(alias.input) && output.dtype == input.dtype() &&
         *output.shape == input.shape();
}

/// The call with each other input of the first one's shape, where it was smaller: so that outputs
/// may lie on those that are broadcast otherwise.
std::string with_equal_shapes(const std::string& words) {
  const std::size_t first = words.find_first_of(' ');
  const std::string shape = words.substr(1, first == words.npos ? words.npos : first - 1);
  if (first == words.npos || words.find('=') != words.npos) return words;
  std::string result = words.substr(0, first);
  for (std::size_t at = first; at != words.npos && at + 1 < words.size();
       at = words.find(' ', at + 1)) {
    const std::string scalar = as_scalars(words.substr(at + 1, 1));
    result += " " + scalar + shape;
  }
  return result;
}

}  // namespace

void try_in_place(TriedOp& tried) {
  const std::string words = tried.words();
  std::size_t served = 0;
  for (const std::string& form_words : {words, with_equal_shapes(words)}) {
    tried.each_type(form_words, [&](const OpCall& call) {
      const auto kernel = tried.prepare(call);
      if (!kernel) return;
      for (std::size_t output = 0; output < kernel->output_count(); ++output) {
        for (const std::size_t input : kernel->aliases_of(output)) {
          const TestKernel::Alias alias{output, input};
          if (!can_lie_on(call, *kernel, alias)) continue;
          tried.run_on(*kernel, call, {}, fmt::format(", output {} on input {}", output, input),
                       alias);
          ++served;
        }
      }
    });
    if (words == with_equal_shapes(words)) break;
  }
  if (served == 0) skip("no output of it may lie on an input");
}

}  // namespace switchyard::cli::conform
