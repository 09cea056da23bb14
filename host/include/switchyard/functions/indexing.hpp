/// @file
/// Elements by their indices: x[...], and functions of int64 or int32 indices, whose results are
/// new tensors on the device of the tensor given. For these functions an index that is negative, or
/// beyond its dimension, is Error(invalid_argument), of the call or, on a device that computes
/// later, of the next wait for it; x[...] counts negative ones from the end. Other errors:
/// Error(invalid_argument) for indices of another dtype and a dimension that is not there,
/// Error(shape_mismatch) for shapes that do not fit.
#pragma once

#include <concepts>
#include <optional>
#include <utility>
#include <vector>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// A range of indices: Slice() is all, Slice(1, 3), Slice({}, -1), Slice(0, {}, 2).
struct SWITCHYARD_API Slice {
  std::optional<std::int64_t> start, stop;  ///< the first index, and the one behind the last
  std::int64_t step = 1;                    ///< from one index to the next; at least 1

  /// As start:stop:step of Python, but for negative steps.
  Slice(std::optional<Int> start = {}, std::optional<Int> stop = {}, Int step = 1)
      : start(start), stop(stop), step(step) {}
};
/// As many whole dimensions as are left.
struct Ellipsis {};
/// A new dimension of extent 1.
struct NewAxis {};

/// One entry of an index, as in PyTorch and NumPy: an integer, a slice, an ellipsis, a new axis, a
/// mask of bools, or a tensor of int64 indices.
class SWITCHYARD_API Index {
 public:
  /// What an entry is, and so which of the members below counts.
  enum class Kind { integer, slice, ellipsis, new_axis, tensor };

  /// An entry of that kind. Whether it fits is found where it is used.
  /// @{
  Index(std::convertible_to<Int> auto index) : kind(Kind::integer), integer(Int(index)) {}
  Index(Slice slice) : kind(Kind::slice), slice(slice) {}
  Index(Ellipsis) : kind(Kind::ellipsis) {}
  Index(NewAxis) : kind(Kind::new_axis) {}
  Index(const std::derived_from<Tensor> auto& tensor) : kind(Kind::tensor), tensor(tensor) {}
  /// @}

  /// The entry as it was given.
  /// @{
  Kind kind;
  std::int64_t integer = 0;
  Slice slice;
  Tensor tensor;
  /// @}
};

/// What x[...] gives: the elements (a view where there are no tensors among the indices, else a
/// copy), which may be assigned to where they stand: `x[{0, Slice(1, 3)}] = 5` and `x[mask] += 1`
/// write to x. Under a name of its own, `auto row = x[0]`, it is a tensor that cannot be assigned
/// to: declare `Tensor row = x[0]`.
class SWITCHYARD_API Indexed : public Tensor {
 public:
  /// x[...], as Tensor::index() says of the indices.
  Indexed(const Tensor& of, std::vector<Index> indices);
  Indexed(const Indexed&) = default;
  /// index_put_() of the tensor that was indexed, with the assigned elements, and its errors.
  void operator=(const Tensor& value) const&&;
  /// The same of elements that an index shows, in that tensor or another.
  void operator=(const Indexed& value) const&& {
    std::move(*this) = static_cast<const Tensor&>(value);
  }
  void operator=(const Tensor&) const& = delete;
  void operator=(const Indexed&) const& = delete;

  /// The same with the result. Of two equal indices either result may stay. Dtypes and errors are
  /// those of add_(), sub_(), mul_() and div_().
  /// @{
  void operator+=(const Tensor& other) const&& { put_back(add_(other)); }
  void operator-=(const Tensor& other) const&& { put_back(sub_(other)); }
  void operator*=(const Tensor& other) const&& { put_back(mul_(other)); }
  void operator/=(const Tensor& other) const&& { put_back(div_(other)); }
  /// @}
  /// Of one that has a name: writes to what it shows, as add_(), sub_(), mul_() and div_() do.
  /// Behind tensors of indices that is a copy.
  /// @{
  Tensor operator+=(const Tensor& other) const& { return add_(other); }
  Tensor operator-=(const Tensor& other) const& { return sub_(other); }
  Tensor operator*=(const Tensor& other) const& { return mul_(other); }
  Tensor operator/=(const Tensor& other) const& { return div_(other); }
  /// @}

 private:
  /// Writes what a copy has become to where it was copied from.
  void put_back(const Tensor& changed) const;

  Tensor of_;
  std::vector<Index> indices_;
};

/// A copy of the slices of `dim` at `index`, of rank 1 or 0, in its order. Any dtype. Gradient: to
/// those slices of `x`, summed where one comes several times.
[[nodiscard]] SWITCHYARD_API Tensor index_select(const Tensor& x, Dim dim, const Tensor& index);
/// out[i][j] = x[index[i][j]][j] for dim 0, and so on: a copy, of the shape of `index`, which has
/// the rank of `x` and no larger extent but in `dim`. Any dtype. Gradient: to those elements of
/// `x`, summed.
[[nodiscard]] SWITCHYARD_API Tensor gather(const Tensor& x, Dim dim, const Tensor& index);
/// The same where `index` broadcasts against `x`, but for `dim`: what sort() and argmax() with
/// `keepdim` give. Without `dim` the elements of `x` at an index of any shape, as rank 1. Any
/// dtype. Gradient: to those elements of `x`, summed.
[[nodiscard]] SWITCHYARD_API Tensor take_along_dim(const Tensor& x, const Tensor& index,
                                                   std::optional<Dim> dim = {});
/// The inverse: a copy of x with x[index[i][j]][j] = source[i][j]. `source` is a number, or has the
/// dtype of `x`, and no extent less than `index`. Of two writes to one element either may stay. Any
/// dtype. Gradient: to `source` where it was written, else to `x`. Error(shape_mismatch) for
/// another dtype or shape.
[[nodiscard]] SWITCHYARD_API Tensor scatter(const Tensor& x, Dim dim, const Tensor& index,
                                            const Tensor& source);
/// A copy of x to which source[i][j] is added at [index[i][j]][j], also several times. Shapes and
/// errors are those of scatter(); any numeric dtype. Gradient: to `x`, and to what was added of
/// `source`.
[[nodiscard]] SWITCHYARD_API Tensor scatter_add(const Tensor& x, Dim dim, const Tensor& index,
                                                const Tensor& source);
/// How scatter_reduce() joins what is written to one element.
enum class ScatterReduction { sum, prod, mean, amax, amin };
/// scatter() that joins what it writes to one element with what is there, or, without
/// `include_self`, with nothing else. Means of integers are rounded down; their sums and counts do
/// not wrap round below 64 bits. What nothing is written to stays. Any numeric dtype.
/// Gradient: to `x` and `source`, shared by equal extrema. Error(invalid_argument) for bools.
[[nodiscard]] SWITCHYARD_API Tensor scatter_reduce(const Tensor& x, Dim dim, const Tensor& index,
                                                   const Tensor& source, ScatterReduction reduction,
                                                   Flag include_self = true);
/// A copy of x with slice i of `source` added to slice index[i] of `dim`. `index` is of rank 1 or
/// 0, and `source` has the dtype of `x`, a numeric one, and its shape with as many slices as
/// indices. Gradient: to `x` and `source`. Error(shape_mismatch) for another dtype or shape.
[[nodiscard]] SWITCHYARD_API Tensor index_add(const Tensor& x, Dim dim, const Tensor& index,
                                              const Tensor& source);
/// The elements where the mask is true, as rank 1; `x` and the mask, of bools, broadcast. Waits for
/// the mask. Any dtype. Gradient: to those elements of `x`. Error(invalid_argument) for a mask of
/// another dtype.
[[nodiscard]] SWITCHYARD_API Tensor masked_select(const Tensor& x, const Tensor& mask);
/// [n, rank] indices of the elements that are not zero, as int64, in row-major order. Waits for
/// `x`, of any numeric dtype, or bool. No gradient.
[[nodiscard]] SWITCHYARD_API Tensor nonzero(const Tensor& x);
/// Rows of `weight` [count, size] in a copy: [..., size] for indices [...]. Any dtype. Gradient: to
/// the rows, summed; rows `padding_idx`, which may count from the end, get none.
[[nodiscard]] SWITCHYARD_API Tensor embedding(const Tensor& indices, const Tensor& weight,
                                              std::optional<Int> padding_idx = {});
/// What embedding_bag() makes of the rows of a bag.
enum class EmbeddingBagMode { mean, max, sum };
/// How embedding_bag() makes one row of many.
struct EmbeddingBagOptions {
  bool include_last_offset = false;                ///< the last offset is where the last bag ends
  EmbeddingBagMode mode = EmbeddingBagMode::mean;  ///< what becomes of the rows of a bag
  std::optional<std::int64_t> padding_idx = {};    ///< a row that counts for no bag
};
/// Rows of `weight` [count, size], one of each bag of indices: [B, size]. Bags are the rows of
/// indices [B, L], or lie one after the other in indices [L], each from its offset on; the values
/// of offsets [B] are waited for. Rows are multiplied by per_sample_weights, of the shape of the
/// indices, for the mode `sum` alone. A bag of nothing is zeros. A floating-point dtype of
/// `weight`. Gradient: to `weight` and per_sample_weights. Error(invalid_argument) for offsets that
/// are missing, not needed or out of order, and for weights that do not fit.
[[nodiscard]] SWITCHYARD_API Tensor embedding_bag(const Tensor& indices, const Tensor& weight,
                                                  const Tensor& offsets = {},
                                                  const Tensor& per_sample_weights = {},
                                                  const EmbeddingBagOptions& options = {});
/// int64 ones where the new last dimension is the index, else zeros; `classes` of -1 means as many
/// as are needed. Waits for the indices, to check them. No gradient. Error(invalid_argument) for an
/// index beyond the classes.
[[nodiscard]] SWITCHYARD_API Tensor one_hot(const Tensor& indices, Int classes);

}  // namespace switchyard
