#include <fmt/format.h>

#include <optional>
#include <switchyard/data/loader.hpp>
#include <switchyard/error.hpp>

#include "data/batch_queue.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse_use(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "DataLoader: " + what);
}

void check_options(const DataLoaderOptions& options) {
  if (options.workers < 0) {
    refuse_use(fmt::format("{} workers; say 0 or more", options.workers));
  }
  if (options.prefetch < 1) {
    refuse_use(fmt::format("a prefetch of {} batches; say 1 or more", options.prefetch));
  }
  if (options.sampler && options.shuffle) {
    refuse_use("both a sampler and shuffle; the sampler alone decides the order");
  }
  if (options.prefetch != DataLoaderOptions{}.prefetch && options.workers == 0) {
    refuse_use("a prefetch without workers, who alone make batches ahead; leave it out");
  }
  const bool are_batches_told = options.batch_size != 1 || options.drop_last || options.sampler ||
                                options.shuffle || options.seed != 0;
  if (options.batch_sampler && are_batches_told) {
    refuse_use(
        "a batch_sampler beside batch_size, drop_last, sampler, shuffle or seed; it alone decides "
        "the batches");
  }
  if (options.seed != 0 && !options.shuffle) {
    refuse_use("a seed without shuffle, which alone uses it; leave it out");
  }
}

std::shared_ptr<const Sampler> sampler_of(std::int64_t examples, const DataLoaderOptions& options) {
  if (options.sampler) return options.sampler;
  if (options.shuffle) return std::make_shared<RandomSampler>(examples, options.seed);
  return std::make_shared<SequentialSampler>(examples);
}

std::shared_ptr<const SamplerOfBatches> batches_of(std::int64_t examples,
                                                   const DataLoaderOptions& options) {
  if (options.batch_sampler) return options.batch_sampler;
  return std::make_shared<BatchSampler>(sampler_of(examples, options), options.batch_size,
                                        options.drop_last);
}

}  // namespace

struct DataLoader::Impl {
  Impl(SharedDataset set, const DataLoaderOptions& wanted)
      : dataset(std::move(set)),
        options(wanted),
        batches(batches_of(dataset->size(), wanted)),
        state{0, 0, wanted.seed, wanted.batch_sampler ? 0 : wanted.batch_size, dataset->size()},
        next(state) {}

  std::vector<std::vector<std::int64_t>> batches_in(std::uint64_t epoch) const {
    std::vector<std::vector<std::int64_t>> made = batches->batches(epoch);
    if (static_cast<std::int64_t>(made.size()) == batches->size()) return made;
    refuse_use(fmt::format("the sampler of {} batches gives {} of them in epoch {}",
                           batches->size(), made.size(), epoch));
  }

  const SharedDataset dataset;
  const DataLoaderOptions options;
  const std::shared_ptr<const SamplerOfBatches> batches;
  LoaderState state;
  LoaderState next;                   // where the next pass begins
  Iterator::Pass* current = nullptr;  // the pass that `state` is about
};

struct DataLoader::Iterator::Pass {
  Pass(std::shared_ptr<Impl> of, const LoaderState& from)
      : loader(std::move(of)),
        queue(loader->dataset, loader->options.collate_fn, loader->batches_in(from.epoch),
              static_cast<std::size_t>(from.position), loader->options.workers,
              loader->options.prefetch) {}
  ~Pass() {
    if (loader->current == this) loader->current = nullptr;
  }

  void advance() {
    batch.reset();
    if (!queue.is_over()) {
      batch = queue.next();
      if (loader->current == this) ++loader->state.position;
    } else if (loader->current == this) {
      loader->state = loader->next;
    }
  }

  std::shared_ptr<Impl> loader;
  BatchQueue queue;
  std::optional<Batch> batch;  // none: the pass is over
};

DataLoader::DataLoader(SharedDataset dataset, const DataLoaderOptions& options) {
  check_options(options);
  impl_ = std::make_shared<Impl>(std::move(dataset), options);
}

std::int64_t DataLoader::size() const { return impl_->batches->size(); }

DataLoader::Iterator DataLoader::begin() {
  const LoaderState start = impl_->next;
  auto pass = std::make_shared<Iterator::Pass>(impl_, start);
  impl_->current = pass.get();
  impl_->state = start;
  impl_->next.epoch = start.epoch + 1;
  impl_->next.position = 0;
  pass->advance();
  return Iterator(std::move(pass));
}

LoaderState DataLoader::state() const { return impl_->state; }

void DataLoader::resume(const LoaderState& state) {
  const LoaderState& own = impl_->state;
  const auto check = [](const char* what, auto saved, auto here) {
    if (saved == here) return;
    refuse_use(fmt::format("the saved state is of {} {}, this loader of {}; make it as it was",
                           what, saved, here));
  };
  check("examples", state.examples, own.examples);
  check("batch size", state.batch_size, own.batch_size);
  check("seed", state.seed, own.seed);
  if (state.position < 0 || state.position > size()) {
    refuse_use(
        fmt::format("the saved state is at batch {} of {}; save it again", state.position, size()));
  }
  impl_->current = nullptr;
  impl_->state = state;
  impl_->next = state;
}

const Batch& DataLoader::Iterator::operator*() const {
  if (!pass_->batch) refuse_use("there is no batch at the end of a pass");
  return *pass_->batch;
}

DataLoader::Iterator& DataLoader::Iterator::operator++() {
  pass_->advance();
  return *this;
}

bool DataLoader::Iterator::is_over() const { return !pass_->batch; }

}  // namespace switchyard
