/// Data sets, and batches of them: what a training loop reads.
///
///   const auto [images, labels] = fashion_mnist();
///   DataLoader loader(TensorDataset(images, labels), {.batch_size = 64, .shuffle = true});
///   for (const Batch& batch : loader) {
///     step(batch.input.to(device), batch.target.to(device));
///   }
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <switchyard/export.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

// --- files ------------------------------------------------------------------------------------

/// An IDX file, the form of MNIST and the like: uint8, int8, int16, int32, float32 or float64 of
/// any shape; plain or packed by gzip. Throws Error(model) that names the file and what is wrong.
[[nodiscard]] SWITCHYARD_API Tensor read_idx(const std::filesystem::path& path);

/// Grey pictures and the class of each.
struct LabelledImages {
  Tensor images;  // uint8 [N, rows, columns]
  Tensor labels;  // uint8 [N]
};

/// The four files of MNIST, or of a set in its form, in `folder`: PREFIX-images-idx3-ubyte and
/// PREFIX-labels-idx1-ubyte, with or without .gz, where PREFIX is `train`, or `t10k` for the test
/// pictures. Throws Error(model) for files that are missing, damaged, or do not belong together.
[[nodiscard]] SWITCHYARD_API LabelledImages mnist(const std::filesystem::path& folder,
                                                  bool train = true);

/// Fashion-MNIST: 60,000 pictures of 28 x 28 to train, 10,000 to test, 10 classes. An empty
/// `folder` means that of the environment variable FASHION_MNIST, or else of Debian's package
/// dataset-fashion-mnist.
[[nodiscard]] SWITCHYARD_API LabelledImages fashion_mnist(const std::filesystem::path& folder = {},
                                                          bool train = true);

// --- data sets --------------------------------------------------------------------------------

/// One example: what a model is fed, and what it should answer. Either may be left empty.
struct Example {
  Tensor input;
  Tensor target;
};

/// Examples by number. A loader with workers calls `get` from several threads at once, where what
/// the caller has in scope (RuntimeScope, DeviceScope, NoGrad) does not hold.
class SWITCHYARD_API Dataset {
 public:
  Dataset() = default;
  virtual ~Dataset();

  [[nodiscard]] virtual std::int64_t size() const = 0;
  /// The example `index`, from 0 to size() - 1. What it throws reaches who iterates.
  virtual Example get(std::int64_t index) const = 0;

 protected:
  Dataset(const Dataset&) = default;
  Dataset& operator=(const Dataset&) = default;
};

/// The rows of tensors: example i is row i of each. Keeps a copy of them on the host; the examples
/// share its bytes and must not be written to.
class SWITCHYARD_API TensorDataset : public Dataset {
 public:
  /// `targets` may be left out. Throws Error(invalid_argument) if the first extents differ, for a tensor of
  /// rank 0, and for text and types narrower than a byte.
  explicit TensorDataset(const Tensor& inputs, const Tensor& targets = Tensor());

  [[nodiscard]] std::int64_t size() const override;
  Example get(std::int64_t index) const override;

 private:
  struct Rows;
  std::shared_ptr<const Rows> rows_;
};

// --- orders -----------------------------------------------------------------------------------

/// In which order an epoch visits the examples.
class SWITCHYARD_API Sampler {
 public:
  Sampler() = default;
  virtual ~Sampler();

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
  explicit SequentialSampler(std::int64_t size);
  [[nodiscard]] std::int64_t size() const override { return size_; }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::int64_t size_;
};

/// Each example once, shuffled anew each epoch. The order depends on size, seed and epoch alone: it
/// is the same on every machine.
class SWITCHYARD_API RandomSampler : public Sampler {
 public:
  explicit RandomSampler(std::int64_t size, std::uint64_t seed = 0);
  [[nodiscard]] std::int64_t size() const override { return size_; }
  std::vector<std::int64_t> order(std::uint64_t epoch) const override;

 private:
  std::int64_t size_;
  std::uint64_t seed_;
};

/// The order of a sampler, cut into batches. The last may be smaller, or is dropped if it is.
class SWITCHYARD_API BatchSampler {
 public:
  /// Throws Error(invalid_argument) for a batch size below 1.
  BatchSampler(std::shared_ptr<const Sampler> sampler, std::int64_t batch_size,
               bool drop_last = false);

  [[nodiscard]] std::int64_t size() const;  // batches of an epoch
  std::vector<std::vector<std::int64_t>> batches(std::uint64_t epoch) const;

 private:
  std::shared_ptr<const Sampler> sampler_;
  std::int64_t batch_size_;
  bool drop_last_;
};

// --- the loader -------------------------------------------------------------------------------

/// Examples stacked along a new first dimension; host values.
struct Batch {
  Tensor input;
  Tensor target;  // empty if the examples have none
};

struct DataLoaderOptions {
  std::int64_t batch_size = 1;
  bool drop_last = false;
  int prefetch = 2;                                  // batches that each worker may be ahead
  std::shared_ptr<const Sampler> sampler = nullptr;  // in place of `shuffle` and `seed`
  std::uint64_t seed = 0;                            // of the shuffling
  bool shuffle = false;
  int workers = 0;  // threads that make batches ahead; 0: made when they are asked for
};

/// Where a loader stands, and what it stands for, to go on from there in another process.
struct LoaderState {
  std::uint64_t epoch = 0;
  std::int64_t position = 0;  // batches of this epoch that were handed out
  std::uint64_t seed = 0;
  std::int64_t batch_size = 0;
  std::int64_t examples = 0;

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

  /// Throws Error(invalid_argument) for options that make no sense.
  explicit DataLoader(std::shared_ptr<const Dataset> dataset,
                      const DataLoaderOptions& options = {});
  template <std::derived_from<Dataset> Set>
  explicit DataLoader(Set dataset, const DataLoaderOptions& options = {})
      : DataLoader(std::shared_ptr<const Dataset>(std::make_shared<Set>(std::move(dataset))),
                   options) {}

  [[nodiscard]] std::int64_t size() const;  // batches of an epoch

  /// Begins a pass: the next epoch, or what `resume` said.
  Iterator begin();
  std::default_sentinel_t end() const { return std::default_sentinel; }

  /// Inside a loop the position behind the batch at hand; after it the start of the next epoch.
  [[nodiscard]] LoaderState state() const;
  /// The next pass begins there, with the very batches that were still to come. Throws Error(invalid_argument)
  /// if the state is of a loader with other examples, batch size or seed.
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

  const Batch& operator*() const;
  const Batch* operator->() const { return &**this; }
  Iterator& operator++();
  void operator++(int) { ++*this; }
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
