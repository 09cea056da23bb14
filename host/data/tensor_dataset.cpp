#include <fmt/format.h>

#include <switchyard/data/dataset.hpp>
#include <switchyard/error.hpp>

#include "io/host_value.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

[[noreturn]] void refuse_tensor(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "TensorDataset: " + what);
}

Literal checked_rows(const Tensor& tensor, std::size_t number) {
  if (!tensor.defined()) {
    refuse_tensor(fmt::format("tensor {} holds nothing; give it a value, or leave it out", number));
  }
  if (tensor.shape().empty()) {
    refuse_tensor(
        fmt::format("tensor {} has rank 0; give it a first dimension of examples", number));
  }
  if (bit_width(tensor.dtype()) < 8) {
    refuse_tensor(
        fmt::format("tensor {} is {}, whose rows cannot be told apart by bytes; convert it", number,
                    name_of(tensor.dtype())));
  }
  return literal_of(tensor);
}

/// Row `index`, looking at the bytes of the whole.
Tensor row_of(const Literal& whole, std::int64_t index) {
  const Dims shape(whole.shape().span().subspan(1));
  const std::size_t bytes = byte_size(whole.dtype(), element_count(shape));
  const std::byte* row = whole.bytes() + static_cast<std::size_t>(index) * bytes;
  return host_value(Literal(whole.dtype(), shape, whole.owner(), row));
}

}  // namespace

struct TensorDataset::Rows {
  std::vector<Literal> tensors;
};

TensorDataset::TensorDataset(const std::vector<Tensor>& tensors) {
  if (tensors.empty()) refuse_tensor("there are no tensors; give one or more");
  auto rows = std::make_shared<Rows>();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    rows->tensors.push_back(checked_rows(tensors[i], i));
    if (tensors[i].shape()[0] == tensors[0].shape()[0]) continue;
    refuse_tensor(
        fmt::format("tensor 0 of shape {} and tensor {} of shape {} have different numbers of "
                    "rows; cut the longer",
                    describe(tensors[0].shape()), i, describe(tensors[i].shape())));
  }
  rows_ = std::move(rows);
}

std::int64_t TensorDataset::size() const { return rows_->tensors[0].shape()[0]; }

Example TensorDataset::get(std::int64_t index) const {
  if (index < 0 || index >= size()) {
    refuse_tensor(fmt::format("there is no example {} among {}", index, size()));
  }
  std::vector<Tensor> example;
  for (const Literal& tensor : rows_->tensors) example.push_back(row_of(tensor, index));
  return Example(std::move(example));
}

}  // namespace switchyard
