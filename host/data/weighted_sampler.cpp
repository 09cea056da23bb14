#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <switchyard/data/sampler.hpp>
#include <switchyard/error.hpp>

#include "data/random_numbers.hpp"
#include "data/weight_tree.hpp"
#include "device/within_memory.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse_weights(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "WeightedRandomSampler: " + what);
}

/// Checks the weights; gives how many are above 0.
std::int64_t count_positive(const std::vector<double>& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] >= 0 && std::isfinite(weights[i])) continue;
    refuse_weights(fmt::format("weight {} is {}; weights are finite and 0 or more", i, weights[i]));
  }
  return std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
}

}  // namespace

WeightedRandomSampler::WeightedRandomSampler(std::vector<double> weights, Int num_samples,
                                             Flag replacement, std::uint64_t seed)
    : weights_(std::move(weights)),
      num_samples_(num_samples),
      replacement_(replacement),
      seed_(seed) {
  const std::int64_t positive = count_positive(weights_);
  if (num_samples_ < 1) refuse_weights(fmt::format("{} samples; say 1 or more", num_samples_));
  if (positive == 0) refuse_weights("no weight is above 0; give one that is");
  if (!replacement_ && positive < num_samples_) {
    refuse_weights(
        fmt::format("{} samples without replacement of {} weights above 0; draw fewer, "
                    "or with replacement",
                    num_samples_, positive));
  }
  if (!std::isfinite(WeightTree(weights_).sum())) {
    refuse_weights("the sum of the weights is infinite; scale them down");
  }
}

std::vector<std::int64_t> WeightedRandomSampler::order(std::uint64_t epoch) const {
  return within_memory("the order of a sampler", [&] {
    WeightTree tree(weights_);
    RandomNumbers random(seed_, epoch);
    std::vector<std::int64_t> drawn(static_cast<std::size_t>(num_samples_));
    for (std::int64_t& number : drawn) {
      const std::size_t index = tree.at(random.share());
      if (!replacement_) tree.take_out(index);
      number = static_cast<std::int64_t>(index);
    }
    return drawn;
  });
}

}  // namespace switchyard
