#include "onnx/tensors/dense_budget.hpp"

#include <fmt/format.h>

#include "io/file_error.hpp"
#include "memory/machine_memory.hpp"

namespace switchyard {

void DenseBudget::take(std::uint64_t bytes, const std::string& where) {
  if (!bytes_left_) bytes_left_ = limit_of_one_tensor(limit_, machine_memory());
  if (bytes > *bytes_left_) {
    refuse(where, fmt::format("its dense form takes {} bytes, and {} are left for those of sparse "
                              "tensors; store it dense, or raise limits.value_bytes if you trust "
                              "the model",
                              bytes, *bytes_left_));
  }
  *bytes_left_ -= bytes;
}

}  // namespace switchyard
