/// @file
/// A data set in batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include <switchyard/data/dataset.hpp>
#include <switchyard/data/sampler.hpp>
#include <switchyard/export.hpp>

namespace switchyard {

/// The tensors of several examples, in the order of one: batch.input() has the inputs of all.
using Batch = Example;

/// The tensors of examples, stacked along a new first dimension; host values. A tensor that all
/// examples leave empty is empty. Throws Error(invalid_argument) for no examples, for text and
/// types narrower than a byte, and where examples differ in the number, shapes or types of their
/// tensors.
[[nodiscard]] SWITCHYARD_API Batch default_collate(std::span<const Example> examples);

/// Of DataLoader.
struct DataLoaderOptions {
  /// In place of `batch_size`, `drop_last`, `sampler`, `shuffle` and `seed`.
  std::shared_ptr<const SamplerOfBatches> batch_sampler = nullptr;
  std::int64_t batch_size = 1;  ///< at least 1
  /// Makes a batch out of examples, in place of default_collate(): pads sequences, say. Workers
  /// call it from several threads at once. What it throws reaches who iterates.
  std::function<Batch(std::span<const Example> examples)> collate_fn = {};
  bool drop_last = false;  ///< leave out a last batch that is smaller
  int prefetch = 2;        ///< batches that each worker may be ahead; with workers alone
  std::shared_ptr<const Sampler> sampler = nullptr;  ///< in place of `shuffle` and `seed`
  std::uint64_t seed = 0;                            ///< of the shuffling; with `shuffle` alone
  bool shuffle = false;  ///< visit the examples in another order each epoch
  int workers = 0;       ///< threads that make batches ahead; 0: made when they are asked for
};

/// Where a loader stands, and what it stands for, to go on from there in another process.
struct LoaderState {
  std::uint64_t epoch = 0;      ///< the one that is under way, or that comes next
  std::int64_t position = 0;    ///< batches of this epoch that were handed out
  std::uint64_t seed = 0;       ///< as the options had it
  std::int64_t batch_size = 0;  ///< 0: a batch sampler decides
  std::int64_t examples = 0;    ///< of the data set

  /// Whether all members are equal.
  [[nodiscard]] friend bool operator==(const LoaderState&, const LoaderState&) = default;
};

/// "epoch=2 position=5 seed=0 batch_size=64 examples=60000", as metadata of a checkpoint has it.
[[nodiscard]] SWITCHYARD_API std::string to_string(const LoaderState& state);
/// The reverse. Throws Error(invalid_argument) for another text.
[[nodiscard]] SWITCHYARD_API LoaderState loader_state_from(const std::string& text);

/// A data set in batches, one epoch each time it is iterated. Batches come in the sampler's order
/// and hold the same whatever the number of workers. What a data set throws is thrown to who
/// iterates, in the place of the batch that it hit; the pass is over then.
///
/// One thread iterates at a time. Leaving a loop early is fine: its workers end, and the next loop
/// begins the next epoch.
class SWITCHYARD_API DataLoader {
 public:
  using Options = DataLoaderOptions;
  class Iterator;

  /// Throws Error(invalid_argument) for options that make no sense or do not apply. A sampler
  /// that names an example that the data set does not have, or gives another number than its
  /// size(), is an Error(invalid_argument) for who iterates.
  explicit DataLoader(SharedDataset dataset, const DataLoaderOptions& options = {});
  // Moving copies, so that a loader which was moved from is still one.
  DataLoader(const DataLoader&) = default;
  DataLoader& operator=(const DataLoader&) = default;

  [[nodiscard]] std::int64_t size() const;  ///< batches of an epoch

  /// Begins a pass: the next epoch, or what `resume` said.
  Iterator begin();
  /// The end of any pass.
  std::default_sentinel_t end() const { return std::default_sentinel; }

  /// Inside a loop the position behind the batch at hand; after it the start of the next epoch.
  [[nodiscard]] LoaderState state() const;
  /// The next pass begins there, with the very batches that were still to come. Throws
  /// Error(invalid_argument) if the state is of a loader with other examples, batch size or seed.
  void resume(const LoaderState& state);

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

/// A pass; copies share it. Ends its workers when the last copy goes.
class SWITCHYARD_API DataLoader::Iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = Batch;
  using difference_type = std::ptrdiff_t;

  /// The batch at hand, until the iterator goes on.
  /// @{
  const Batch& operator*() const;
  const Batch* operator->() const { return &**this; }
  /// @}
  /// The next batch, for which it waits. Throws what the data set threw; the pass is over then.
  /// @{
  Iterator& operator++();
  void operator++(int) { ++*this; }
  /// @}
  /// Whether the pass is over.
  [[nodiscard]] friend bool operator==(const Iterator& iterator, std::default_sentinel_t) {
    return iterator.is_over();
  }

 private:
  friend class DataLoader;
  struct Pass;
  explicit Iterator(std::shared_ptr<Pass> pass) : pass_(std::move(pass)) {}
  [[nodiscard]] bool is_over() const;

  std::shared_ptr<Pass> pass_;
};

}  // namespace switchyard
