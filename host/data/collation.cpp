#include "data/collation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <switchyard/error.hpp>

#include "io/host_value.hpp"

namespace switchyard {
namespace {

std::string described(const Tensor& tensor) {
  if (!tensor.defined()) return "none";
  return fmt::format("{}[{}]", name_of(tensor.dtype()), fmt::join(tensor.shape().span(), ", "));
}

/// Tensors of one role, one behind the other.
class Stack {
 public:
  Stack(const char* role, std::span<const std::int64_t> numbers) : role_(role), numbers_(numbers) {}

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
                  fmt::format("the {} of example {} is {}, which does not stack; convert it", role_,
                              numbers_[0], name_of(first.dtype())));
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
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("the {0} of example {1} is {2}, that of example {3} in the same batch "
                    "is {4}; make them alike in the data set, or use a batch size of 1",
                    role_, numbers_[added_], described(tensor), numbers_[0], described(first_)));
  }

  const char* role_;
  std::span<const std::int64_t> numbers_;
  Tensor first_;
  bool is_empty_ = true;
  std::size_t added_ = 0;
  Literal stacked_;
};

}  // namespace

Batch collated(const Dataset& dataset, std::span<const std::int64_t> numbers,
               const std::atomic<bool>& is_stopped) {
  Stack inputs("input", numbers);
  Stack targets("target", numbers);
  for (const std::int64_t number : numbers) {
    if (is_stopped.load(std::memory_order_relaxed)) return {};
    const Example example = dataset.get(number);
    inputs.add(example.input);
    targets.add(example.target);
  }
  return {inputs.take(), targets.take()};
}

}  // namespace switchyard
