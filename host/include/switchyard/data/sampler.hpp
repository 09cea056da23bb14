/// @file
/// In which order an epoch visits examples, and how they make batches. Orders depend on the
/// arguments, seed and epoch alone, and are the same on every machine: a run that was interrupted
/// goes on exactly. A sampler is asked by the thread that iterates over its loader.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/number.hpp>

namespace switchyard {

/// In which order an epoch visits the examples.
class SWITCHYARD_API Sampler {
 public:
  Sampler() = default;
  virtual ~Sampler();

  /// Examples of an epoch; always the same.
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// size() numbers of examples. Always the same for the same epoch.
  virtual std::vector<std::int64_t> order(std::uint64_t epoch) const = 0;

 protected:
  Sampler(const Sampler&) = default;
  Sampler& operator=(const Sampler&) = default;
};

/// 0, 1, 2, ...
class SWITCHYARD_API SequentialSampler : public Sampler {
 public:
  /// Throws Error(invalid_argument) for a negative size.
  explicit SequentialSampler(Int size);
  [[nodiscard]] std::int64_t size() const override { return size_; }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::int64_t size_;
};

/// Each example once, shuffled anew each epoch.
class SWITCHYARD_API RandomSampler : public Sampler {
 public:
  /// Throws Error(invalid_argument) for a negative size.
  explicit RandomSampler(Int size, std::uint64_t seed = 0);
  [[nodiscard]] std::int64_t size() const override { return size_; }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::int64_t size_;
  std::uint64_t seed_;
};

/// Each of those examples once, shuffled anew each epoch.
class SWITCHYARD_API SubsetRandomSampler : public Sampler {
 public:
  /// Whether a data set has them is found by who iterates.
  explicit SubsetRandomSampler(std::vector<std::int64_t> indices, std::uint64_t seed = 0);
  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(indices_.size());
  }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::vector<std::int64_t> indices_;
  std::uint64_t seed_;
};

/// `num_samples` examples, drawn anew each epoch by their weights, which need not add up to 1.
/// Without `replacement` none comes twice.
class SWITCHYARD_API WeightedRandomSampler : public Sampler {
 public:
  /// Throws Error(invalid_argument) for a weight that is negative, infinite or NaN, for a number of
  /// samples below 1, for weights that are all 0, and without replacement for fewer weights above 0
  /// than samples.
  WeightedRandomSampler(std::vector<double> weights, Int num_samples, Flag replacement = true,
                        std::uint64_t seed = 0);
  [[nodiscard]] std::int64_t size() const override { return num_samples_; }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::vector<double> weights_;
  std::int64_t num_samples_;
  bool replacement_;
  std::uint64_t seed_;
};

/// Which examples each batch of an epoch has. One of your own may make batches of any sizes: of
/// examples that are alike in length, say.
class SWITCHYARD_API SamplerOfBatches {
 public:
  SamplerOfBatches() = default;
  virtual ~SamplerOfBatches();

  [[nodiscard]] virtual std::int64_t size() const = 0;  ///< batches of an epoch
  /// The numbers of the examples of size() batches, at least one in each. Always the same for the
  /// same epoch.
  virtual std::vector<std::vector<std::int64_t>> batches(std::uint64_t epoch) const = 0;

 protected:
  SamplerOfBatches(const SamplerOfBatches&) = default;
  SamplerOfBatches& operator=(const SamplerOfBatches&) = default;
};

/// The order of a sampler, cut into batches. The last may be smaller, or is dropped if it is.
class SWITCHYARD_API BatchSampler : public SamplerOfBatches {
 public:
  /// Throws Error(invalid_argument) for a batch size below 1.
  BatchSampler(std::shared_ptr<const Sampler> sampler, Int batch_size, Flag drop_last = false);

  [[nodiscard]] std::int64_t size() const override;
  std::vector<std::vector<std::int64_t>> batches(std::uint64_t epoch) const override;

 private:
  std::shared_ptr<const Sampler> sampler_;
  std::int64_t batch_size_;
  bool drop_last_;
};

}  // namespace switchyard
