// Data sets made of others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <switchyard/data/dataset.hpp>
#include <switchyard/data/sampler.hpp>
#include <switchyard/error.hpp>

namespace switchyard {
namespace {

void check_index(const char* who, std::int64_t index, std::int64_t size) {
  if (index >= 0 && index < size) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("{}: there is no example {} among {}", who, index, size));
}

[[noreturn]] void refuse_split(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "[random_split] " + what);
}

void check_lengths(const std::vector<std::int64_t>& lengths, std::int64_t size) {
  std::int64_t left = size;  // no sum, which might overflow
  for (const std::int64_t length : lengths) {
    if (length < 0) refuse_split(fmt::format("a length of {}; say 0 or more", length));
    if (length > left) refuse_split(fmt::format("the lengths add up to more than {}", size));
    left -= length;
  }
  if (left == 0) return;
  refuse_split(fmt::format("the lengths add up to {}, not to the {} examples of the data set",
                           size - left, size));
}

std::vector<std::int64_t> lengths_of(const std::vector<double>& shares, std::int64_t size) {
  double sum = 0;
  std::vector<std::int64_t> lengths;
  for (const double share : shares) {
    if (!(share >= 0 && share <= 1)) {
      refuse_split(fmt::format("a share of {}; shares lie between 0 and 1", share));
    }
    sum += share;
    lengths.push_back(static_cast<std::int64_t>(std::floor(static_cast<double>(size) * share)));
  }
  if (std::abs(sum - 1) > 1e-9) {
    refuse_split(fmt::format("the shares add up to {}; make that 1", sum));
  }
  std::int64_t left = size - std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  for (std::size_t i = 0; left > 0; --left, i = (i + 1) % lengths.size()) ++lengths[i];
  return lengths;
}

}  // namespace

Subset::Subset(SharedDataset dataset, std::vector<std::int64_t> indices)
    : dataset_(std::move(dataset)), indices_(std::move(indices)) {
  const std::int64_t size = dataset_->size();
  for (const std::int64_t index : indices_) check_index("Subset", index, size);
}

Example Subset::get(std::int64_t index) const {
  check_index("Subset", index, size());
  return dataset_->get(indices_[static_cast<std::size_t>(index)]);
}

ConcatDataset::ConcatDataset(std::vector<SharedDataset> datasets) : datasets_(std::move(datasets)) {
  if (datasets_.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "ConcatDataset: there are no data sets; give one or more");
  }
  std::int64_t end = 0;
  for (const SharedDataset& dataset : datasets_) ends_.push_back(end += dataset->size());
}

Example ConcatDataset::get(std::int64_t index) const {
  check_index("ConcatDataset", index, size());
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), index);
  const std::int64_t start = end == ends_.begin() ? 0 : *std::prev(end);
  return datasets_[static_cast<std::size_t>(end - ends_.begin())]->get(index - start);
}

std::vector<Subset> random_split(const SharedDataset& dataset,
                                 const std::vector<std::int64_t>& lengths, std::uint64_t seed) {
  check_lengths(lengths, dataset->size());
  const std::vector<std::int64_t> order = RandomSampler(dataset->size(), seed).order(0);
  std::vector<Subset> parts;
  auto first = order.begin();
  for (const std::int64_t length : lengths) {
    parts.emplace_back(dataset, std::vector<std::int64_t>(first, first + length));
    first += length;
  }
  return parts;
}

std::vector<Subset> random_split(const SharedDataset& dataset, const std::vector<double>& shares,
                                 std::uint64_t seed) {
  return random_split(dataset, lengths_of(shares, dataset->size()), seed);
}

}  // namespace switchyard
