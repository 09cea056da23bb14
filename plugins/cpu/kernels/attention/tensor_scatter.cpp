// TensorScatter: rows written into a cache, for each sample from a position of its own.
#include <cstring>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"

namespace cpu {
namespace {

struct Writing {
  int64_t axis;
  bool is_circular;
};

int64_t position_of(int64_t index, int64_t extent, bool is_circular) {
  if (is_circular) return ((index % extent) + extent) % extent;
  if (index >= 0 && index < extent) return index;
  throw sy::invalid("the update reaches position ", index, " of a cache of ", extent);
}

// Both are contiguous.
void scatter_rows(Call& call, const Writing& writing) {
  const ConstTensor& cache = call.input(0);
  const ConstTensor& update = call.input(1);
  const Tensor& present = call.output(0);
  copy_tensor(cache, present);
  const size_t axis = normalize_axis(writing.axis, cache.rank());
  if (axis == 0) throw sy::invalid("the batch is not an axis to write along");
  const int64_t extent = cache.shape[axis], count = update.shape[axis];
  const int64_t bytes = sy::element_count(cache.shape.subspan(axis + 1)) * element_bytes(cache);
  const int64_t lines = sy::element_count(cache.shape.first(axis));
  if (lines == 0 || count == 0 || bytes == 0) return;
  std::vector<int64_t> first(static_cast<size_t>(cache.shape[0]), 0);
  if (call.has_input(2)) first = integers_of(call.input(2));
  const int64_t lines_of_sample = lines / cache.shape[0];
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t start = first[static_cast<size_t>(line / lines_of_sample)];
    for (int64_t i = 0; i < count; ++i) {
      // Brought into the cache first, so that no sum runs over.
      const int64_t from = writing.is_circular ? start % extent : start;
      if (from > extent) position_of(from, extent, false);
      const int64_t position = position_of(from + i, extent, writing.is_circular);
      std::memcpy(bytes_of(present) + (line * extent + position) * bytes,
                  bytes_of(update) + (line * count + i) * bytes, static_cast<size_t>(bytes));
    }
  }
}

Prepared make_tensor_scatter(const sy::Node& node) {
  const Writing writing{node.integer("axis", -2), node.text("mode", "linear") == "circular"};
  Prepared made;
  made.outputs = {{.may_alias_inputs = 1}};
  made.kernel = function_kernel([writing](Call& call) { scatter_rows(call, writing); });
  return made;
}

constexpr KernelRow tensor_scatter_rows[] = {
    {"TensorScatter", whole_byte_dtypes, whole_byte_dtypes, make_tensor_scatter},
};

}  // namespace

KernelTable tensor_scatter_kernels() { return tensor_scatter_rows; }

}  // namespace cpu
