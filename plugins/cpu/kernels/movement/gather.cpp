// Gather, GatherElements, GatherND: reading at indices.
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "loops/indices.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

// ---- Gather

// `count` blocks of `bytes`, taken from `from` at `indices`; `extent` blocks to choose from.
void gather_blocks(const char* from, int64_t extent, int64_t bytes, const Indices& indices,
                   char* to) {
  const auto size = static_cast<size_t>(bytes);
  for (int64_t i = 0; i < indices.size(); ++i) {
    std::memcpy(to + i * bytes, from + indices.at(i, extent) * bytes, size);
  }
}

void gather_contiguous(const ConstTensor& data, size_t at, const Indices& indices,
                       const Tensor& out) {
  const int64_t extent = data.shape[at];
  const int64_t outer = sy::element_count(data.shape.first(at));
  const int64_t inner = sy::element_count(data.shape.subspan(at + 1)) * element_bytes(data);
  const int64_t chosen = indices.size() * inner;
  parallel_for(outer, 1 + 65536 / (chosen + 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      gather_blocks(bytes_of(data) + i * extent * inner, extent, inner, indices,
                    bytes_of(out) + i * chosen);
    }
  });
}

std::vector<int64_t> without(std::span<const int64_t> numbers, size_t at) {
  std::vector<int64_t> rest(numbers.begin(), numbers.end());
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  return rest;
}

// One strided copy for each index.
void gather_slices(const ConstTensor& data, size_t at, const Indices& indices, const Tensor& out) {
  std::vector<int64_t> joined(data.shape.begin(), data.shape.end());
  joined[at] = indices.size();
  const sy::Dimensions to = sy::contiguous_strides(joined);
  const std::vector<int64_t> shape = without(data.shape, at);
  const std::vector<int64_t> from_strides = without({data.strides.data(), data.rank()}, at);
  const std::vector<int64_t> to_strides = without({to.data.data(), data.rank()}, at);
  const int64_t bytes = element_bytes(data);
  for (int64_t i = 0; i < indices.size(); ++i) {
    const int64_t index = indices.at(i, data.shape[at]);
    copy_strided(data.dtype, shape, bytes_of(data) + index * data.strides[at] * bytes,
                 from_strides.data(), bytes_of(out) + i * to.data[at] * bytes, to_strides.data());
  }
}

// Slices this large are worth a strided copy each; of smaller ones, all of the data is copied once.
constexpr int64_t large_slice = 4096;  // bytes

void gather(const ConstTensor& data, size_t at, const Indices& indices, const Tensor& out) {
  const bool is_contiguous = sy::is_contiguous(data.shape, data.strides.data());
  const int64_t slice_bytes = out.size() / indices.size() * element_bytes(data);
  if (!is_contiguous && (indices.size() == 1 || slice_bytes >= large_slice)) {
    return gather_slices(data, at, indices, out);
  }
  std::vector<char> held;
  sy::Dimensions strides;
  gather_contiguous(contiguous(data, held, strides), at, indices, out);
}

Prepared make_gather(const sy::Node& node) {
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  made.kernel = function_kernel([axis](Call& call) {
    const ConstTensor& data = call.input(0);
    const Tensor& out = call.output(0);
    const size_t at = normalize_axis(axis, data.rank());
    std::vector<char> held;
    sy::Dimensions strides;
    const Indices indices(contiguous(call.input(1), held, strides));
    indices.check(data.shape[at], "Gather");
    if (out.size() != 0) gather(data, at, indices, out);
  });
  return made;
}

// ---- GatherElements

Prepared make_gather_elements(const sy::Node& node) {
  const int64_t axis = node.integer("axis", 0);
  Prepared made;
  made.kernel = function_kernel([axis](Call& call) {
    const ConstTensor& data = call.input(0);
    const Tensor& out = call.output(0);
    const size_t at = normalize_axis(axis, data.rank());
    const Indices indices(call.input(1));
    const int64_t extent = data.shape[at];
    indices.check(extent, "GatherElements");
    const int64_t bytes = element_bytes(data);
    const sy::Dimensions strides = sy::contiguous_strides(data.shape);
    for_each_position(call.input(1).shape, [&](int64_t flat, const std::vector<int64_t>& position) {
      int64_t from = indices.at(flat, extent) * strides[at];
      for (size_t d = 0; d < position.size(); ++d) from += d == at ? 0 : position[d] * strides[d];
      std::memcpy(bytes_of(out) + flat * bytes, bytes_of(data) + from * bytes,
                  static_cast<size_t>(bytes));
    });
  });
  return made;
}

// ---- GatherND

Prepared make_gather_nd(const sy::Node& node) {
  const int64_t batch_dims = node.integer("batch_dims", 0);
  Prepared made;
  made.kernel = function_kernel([batch_dims](Call& call) {
    const ConstTensor& data = call.input(0);
    const Tensor& out = call.output(0);
    const auto batch_rank = static_cast<size_t>(batch_dims);
    const IndexTuples tuples(call.input(1));
    const int64_t batches = sy::element_count(data.shape.first(batch_rank));
    const sy::Extents searched = data.shape.subspan(batch_rank);
    const int64_t per_batch = batches == 0 ? 0 : tuples.count() / batches;
    const int64_t block =
        sy::element_count(searched.subspan(tuples.length())) * element_bytes(data);
    const int64_t batch_bytes = sy::element_count(searched) * element_bytes(data);
    for (int64_t i = 0; i < tuples.count(); ++i) {
      const char* from = bytes_of(data) + (i / per_batch) * batch_bytes;
      const int64_t offset = tuples.offset(i, searched, "GatherND");
      std::memcpy(bytes_of(out) + i * block, from + offset * block, static_cast<size_t>(block));
    }
  });
  return made;
}

constexpr KernelRow gather_rows[] = {
    {"Gather", whole_byte_dtypes, whole_byte_dtypes, make_gather, nullptr, SY_CLAIM_STRIDED_INPUTS},
    {"GatherElements", whole_byte_dtypes, whole_byte_dtypes, make_gather_elements},
    {"GatherND", whole_byte_dtypes, whole_byte_dtypes, make_gather_nd},
};

}  // namespace

KernelTable gather_kernels() { return gather_rows; }

}  // namespace cpu
