/// @file
/// Typed strided tensors in memory that the plugin may touch, and loops over several of them.
///
///   sy::for_each_row(
///       [](int64_t count, sy::Row<float> sum, sy::Row<const float> a, sy::Row<const float> b) {
///         for (int64_t i = 0; i < count; ++i) sum[i] = a[i] + b[i];
///       },
///       sum, a.broadcast_to(sum.shape()), b.broadcast_to(sum.shape()));
#pragma once

#include <switchyard/plugin.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "switchyard/plugin/guard.hpp"
#include "switchyard/plugin/shape.hpp"

namespace sy {

/// Elements `step` apart. Walk them by index; a step of 0 repeats one element.
template <typename T>
struct Row {
  /// The first element, and how many elements the next one is from it.
  /// @{
  T* data;
  int64_t step;
  /// @}

  /// Element `index` of the row.
  T& operator[](int64_t index) const { return data[index * step]; }
  /// Whether the elements lie side by side.
  bool is_contiguous() const { return step == 1; }
};

/// A Row of these.
template <typename T>
Row<T> row_of(T* data, int64_t step) {
  return {data, step};
}

/// A tensor of T: a pointer to the element whose indices are all 0, extents and strides of its own.
template <typename T>
class View {
 public:
  /// Null strides are contiguous.
  View(T* data, Extents shape, const int64_t* strides)
      : data_(data), shape_(shape), strides_(strides_or_contiguous(shape, strides)) {}

  /// What it was made of; strides are given, also where they were null.
  /// @{
  T* data() const { return data_; }
  uint32_t rank() const { return shape_.rank; }
  Extents shape() const { return shape_; }
  Extents strides() const { return strides_; }
  /// @}
  /// Number of elements.
  int64_t count() const { return element_count(shape_); }
  /// Whether they lie in row-major order without gaps.
  bool is_contiguous() const { return sy::is_contiguous(shape_, strides_.data.data()); }

  /// The element of these indices, which must be there.
  T& at(Extents index) const {
    int64_t offset = 0;
    for (uint32_t i = 0; i < shape_.rank; ++i) offset += index[i] * strides_[i];
    return data_[offset];
  }

  /// The same elements read as if the tensor had `target`; invalid if it does not broadcast.
  View broadcast_to(Extents target) const {
    const Dimensions strides = broadcast_strides(shape_, strides_.data.data(), target);
    return View(data_, target, strides.data.data());
  }

 private:
  T* data_;
  Dimensions shape_;
  Dimensions strides_;
};

/// A walk over N tensors of one shape: dimensions that run on into each other in all of them are
/// merged, so contiguous tensors are one row.
template <size_t N>
class RowWalk {
 public:
  /// Tensors of that shape with these strides, in elements.
  RowWalk(Extents shape, const std::array<Extents, N>& strides) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      if (shape[axis] == 1) continue;
      add(shape[axis], axis, strides);
    }
  }

  /// How long a row is, and how many elements apart its elements are in a tensor.
  /// @{
  int64_t row_count() const { return rank_ == 0 ? 1 : extents_[rank_ - 1]; }
  int64_t row_step(size_t tensor) const { return rank_ == 0 ? 1 : steps_[tensor][rank_ - 1]; }
  /// @}

  /// Calls `visit` with the element offsets of each row's start, in row-major order.
  template <typename Visit>
  void visit_rows(Visit&& visit) const {
    std::array<int64_t, N> offsets{};
    std::array<int64_t, SY_MAX_RANK> index{};
    for (;;) {
      visit(std::as_const(offsets));
      uint32_t axis = rank_ == 0 ? 0 : rank_ - 1;  // the row itself is `visit`'s
      for (;;) {
        if (axis == 0) return;
        --axis;
        if (++index[axis] < extents_[axis]) break;
        for (size_t k = 0; k < N; ++k) offsets[k] -= steps_[k][axis] * (extents_[axis] - 1);
        index[axis] = 0;
      }
      for (size_t k = 0; k < N; ++k) offsets[k] += steps_[k][axis];
    }
  }

 private:
  void add(int64_t extent, size_t axis, const std::array<Extents, N>& strides) {
    bool runs_on = rank_ > 0;
    for (size_t k = 0; k < N && runs_on; ++k) {
      runs_on = steps_[k][rank_ - 1] == strides[k][axis] * extent;
    }
    if (runs_on) {
      extents_[rank_ - 1] *= extent;
    } else {
      extents_[rank_++] = extent;
    }
    for (size_t k = 0; k < N; ++k) steps_[k][rank_ - 1] = strides[k][axis];
  }

  std::array<int64_t, SY_MAX_RANK> extents_;
  std::array<std::array<int64_t, SY_MAX_RANK>, N> steps_;
  uint32_t rank_ = 0;
};

/// Calls `visit(count, Row...)` for the rows of tensors of one shape, in row-major order of the
/// first. Tensors without elements have no rows; rank 0 is one row of one element.
template <typename Visit, typename First, typename... Others>
void for_each_row(Visit&& visit, const View<First>& first, const View<Others>&... others) {
  const auto same_shape = [&](Extents shape) {
    if (!std::equal(shape.begin(), shape.end(), first.shape().begin(), first.shape().end())) {
      throw bug("for_each_row over shapes ", first.shape(), " and ", shape);
    }
  };
  (same_shape(others.shape()), ...);
  if (first.count() == 0) return;
  constexpr size_t tensors = 1 + sizeof...(Others);
  const RowWalk<tensors> walk(first.shape(), {first.strides(), others.strides()...});
  const std::tuple<First*, Others*...> bases(first.data(), others.data()...);
  walk.visit_rows([&](const std::array<int64_t, tensors>& offsets) {
    [&]<size_t... K>(std::index_sequence<K...>) {
      visit(walk.row_count(), row_of(std::get<K>(bases) + offsets[K], walk.row_step(K))...);
    }
    (std::make_index_sequence<tensors>());
  });
}

}  // namespace sy
