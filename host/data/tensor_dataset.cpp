#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/data.hpp>
#include <switchyard/error.hpp>

#include "io/host_value.hpp"

namespace switchyard {

Dataset::~Dataset() = default;

namespace {

[[noreturn]] void refuse_tensor(const std::string& what) {
  throw Error(ErrorKind::invalid_argument, "TensorDataset: " + what);
}

Literal checked_rows(const Tensor& tensor, const char* role) {
  if (tensor.shape().empty()) {
    refuse_tensor(fmt::format("the {} have rank 0; give them a first dimension of examples", role));
  }
  if (bit_width(tensor.dtype()) < 8) {
    refuse_tensor(
        fmt::format("the {} are {}, whose rows cannot be told apart by bytes; convert them", role,
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
  Literal inputs;
  Literal targets;  // undefined if there are none
};

TensorDataset::TensorDataset(const Tensor& inputs, const Tensor& targets) {
  if (!inputs.defined()) refuse_tensor("the inputs hold nothing; give them a value");
  auto rows = std::make_shared<Rows>();
  rows->inputs = checked_rows(inputs, "inputs");
  if (targets.defined()) {
    rows->targets = checked_rows(targets, "targets");
    if (inputs.shape()[0] != targets.shape()[0]) {
      refuse_tensor(fmt::format(
          "the inputs [{}] and the targets [{}] have different numbers of "
          "rows; cut the longer",
          fmt::join(inputs.shape().span(), ", "), fmt::join(targets.shape().span(), ", ")));
    }
  }
  rows_ = std::move(rows);
}

std::int64_t TensorDataset::size() const { return rows_->inputs.shape()[0]; }

Example TensorDataset::get(std::int64_t index) const {
  if (index < 0 || index >= size()) {
    refuse_tensor(fmt::format("there is no example {} among {}", index, size()));
  }
  const bool has_target = rows_->targets.dtype() != DType::undefined;
  return {row_of(rows_->inputs, index), has_target ? row_of(rows_->targets, index) : Tensor()};
}

}  // namespace switchyard
