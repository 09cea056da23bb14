#include <fmt/format.h>

#include <numeric>
#include <switchyard/data/sampler.hpp>
#include <switchyard/error.hpp>

#include "data/random_numbers.hpp"
#include "device/within_memory.hpp"

namespace switchyard {
namespace {

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

std::vector<std::int64_t> shuffled(std::vector<std::int64_t> numbers, std::uint64_t seed,
                                   std::uint64_t epoch) {
  RandomNumbers(seed, epoch).shuffle(numbers);
  return numbers;
}

}  // namespace

Sampler::~Sampler() = default;

SequentialSampler::SequentialSampler(Int size) : size_(checked_size(size)) {}

std::vector<std::int64_t> SequentialSampler::order(std::uint64_t) const { return counting(size_); }

RandomSampler::RandomSampler(Int size, std::uint64_t seed)
    : size_(checked_size(size)), seed_(seed) {}

std::vector<std::int64_t> RandomSampler::order(std::uint64_t epoch) const {
  return shuffled(counting(size_), seed_, epoch);
}

SubsetRandomSampler::SubsetRandomSampler(std::vector<std::int64_t> indices, std::uint64_t seed)
    : indices_(std::move(indices)), seed_(seed) {}

std::vector<std::int64_t> SubsetRandomSampler::order(std::uint64_t epoch) const {
  return shuffled(indices_, seed_, epoch);
}

}  // namespace switchyard
