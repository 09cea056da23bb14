#include "loops/copy.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "machine/parallel.hpp"
#include "simd/vector_transpose.hpp"
#include "switchyard/plugin/copy.hpp"
#include "switchyard/plugin/division.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {
namespace {

constexpr int64_t piece_bytes = int64_t{256} << 10;  // worth a thread
constexpr int64_t cached_bytes = int64_t{4} << 20;   // what is larger is written past the caches
constexpr int64_t smallest_plane = 1024;             // bytes; below, tiles cost more than they save

// ---- transpositions: planes of two axes, and the axes from plane to plane

struct Transposition {
  std::array<sy::CopyPlan::Axis, SY_MAX_RANK> outer;
  uint32_t outer_rank = 0;
  int64_t planes = 1;
  TransposedPlane first;
  TransposeColumns run;
  int64_t element_bytes;

  TransposedPlane plane(int64_t index) const {
    TransposedPlane made = first;
    for (uint32_t i = outer_rank; i-- > 0;) {
      const int64_t position = index % outer[i].extent;
      index /= outer[i].extent;
      made.source += position * outer[i].source;
      made.destination += position * outer[i].destination;
    }
    return made;
  }
};

// Nothing if the innermost axis of the destination is the source's too, or no axis is the source's
// innermost, or planes are small.
std::optional<Transposition> find_transposition(const sy::CopyPlan& plan, int64_t element_bytes) {
  if (plan.rank < 2) return {};
  const sy::CopyPlan::Axis& inner = plan.axes[plan.rank - 1];
  if (inner.destination != element_bytes || inner.source == element_bytes) return {};
  Transposition made;
  made.run = transpose_columns(element_bytes);
  made.element_bytes = element_bytes;
  const sy::CopyPlan::Axis* across = nullptr;
  for (uint32_t i = 0; i + 1 < plan.rank; ++i) {
    if (across == nullptr && plan.axes[i].source == element_bytes) {
      across = &plan.axes[i];
    } else {
      made.outer[made.outer_rank++] = plan.axes[i];
      made.planes *= plan.axes[i].extent;
    }
  }
  if (made.run == nullptr || across == nullptr) return {};
  if (across->extent * inner.extent * element_bytes < smallest_plane) return {};
  made.first = {plan.source,         inner.source, plan.destination,
                across->destination, inner.extent, across->extent};
  return made;
}

void run_transposition(const Transposition& transposition) {
  const TransposedPlane& first = transposition.first;
  const int64_t plane_bytes = first.rows * first.columns * transposition.element_bytes;
  const bool past_cache = plane_bytes * transposition.planes > cached_bytes;
  // A strip is some lines of the source's rows, so that threads share none of them.
  const int64_t line = 4 * 64 / transposition.element_bytes;
  const int64_t strips = sy::ceil_div(first.columns, line);
  const int64_t strip_bytes = std::max<int64_t>(1, plane_bytes / strips);
  const int64_t grain = std::max<int64_t>(1, piece_bytes / strip_bytes);
  parallel_for(transposition.planes * strips, grain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t strip = begin % strips;
      const int64_t count = std::min(end - begin, strips - strip);
      transposition.run(transposition.plane(begin / strips), strip * line,
                        std::min((strip + count) * line, first.columns), past_cache);
      begin += count;
    }
  });
}

// ---- everything else: cut along an axis

int64_t span_of(int64_t stride) { return stride < 0 ? -stride : stride; }

// The longest axis, and the one whose pieces lie furthest apart if several are as long.
size_t axis_to_cut(sy::Extents shape, sy::Extents strides) {
  size_t best = 0;
  for (size_t i = 1; i < shape.size(); ++i) {
    if (shape[i] > shape[best] ||
        (shape[i] == shape[best] && span_of(strides[i]) > span_of(strides[best]))) {
      best = i;
    }
  }
  return best;
}

template <typename Byte>
struct CopySide {
  Byte* data;
  sy::Dimensions strides;
};

void copy_in_pieces(sy_dtype dtype, sy::Extents shape, const CopySide<const char>& from,
                    const CopySide<char>& to) {
  const auto size = static_cast<int64_t>(sy::dtype_bytes(dtype));
  const int64_t bytes = sy::element_count(shape) * size;
  const size_t axis = axis_to_cut(shape, to.strides);
  const int64_t grain = std::max<int64_t>(1, shape[axis] * piece_bytes / bytes);
  parallel_for(shape[axis], grain, [&](int64_t begin, int64_t end) {
    sy::Dimensions part(shape);
    part[axis] = end - begin;
    sy::copy_elements(dtype, part, from.data + begin * from.strides[axis] * size,
                      from.strides.data.data(), to.data + begin * to.strides[axis] * size,
                      to.strides.data.data());
  });
}

bool try_transposition(sy_dtype dtype, sy::Extents shape, const CopySide<const char>& from,
                       const CopySide<char>& to) {
  const auto size = static_cast<int64_t>(sy::dtype_bytes(dtype));
  sy::CopyPlan plan;
  plan.source = from.data;
  plan.destination = to.data;
  for (size_t i = 0; i < shape.size(); ++i) {
    plan.add({shape[i], from.strides[i] * size, to.strides[i] * size});
  }
  plan.merge();
  const auto transposition = find_transposition(plan, size);
  if (!transposition) return false;
  run_transposition(*transposition);
  return true;
}

}  // namespace

void copy_strided(sy_dtype dtype, sy::Extents shape, const void* source,
                  const int64_t* source_strides, void* destination,
                  const int64_t* destination_strides) {
  const int64_t bytes = sy::element_count(shape) * static_cast<int64_t>(sy::dtype_bytes(dtype));
  if (bytes < smallest_plane || sy::is_sub_byte(dtype)) {
    sy::copy_elements(dtype, shape, source, source_strides, destination, destination_strides);
    return;
  }
  const CopySide<const char> from{static_cast<const char*>(source),
                                  sy::strides_or_contiguous(shape, source_strides)};
  const CopySide<char> to{static_cast<char*>(destination),
                          sy::strides_or_contiguous(shape, destination_strides)};
  if (try_transposition(dtype, shape, from, to)) return;
  if (bytes < 2 * piece_bytes) {
    sy::copy_elements(dtype, shape, source, source_strides, destination, destination_strides);
  } else {
    copy_in_pieces(dtype, shape, from, to);
  }
}

}  // namespace cpu
