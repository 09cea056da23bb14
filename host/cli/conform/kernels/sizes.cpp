#include <algorithm>
#include <set>
#include <sstream>

#include "cli/conform/kernels/kernel_trials.hpp"

namespace switchyard::cli::conform {
namespace {

/// Every extent of every shape among the words, each once.
std::set<std::int64_t> extents_of(const std::string& words) {
  std::set<std::int64_t> extents;
  static_cast<void>(resized(words, [&](std::int64_t extent) {
    extents.insert(extent);
    return extent;
  }));
  return extents;
}

/// By how much extents grow so that the largest tensor has thousands of elements, and not millions.
std::int64_t factor_for(const std::string& words) {
  constexpr std::int64_t most = 20'000;
  for (const std::int64_t factor : {16, 8, 4, 2}) {
    std::int64_t largest = 0;
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
      std::int64_t count = 1;
      static_cast<void>(resized(word, [&](std::int64_t extent) {
        count *= extent == 1 ? 1 : extent * factor + 5;
        return extent;
      }));
      largest = std::max(largest, count);
    }
    if (largest <= most) return factor;
  }
  return 1;
}

/// Extents are replaced wherever they stand, so that those that must agree still do; where the op's
/// rules do not allow it, as an attribute names an extent, another one is tried.
void try_each_extent(TriedOp& tried, const std::function<std::int64_t(std::int64_t)>& other) {
  const std::string words = tried.words();
  std::set<std::string> tried_words;
  const auto attempt = [&](const std::string& changed) {
    if (!tried_words.insert(changed).second || changed == words) return;
    tried.each_type(changed, [&](const OpCall& call) { tried.attempt(call); });
  };
  attempt(resized(words, other));
  for (const std::int64_t one : extents_of(words)) {
    attempt(resized(words,
                    [&](std::int64_t extent) { return extent == one ? other(extent) : extent; }));
  }
}

}  // namespace

void try_zero_size(TriedOp& tried) {
  try_each_extent(tried, [](std::int64_t) { return std::int64_t{0}; });
  tried.require_runs("the op's rules allow no extent of 0");
}

void try_scalars(TriedOp& tried) {
  const std::string words = as_scalars(tried.words());
  tried.each_type(words, [&](const OpCall& call) { tried.attempt(call); });
  tried.require_runs("the op's rules allow no scalars");
}

void try_large(TriedOp& tried) {
  const std::int64_t factor = factor_for(tried.words());
  try_each_extent(tried, [factor](std::int64_t extent) {
    return extent == 1 ? extent : extent * factor + 5;  // not what vectors divide
  });
  tried.require_runs("the op's rules allow no larger extents");
}

}  // namespace switchyard::cli::conform
