/// @file
/// Strided copies of raw elements between two positions in the memory of one process.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// A copy reduced to its essence: no extents of 1, the destination walked upwards, dimensions that
/// run on into each other merged, innermost last. Strides are in bytes.
struct CopyPlan {
  /// How often, and how many bytes from one to the next on either side.
  struct Axis {
    int64_t extent, source, destination;  ///< steps in bytes
  };
  /// The loops, and the addresses that they begin at.
  /// @{
  std::array<Axis, SY_MAX_RANK> axes;
  uint32_t rank = 0;
  const char* source = nullptr;
  char* destination = nullptr;
  /// @}

  /// Adds a loop, where the destination's steps have it stand.
  void add(Axis axis) {
    if (axis.extent == 1) return;
    if (axis.destination < 0) {  // walk it from its other end
      source += (axis.extent - 1) * axis.source;
      destination += (axis.extent - 1) * axis.destination;
      axis.source = -axis.source;
      axis.destination = -axis.destination;
    }
    uint32_t position = rank++;
    for (; position > 0 && axes[position - 1].destination < axis.destination; --position) {
      axes[position] = axes[position - 1];
    }
    axes[position] = axis;
  }

  /// Joins loops that run on into each other.
  void merge() {
    uint32_t kept = 0;
    for (uint32_t i = 1; i < rank; ++i) {
      Axis& outer = axes[kept];
      const Axis& inner = axes[i];
      if (outer.source == inner.source * inner.extent &&
          outer.destination == inner.destination * inner.extent) {
        outer = {outer.extent * inner.extent, inner.source, inner.destination};
      } else {
        axes[++kept] = inner;
      }
    }
    if (rank != 0) rank = kept + 1;
  }

  /// A transposition reads along one axis and writes along another: the axis that the source walks
  /// in the smallest steps goes next to the innermost, where tiles keep both in the cache.
  void bring_source_axis_in() {
    if (rank < 2) return;
    uint32_t best = rank - 1;
    for (uint32_t i = 0; i + 1 < rank; ++i) {
      const int64_t step = std::abs(axes[i].source);
      if (step != 0 && axes[best].source != 0 && step < std::abs(axes[best].source)) best = i;
    }
    if (best == rank - 1) return;
    const Axis moved = axes[best];
    for (uint32_t i = best; i + 2 < rank; ++i) axes[i] = axes[i + 1];
    axes[rank - 2] = moved;
  }
};

/// Copies `count` elements of so many bytes, steps being in bytes.
template <size_t Bytes>
void copy_row(const char* source, int64_t source_step, char* destination, int64_t destination_step,
              int64_t count) {
  constexpr auto size = static_cast<int64_t>(Bytes);
  if (destination_step == size && source_step == size) {
    std::memcpy(destination, source, static_cast<size_t>(count) * Bytes);
  } else if (destination_step == size) {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(destination + i * size, source + i * source_step, Bytes);
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      std::memcpy(destination + i * destination_step, source + i * source_step, Bytes);
    }
  }
}

/// The same of two loops, in tiles where the source's steps want it.
template <size_t Bytes>
void copy_plane(const CopyPlan::Axis& outer, const CopyPlan::Axis& inner, const char* source,
                char* destination) {
  const bool tiled = inner.source != 0 && std::abs(outer.source) < std::abs(inner.source);
  const int64_t tile = tiled ? 32 : inner.extent;
  for (int64_t first = 0; first < inner.extent; first += tile) {
    const int64_t count = inner.extent - first < tile ? inner.extent - first : tile;
    for (int64_t i = 0; i < outer.extent; ++i) {
      copy_row<Bytes>(source + i * outer.source + first * inner.source, inner.source,
                      destination + i * outer.destination + first * inner.destination,
                      inner.destination, count);
    }
  }
}

/// The same of all loops of a plan from `axis` on.
template <size_t Bytes>
void copy_plan(const CopyPlan& plan, uint32_t axis, const char* source, char* destination) {
  if (plan.rank == 0) {
    std::memcpy(destination, source, Bytes);
  } else if (axis + 1 == plan.rank) {
    const CopyPlan::Axis& row = plan.axes[axis];
    copy_row<Bytes>(source, row.source, destination, row.destination, row.extent);
  } else if (axis + 2 == plan.rank) {
    copy_plane<Bytes>(plan.axes[axis], plan.axes[axis + 1], source, destination);
  } else {
    const CopyPlan::Axis& outer = plan.axes[axis];
    for (int64_t i = 0; i < outer.extent; ++i) {
      copy_plan<Bytes>(plan, axis + 1, source + i * outer.source,
                       destination + i * outer.destination);
    }
  }
}

/// Copies the elements of `shape` from `source` to `destination`, both pointing at the element
/// whose indices are all 0. Strides count elements, are of any sign, and null means contiguous; the
/// source's may be 0. The destination addresses each element once and the two do not overlap. Types
/// packed below a byte must be contiguous on both sides. Throws before it has written anything.
inline void copy_elements(sy_dtype dtype, Extents shape, const void* source,
                          const int64_t* source_strides, void* destination,
                          const int64_t* destination_strides) {
  if (dtype_bits(dtype) == 0) throw unsupported(SY_REASON_DTYPE, "no element type ", dtype);
  if (element_count(shape) == 0) return;
  if (is_contiguous(shape, source_strides) && is_contiguous(shape, destination_strides)) {
    const auto count = static_cast<uint64_t>(element_count(shape));
    std::memcpy(destination, source, contiguous_bytes(dtype, count));
    return;
  }
  if (is_sub_byte(dtype)) {
    throw invalid(dtype_name(dtype), " must be contiguous on both sides of a copy");
  }
  const auto size = static_cast<int64_t>(dtype_bytes(dtype));
  const Dimensions from = strides_or_contiguous(shape, source_strides);
  const Dimensions to = strides_or_contiguous(shape, destination_strides);
  CopyPlan plan;
  plan.source = static_cast<const char*>(source);
  plan.destination = static_cast<char*>(destination);
  for (size_t i = 0; i < shape.size(); ++i) plan.add({shape[i], from[i] * size, to[i] * size});
  plan.merge();
  plan.bring_source_axis_in();
  switch (size) {
    case 1: return copy_plan<1>(plan, 0, plan.source, plan.destination);
    case 2: return copy_plan<2>(plan, 0, plan.source, plan.destination);
    case 4: return copy_plan<4>(plan, 0, plan.source, plan.destination);
    case 8: return copy_plan<8>(plan, 0, plan.source, plan.destination);
    default: return copy_plan<16>(plan, 0, plan.source, plan.destination);
  }
}

}  // namespace sy
