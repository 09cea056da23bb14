#include <fmt/format.h>

#include <algorithm>
#include <switchyard/data/sampler.hpp>
#include <switchyard/error.hpp>

namespace switchyard {

SamplerOfBatches::~SamplerOfBatches() = default;

BatchSampler::BatchSampler(std::shared_ptr<const Sampler> sampler, Int batch_size, Flag drop_last)
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
