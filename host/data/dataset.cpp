#include <fmt/format.h>

#include <switchyard/data/dataset.hpp>
#include <switchyard/error.hpp>

namespace switchyard {

Dataset::~Dataset() = default;

Tensor Example::operator[](std::size_t index) const {
  if (index < size()) return tensors_[index];
  throw Error(ErrorKind::invalid_argument,
              fmt::format("tensor {} of an example of {}", index, size()));
}

void Example::require_size(std::size_t count) const {
  if (count == size()) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[unpack] {} tensors of an example of {}; name all", count, size()));
}

SharedDataset::SharedDataset(std::shared_ptr<const Dataset> dataset)
    : dataset_(std::move(dataset)) {
  if (!dataset_) throw Error(ErrorKind::invalid_argument, "there is no data set; give one");
}

}  // namespace switchyard
