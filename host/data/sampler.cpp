#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <switchyard/data.hpp>
#include <switchyard/error.hpp>

#include "device/within_memory.hpp"

namespace switchyard {
namespace {

/// SplitMix64 of Steele, Lea and Flood: a few lines that give the same numbers everywhere, which
/// the standard library's distributions do not.
class RandomNumbers {
 public:
  RandomNumbers(std::uint64_t seed, std::uint64_t epoch) : state_(mixed(mixed(seed) + epoch)) {}

  /// From 0 to `bound` - 1, each as likely as the others.
  std::uint64_t below(std::uint64_t bound) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t fair = kMost - kMost % bound;
    std::uint64_t number = next();
    while (number >= fair) number = next();
    return number % bound;
  }

 private:
  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
    return bits ^ bits >> 31;
  }

  std::uint64_t state_;
};

std::vector<std::int64_t> counting(std::int64_t size) {
  return within_memory("the order of a sampler", [&] {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  });
}

std::int64_t checked_size(std::int64_t size) {
  if (size >= 0) return size;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("a sampler of {} examples; say 0 or more", size));
}

}  // namespace

Sampler::~Sampler() = default;

SequentialSampler::SequentialSampler(std::int64_t size) : size_(checked_size(size)) {}

std::vector<std::int64_t> SequentialSampler::order(std::uint64_t) const { return counting(size_); }

RandomSampler::RandomSampler(std::int64_t size, std::uint64_t seed)
    : size_(checked_size(size)), seed_(seed) {}

std::vector<std::int64_t> RandomSampler::order(std::uint64_t epoch) const {
  std::vector<std::int64_t> numbers = counting(size_);
  RandomNumbers random(seed_, epoch);
  for (std::size_t left = numbers.size(); left > 1; --left) {
    std::swap(numbers[left - 1], numbers[random.below(left)]);
  }
  return numbers;
}

BatchSampler::BatchSampler(std::shared_ptr<const Sampler> sampler, std::int64_t batch_size,
                           bool drop_last)
    : sampler_(std::move(sampler)), batch_size_(batch_size), drop_last_(drop_last) {
  if (!sampler_)
    throw Error(ErrorKind::invalid_argument, "BatchSampler: there is no sampler; give one");
  if (batch_size_ < 1) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a batch size of {}; say 1 or more", batch_size_));
  }
}

std::int64_t BatchSampler::size() const {
  const std::int64_t whole = sampler_->size() / batch_size_;
  return whole + (!drop_last_ && sampler_->size() % batch_size_ != 0 ? 1 : 0);
}

std::vector<std::vector<std::int64_t>> BatchSampler::batches(std::uint64_t epoch) const {
  const std::vector<std::int64_t> order = sampler_->order(epoch);
  if (static_cast<std::int64_t>(order.size()) != sampler_->size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the sampler of {} examples gives an order of {}", sampler_->size(),
                            order.size()));
  }
  std::vector<std::vector<std::int64_t>> batches;
  for (std::int64_t batch = 0; batch < size(); ++batch) {
    const auto first = order.begin() + batch * batch_size_;
    const auto left = static_cast<std::int64_t>(order.end() - first);
    batches.emplace_back(first, first + std::min(batch_size_, left));
  }
  return batches;
}

}  // namespace switchyard
