/// @file
/// Examples by number.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The tensors of one example, in the order in which its data set gives them: what a model is fed,
/// what it should answer, and what else there is. One may be left empty, as Tensor().
class SWITCHYARD_API Example {
 public:
  Example() = default;
  /// These tensors, in their order.
  /// @{
  Example(std::initializer_list<Tensor> tensors) : tensors_(tensors) {}
  explicit Example(std::vector<Tensor> tensors) : tensors_(std::move(tensors)) {}
  /// @}

  /// How many tensors there are, empty ones included.
  [[nodiscard]] std::size_t size() const { return tensors_.size(); }
  /// By position. Throws Error(invalid_argument) beyond the end.
  [[nodiscard]] Tensor operator[](std::size_t index) const;
  /// For loops over the tensors: not of an example that is gone at once.
  /// @{
  [[nodiscard]] std::vector<Tensor>::const_iterator begin() const& { return tensors_.begin(); }
  [[nodiscard]] std::vector<Tensor>::const_iterator end() const& { return tensors_.end(); }
  std::vector<Tensor>::const_iterator begin() const&& = delete;
  std::vector<Tensor>::const_iterator end() const&& = delete;
  /// @}

  /// The first tensor. Throws Error(invalid_argument) where there is none.
  [[nodiscard]] Tensor input() const { return (*this)[0]; }
  /// The second tensor; an empty one where there are fewer.
  [[nodiscard]] Tensor target() const { return size() < 2 ? Tensor() : tensors_[1]; }

  /// All of them: `const auto [ids, mask, label] = example.unpack<3>();`. Throws
  /// Error(invalid_argument) for another number of tensors.
  template <std::size_t count>
  [[nodiscard]] std::array<Tensor, count> unpack() const {
    require_size(count);
    return [this]<std::size_t... i>(std::index_sequence<i...>) {
      return std::array<Tensor, count>{tensors_[i]...};
    }
    (std::make_index_sequence<count>());
  }

 private:
  void require_size(std::size_t count) const;

  std::vector<Tensor> tensors_;
};

/// Examples by number. A loader with workers calls `get` from several threads at once, where what
/// the caller has in scope (RuntimeScope, DeviceScope, StreamScope, NoGrad, Autocast) does not
/// hold.
class SWITCHYARD_API Dataset {
 public:
  Dataset() = default;
  virtual ~Dataset();

  /// How many examples there are; always the same.
  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// The example `index`, from 0 to size() - 1. What it throws reaches who iterates.
  virtual Example get(std::int64_t index) const = 0;

 protected:
  Dataset(const Dataset&) = default;
  Dataset& operator=(const Dataset&) = default;
};

/// A data set that is kept by who reads it: one that others keep too, or a copy of one.
class SWITCHYARD_API SharedDataset {
 public:
  /// A copy of a data set, or one that others keep, too. Throws Error(invalid_argument) for none.
  /// @{
  template <std::derived_from<Dataset> Set>
  SharedDataset(Set dataset) : SharedDataset(std::make_shared<Set>(std::move(dataset))) {}
  template <std::derived_from<Dataset> Set>
  SharedDataset(std::shared_ptr<Set> dataset)
      : SharedDataset(std::shared_ptr<const Dataset>(std::move(dataset))) {}
  /// @}
  /// Throws Error(invalid_argument) for none.
  SharedDataset(std::shared_ptr<const Dataset> dataset);

  /// The data set, for as long as this is kept.
  /// @{
  [[nodiscard]] const Dataset& operator*() const { return *dataset_; }
  [[nodiscard]] const Dataset* operator->() const { return dataset_.get(); }
  /// @}

 private:
  std::shared_ptr<const Dataset> dataset_;
};

/// The rows of tensors: example i is row i of each. Keeps a copy of them on the host; the examples
/// share its bytes and must not be written to.
class SWITCHYARD_API TensorDataset : public Dataset {
 public:
  /// Of any number of tensors: `TensorDataset(images, labels)`. Throws Error(invalid_argument) if
  /// the first extents differ, for a tensor that is empty or of rank 0, and for text and types
  /// narrower than a byte.
  template <std::convertible_to<Tensor>... Others>
  explicit TensorDataset(const Tensor& first, const Others&... others)
      : TensorDataset(std::vector<Tensor>{first, others...}) {}
  /// The same of a list.
  /// @{
  explicit TensorDataset(const std::vector<Tensor>& tensors);
  explicit TensorDataset(std::initializer_list<Tensor> tensors)
      : TensorDataset(std::vector<Tensor>(tensors)) {}
  /// @}

  [[nodiscard]] std::int64_t size() const override;
  Example get(std::int64_t index) const override;

 private:
  struct Rows;
  std::shared_ptr<const Rows> rows_;
};

/// Some examples of a data set: example i is its example indices[i].
class SWITCHYARD_API Subset : public Dataset {
 public:
  /// Throws Error(invalid_argument) for an index that the data set does not have.
  Subset(SharedDataset dataset, std::vector<std::int64_t> indices);

  [[nodiscard]] std::int64_t size() const override {
    return static_cast<std::int64_t>(indices_.size());
  }
  Example get(std::int64_t index) const override;
  /// As they were given.
  [[nodiscard]] const std::vector<std::int64_t>& indices() const { return indices_; }

 private:
  SharedDataset dataset_;
  std::vector<std::int64_t> indices_;
};

/// Data sets one behind the other: `ConcatDataset({old_examples, new_examples})`.
class SWITCHYARD_API ConcatDataset : public Dataset {
 public:
  /// Throws Error(invalid_argument) for no data sets.
  explicit ConcatDataset(std::vector<SharedDataset> datasets);

  [[nodiscard]] std::int64_t size() const override { return ends_.back(); }
  Example get(std::int64_t index) const override;

 private:
  std::vector<SharedDataset> datasets_;
  std::vector<std::int64_t> ends_;  // of each, counted from the first example of all
};

/// Parts of a data set that have no example in common, chosen at random. The choice depends on the
/// size of the data set and the seed alone: it is the same on every machine, and goes on being so.
/// Throws Error(invalid_argument) unless the lengths are 0 or more and add up to the size.
[[nodiscard]] SWITCHYARD_API std::vector<Subset> random_split(
    const SharedDataset& dataset, const std::vector<std::int64_t>& lengths, std::uint64_t seed = 0);
/// The same by shares of the size, rounded down; what is left goes to the first parts, one example
/// each. Throws Error(invalid_argument) unless the shares lie in [0, 1] and add up to 1.
[[nodiscard]] SWITCHYARD_API std::vector<Subset> random_split(const SharedDataset& dataset,
                                                              const std::vector<double>& shares,
                                                              std::uint64_t seed = 0);
/// The same with braces: `random_split(set, {50000, 10000})`, `random_split(set, {0.9, 0.1})`.
template <std::integral Length>
[[nodiscard]] std::vector<Subset> random_split(const SharedDataset& dataset,
                                               std::initializer_list<Length> lengths,
                                               std::uint64_t seed = 0) {
  return random_split(dataset, std::vector<std::int64_t>(lengths.begin(), lengths.end()), seed);
}
/// The same with braces, by shares.
template <std::floating_point Share>
[[nodiscard]] std::vector<Subset> random_split(const SharedDataset& dataset,
                                               std::initializer_list<Share> shares,
                                               std::uint64_t seed = 0) {
  return random_split(dataset, std::vector<double>(shares.begin(), shares.end()), seed);
}

}  // namespace switchyard
