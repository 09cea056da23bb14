// Elements that come several times.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "tensor/host_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// The tensor and the dimension whose indices are repeated.
struct Line {
  Line(const Tensor& given, std::optional<std::int64_t> along)
      : x(!along || given.dim() == 0 ? reshape(given, {-1}) : given),
        dim(along ? normalize_axis("repeat_interleave", *along, given.dim()) : 0) {}
  Tensor x;
  std::int64_t dim;
};

void require_times(std::int64_t times) {
  if (times >= 0) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[repeat_interleave] cannot repeat {} times", times));
}

/// Each index as often as `times` says.
Tensor repeated_indices(const std::vector<std::int64_t>& times, const Tensor& like) {
  std::int64_t total = 0;
  for (const std::int64_t count : times) {
    require_times(count);
    if (__builtin_add_overflow(total, count, &total)) total = INT64_MAX / 8;
  }
  require_memory(like, DType::int64, {total});
  std::vector<std::int64_t> indices;
  indices.reserve(static_cast<std::size_t>(total));
  for (std::size_t i = 0; i < times.size(); ++i) {
    indices.insert(indices.end(), static_cast<std::size_t>(times[i]), static_cast<std::int64_t>(i));
  }
  return beside(like, host_tensor({total}, indices), DType::int64);
}

void require_lines(std::span<const Tensor> tensors) {
  if (tensors.empty())
    throw Error(ErrorKind::invalid_argument, "[meshgrid] needs at least one tensor");
  for (const Tensor& tensor : tensors) {
    require_rank("meshgrid", tensor, 0, 1);
    if (tensor.dtype() == tensors[0].dtype()) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[meshgrid] the types {} and {} differ; convert one "
                            "with to()",
                            name_of(tensors[0].dtype()), name_of(tensor.dtype())));
  }
}

}  // namespace

Tensor tile(const Tensor& x, const Dims& times) {
  const CalledFunction here;
  Dims all = times;
  while (static_cast<std::int64_t>(all.size()) < x.dim()) all.insert(0, 1);
  if (std::any_of(all.begin(), all.end(), [](std::int64_t n) { return n < 0; })) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[tile] {} has a negative number of times", listed(times)));
  }
  return repeat(x, all);
}

Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::optional<Dim> dim) {
  const CalledFunction here;
  require_times(repeats);
  const Line line(x, dim);
  Dims shape = line.x.shape();
  shape.insert(static_cast<std::size_t>(line.dim) + 1, repeats);
  const Tensor repeated = expand(unsqueeze(line.x, line.dim + 1), shape);
  return flatten(repeated, line.dim, line.dim + 1).clone();
}

Tensor repeat_interleave(const Tensor& x, const Tensor& repeats, std::optional<Dim> dim) {
  const CalledFunction here;
  require_indices("repeat_interleave", repeats);
  require_rank("repeat_interleave", repeats, 0, 1);
  const Line line(x, dim);
  std::vector<std::int64_t> times = as_dtype(repeats, DType::int64).to_vector<std::int64_t>();
  const std::int64_t extent = line.x.size(line.dim);
  if (times.size() == 1) times.resize(static_cast<std::size_t>(extent), times[0]);
  if (static_cast<std::int64_t>(times.size()) != extent) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[repeat_interleave] {} numbers of times for dimension {} of shape {}: "
                            "give one for each index, or one for all",
                            times.size(), line.dim, describe(line.x.shape())));
  }
  return index_select(line.x, line.dim, repeated_indices(times, x));
}

std::vector<Tensor> meshgrid(std::span<const Tensor> tensors, MeshgridIndexing indexing) {
  const CalledFunction here;
  require_lines(tensors);
  const bool turns = indexing == MeshgridIndexing::xy && tensors.size() > 1;
  const auto axis_of = [turns](std::size_t i) { return turns && i < 2 ? 1 - i : i; };
  Dims shape = Dims::filled(tensors.size(), 1);
  for (std::size_t i = 0; i < tensors.size(); ++i) shape[axis_of(i)] = tensors[i].size();
  std::vector<Tensor> grid;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Dims line = Dims::filled(tensors.size(), 1);
    line[axis_of(i)] = tensors[i].size();
    grid.push_back(expand(reshape(tensors[i], line), shape));
  }
  return grid;
}
std::vector<Tensor> meshgrid(std::initializer_list<Tensor> tensors, MeshgridIndexing indexing) {
  const CalledFunction here;
  return meshgrid(std::span(tensors.begin(), tensors.size()), indexing);
}

}  // namespace switchyard
