#include "data/collation.hpp"

#include <fmt/format.h>

#include <numeric>
#include <switchyard/error.hpp>

#include "io/host_value.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constexpr const char* kRemedy =
    "make them alike in the data set, give a collate_fn, or use a batch size of 1";

std::string described(const Tensor& tensor) {
  if (!tensor.defined()) return "none";
  return describe(tensor.dtype(), tensor.shape());
}

/// Tensors that stand at one position of their examples, one behind the other.
class Stack {
 public:
  Stack(std::size_t position, std::span<const std::int64_t> numbers)
      : position_(position), numbers_(numbers) {}

  void add(const Tensor& tensor) {
    if (added_ == 0) begin(tensor);
    check(tensor);
    if (is_empty_) {
      ++added_;
      return;
    }
    const std::size_t bytes = tensor.size_bytes();
    tensor.copy_to(stacked_.mutable_bytes() + added_++ * bytes, bytes);
  }

  Tensor take() { return is_empty_ ? Tensor() : host_value(std::move(stacked_)); }

 private:
  void begin(const Tensor& first) {
    first_ = first;
    is_empty_ = !first.defined();
    if (is_empty_) return;
    if (bit_width(first.dtype()) < 8) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("tensor {} of example {} is {}, which does not stack; convert it, or "
                              "give a collate_fn",
                              position_, numbers_[0], name_of(first.dtype())));
    }
    Dims shape = first.shape();
    shape.insert(0, static_cast<std::int64_t>(numbers_.size()));
    stacked_ = Literal(first.dtype(), shape);
  }

  void check(const Tensor& tensor) const {
    const bool fits = is_empty_ ? !tensor.defined()
                                : tensor.defined() && tensor.dtype() == first_.dtype() &&
                                      tensor.shape() == first_.shape();
    if (fits) return;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("tensor {0} of example {1} is {2}, that of example "
                            "{3} in the same batch is {4}; {5}",
                            position_, numbers_[added_], described(tensor), numbers_[0],
                            described(first_), kRemedy));
  }

  std::size_t position_;
  std::span<const std::int64_t> numbers_;
  Tensor first_;
  bool is_empty_ = true;
  std::size_t added_ = 0;
  Literal stacked_;
};

/// Examples, each of whose tensors goes to a stack of its own. Messages name them by `numbers`.
class Stacks {
 public:
  explicit Stacks(std::span<const std::int64_t> numbers) : numbers_(numbers) {}

  void add(const Example& example) {
    if (added_ == 0) {
      for (std::size_t i = 0; i < example.size(); ++i) stacks_.emplace_back(i, numbers_);
    }
    if (example.size() != stacks_.size()) {
      throw Error(
          ErrorKind::invalid_argument,
          fmt::format("example {} has {} tensors, example {} in the same batch {}; {}",
                      numbers_[added_], example.size(), numbers_[0], stacks_.size(), kRemedy));
    }
    for (std::size_t i = 0; i < example.size(); ++i) stacks_[i].add(example[i]);
    ++added_;
  }

  Batch take() {
    std::vector<Tensor> stacked;
    for (Stack& stack : stacks_) stacked.push_back(stack.take());
    return Batch(std::move(stacked));
  }

 private:
  std::span<const std::int64_t> numbers_;
  std::vector<Stack> stacks_;
  std::size_t added_ = 0;
};

Example checked_example(const Dataset& dataset, std::int64_t number) {
  if (number >= 0 && number < dataset.size()) return dataset.get(number);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("the sampler asks for example {} of a data set of {}; make it for this "
                          "data set",
                          number, dataset.size()));
}

}  // namespace

Batch default_collate(std::span<const Example> examples) {
  if (examples.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "[default_collate] there are no examples; give one or more");
  }
  std::vector<std::int64_t> numbers(examples.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  Stacks stacks(numbers);
  for (const Example& example : examples) stacks.add(example);
  return stacks.take();
}

Batch collated(const Dataset& dataset, std::span<const std::int64_t> numbers,
               const CollateFunction& collate, const std::atomic<bool>& is_stopped) {
  if (numbers.empty()) {
    throw Error(ErrorKind::invalid_argument,
                "the batch sampler gives a batch of no examples; leave it out");
  }
  Stacks stacks(numbers);
  std::vector<Example> examples;
  for (const std::int64_t number : numbers) {
    if (is_stopped.load(std::memory_order_relaxed)) return {};
    Example example = checked_example(dataset, number);
    if (collate) {
      examples.push_back(std::move(example));
    } else {
      stacks.add(example);
    }
  }
  return collate ? collate(examples) : stacks.take();
}

}  // namespace switchyard
