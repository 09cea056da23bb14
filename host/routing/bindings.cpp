#include "routing/bindings.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

namespace switchyard {
namespace {

void append(std::vector<std::uint64_t>& words, const sy_tensor& tensor) {
  words.insert(words.end(), {static_cast<std::uint64_t>(tensor.dtype), tensor.storage,
                             tensor.offset_bytes, tensor.rank, tensor.strides != nullptr});
  words.insert(words.end(), tensor.shape, tensor.shape + tensor.rank);
  if (tensor.strides) words.insert(words.end(), tensor.strides, tensor.strides + tensor.rank);
  if (tensor.storage != 0 || tensor.rank != 0) return;
  std::uint64_t immediate[2];
  static_assert(sizeof(immediate) == sizeof(tensor.immediate));
  std::memcpy(immediate, tensor.immediate, sizeof(immediate));
  words.insert(words.end(), std::begin(immediate), std::end(immediate));
}

std::vector<std::uint64_t> words_of(const sy_run_args& run) {
  std::vector<std::uint64_t> words{run.workspace, run.workspace_offset_bytes};
  for (std::uint32_t i = 0; i < run.input_count; ++i) append(words, run.inputs[i]);
  for (std::uint32_t i = 0; i < run.output_count; ++i) append(words, run.outputs[i]);
  return words;
}

}  // namespace

std::uint64_t BindingTable::number_of(const sy_run_args& run) {
  Words words = words_of(run);
  const std::scoped_lock lock(guard_);
  const auto found = std::find_if(latest_.begin(), latest_.end(),
                                  [&](const Binding& binding) { return binding.tensors == words; });
  if (found != latest_.end()) {
    std::rotate(latest_.begin(), found, found + 1);
    return latest_.front().number;
  }
  if (latest_.size() == kKept) latest_.pop_back();
  latest_.push_front({std::move(words), ++last_number_});
  return last_number_;
}

}  // namespace switchyard
