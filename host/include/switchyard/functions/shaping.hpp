/// @file
/// Views, which share the elements of `x` and its dtype, and copies in other arrangements, on the
/// device of `x`. "Any dtype" is any but that of text. Dimensions may count from the end, -1 being
/// the last. Views of values that the host holds are copies on the current device. Errors:
/// Error(invalid_argument) for a dimension or an index that is not there; Error(shape_mismatch) for
/// a shape, a rank or sizes that do not fit.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The elements in row-major order in another shape: `x` itself if it has that shape, a view where
/// strides allow it, else a copy. One extent may be -1: what is left. Any dtype. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor reshape(const Tensor& x, const Dims& shape);
/// Dimensions `start_dim` to `end_dim` as one, [1] of rank 0: as reshape() gives it, of any dtype.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor flatten(const Tensor& x, Dim start_dim = 0, Dim end_dim = -1);
/// Dimension `dim` as several, of which one extent may be -1: as reshape() gives it, of any dtype.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor unflatten(const Tensor& x, Dim dim, const Dims& shape);
/// A view with two dimensions exchanged. Any dtype. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor transpose(const Tensor& x, Dim dim0, Dim dim1);
/// A view whose dimension i is dimension dims[i] of `x`; `dims` names each once. Any dtype.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor permute(const Tensor& x, const Dims& dims);
/// A view with dimension `source` at `destination`; the others keep their order. Any dtype.
/// Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor movedim(const Tensor& x, Dim source, Dim destination);
/// A view without extents of 1: all, or that one if it is 1; `x` itself if there is none. Any
/// dtype. Gradient: to `x`.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor squeeze(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor squeeze(const Tensor& x, Dim dim);
/// @}
/// A view with a new extent of 1 at `dim`, from -rank - 1 to rank. Any dtype. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor unsqueeze(const Tensor& x, Dim dim);
/// A view with extents of 1 (and new ones in front) shown as larger ones; -1 leaves one as it is.
/// It cannot be written to. Any dtype. Gradient: summed over what was repeated.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor expand(const Tensor& x, const Dims& shape);
[[nodiscard]] SWITCHYARD_API Tensor broadcast_to(const Tensor& x, const Dims& shape);
/// @}
/// A view of index `index` of a dimension, which goes. A negative index counts from the end. Any
/// dtype. Gradient: to those elements of `x`, zeros elsewhere.
[[nodiscard]] SWITCHYARD_API Tensor select(const Tensor& x, Dim dim, Int index);
/// A view of indices `start` to start + length - 1 of a dimension, which must be there. Any dtype.
/// Gradient: to those elements of `x`, zeros elsewhere.
[[nodiscard]] SWITCHYARD_API Tensor narrow(const Tensor& x, Dim dim, Int start, Int length);
/// A view of indices start, start + step, ... before `end`, both of which may count from the end or
/// lie beyond it. `step` is positive. Any dtype. Gradient: to those elements of `x`, zeros
/// elsewhere.
[[nodiscard]] SWITCHYARD_API Tensor slice(const Tensor& x, Dim dim, Int start, Int end,
                                          Int step = 1);
/// A view of any shape and strides (in elements, not negative) over the storage of `x`, from its
/// first element on. Any dtype of whole bytes. Gradient: to `x`, summed where an element is shown
/// several times. Error(invalid_argument) for what does not lie in the storage, and for a value of
/// the host.
[[nodiscard]] SWITCHYARD_API Tensor as_strided(const Tensor& x, const Dims& shape,
                                               const Dims& strides, Int storage_offset = 0);
/// A view of the diagonal of `dim1` and `dim2`, which go, as a new last dimension; `offset` is
/// above 0 for one above the main diagonal. Any dtype of whole bytes. Gradient: to those elements
/// of `x`.
[[nodiscard]] SWITCHYARD_API Tensor diagonal(const Tensor& x, Int offset = 0, Dim dim1 = 0,
                                             Dim dim2 = 1);
/// Views of parts of a dimension: of `size` indices each, the last one of what is left; or of
/// `sizes`, which add up to the extent. Any dtype. Gradient: to `x`, from all parts.
/// Error(invalid_argument) for a `size` below 1 and a negative one of `sizes`.
/// @{
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> split(const Tensor& x, std::int64_t size,
                                                       Dim dim = 0);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> split(const Tensor& x, const Dims& sizes,
                                                       Dim dim = 0);
template <Integer S>
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, std::initializer_list<S> sizes,
                                        Dim dim = 0) {
  return split(x, Dims::of(sizes), dim);
}
template <NotInteger S>
[[nodiscard]] std::vector<Tensor> split(const Tensor& x, S size, Dim dim = 0) = delete;
/// @}
/// Views of `chunks` parts of a dimension, all of ceil(extent / chunks) indices but for the last
/// one; there may be fewer parts. Any dtype. Gradient: to `x`, from all parts.
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> chunk(const Tensor& x, Int chunks, Dim dim = 0);
/// Views of all indices of a dimension, which goes: none of an extent of 0. Any dtype. Gradient: to
/// `x`, from all parts.
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> unbind(const Tensor& x, Dim dim = 0);

/// Which of the first two tensors runs along which dimension of the grid: in their order, as rows
/// and columns of a matrix, or the other way round, as x and y of a picture.
enum class MeshgridIndexing { ij, xy };
/// For each of some tensors of rank 1 (rank 0 counts as one element) a view that has its elements
/// along a dimension of its own, and repeats them along those of all others. Any dtype, one for
/// all. Gradient: to each, summed over what was repeated. Error(invalid_argument) for no tensors,
/// and for different dtypes; Error(shape_mismatch) for a higher rank.
/// @{
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> meshgrid(
    std::span<const Tensor> tensors, MeshgridIndexing indexing = MeshgridIndexing::ij);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> meshgrid(
    std::initializer_list<Tensor> tensors, MeshgridIndexing indexing = MeshgridIndexing::ij);
/// @}

/// The tensors one behind the other along a dimension, in a copy: all other extents are equal. The
/// dtypes promote. Tensors of shape [0] do not count. Gradient: to each its part.
/// Error(invalid_argument) for no tensors, Error(shape_mismatch) for rank 0.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor cat(std::span<const Tensor> tensors, Dim dim = 0);
[[nodiscard]] SWITCHYARD_API Tensor cat(std::initializer_list<Tensor> tensors, Dim dim = 0);
/// @}
/// The tensors, all of one shape, along a new dimension, in a copy. The dtypes promote. Gradient:
/// to each its part. Error(invalid_argument) for no tensors.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor stack(std::span<const Tensor> tensors, Dim dim = 0);
[[nodiscard]] SWITCHYARD_API Tensor stack(std::initializer_list<Tensor> tensors, Dim dim = 0);
/// @}
/// A copy that repeats `x` times[i] times along dimension i: [2, 3].repeat({2, 1, 1}) is [2, 2, 3].
/// `times` has at least as many entries as `x` dimensions; extra ones come in front; 0 gives an
/// empty tensor. Any dtype. Gradient: summed over the repetitions. Error(invalid_argument) for a
/// negative number, Error(shape_mismatch) for too few.
[[nodiscard]] SWITCHYARD_API Tensor repeat(const Tensor& x, const Dims& times);
/// The same, where `times` may name fewer dimensions than there are: then it means the last ones.
/// Any dtype. Gradient: summed over the repetitions.
[[nodiscard]] SWITCHYARD_API Tensor tile(const Tensor& x, const Dims& times);
/// A copy that has each index of `dim` `repeats` times in a row; without `dim` each element, as
/// rank 1. Any dtype. Gradient: summed over the repetitions. Error(invalid_argument) for a negative
/// number.
[[nodiscard]] SWITCHYARD_API Tensor repeat_interleave(const Tensor& x, std::int64_t repeats,
                                                      std::optional<Dim> dim = {});
/// The same with a number of times for each index, int64 or int32 of rank 1, or one for all. Waits
/// for them. Any dtype of `x`, to which the gradient goes. Error(invalid_argument) for a negative
/// number, and for as many as there are not indices.
[[nodiscard]] SWITCHYARD_API Tensor repeat_interleave(const Tensor& x, const Tensor& repeats,
                                                      std::optional<Dim> dim = {});
template <NotInteger R>
[[nodiscard]] Tensor repeat_interleave(const Tensor& x, R repeats,
                                       std::optional<Dim> dim = {}) = delete;
/// A copy with the order of the indices of `dims` reversed. Any dtype. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor flip(const Tensor& x, const Dims& dims);
/// A copy whose indices of each of `dims` have moved by the shift at the same place of `shifts`;
/// what leaves at one end comes back at the other. Without dimensions, the elements move by one
/// shift through all indices, as of a flat list. Any dtype. Gradient: to `x`.
/// Error(invalid_argument) for shifts that are not as many as the dimensions.
[[nodiscard]] SWITCHYARD_API Tensor roll(const Tensor& x, const Dims& shifts,
                                         const Dims& dims = {});
/// A copy of matrices, or of batches of them, of which the elements below (above) the diagonal are
/// zero; diagonals above the main one have positive numbers. Any dtype. Gradient: to the elements
/// that stay.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor triu(const Tensor& x, Int diagonal = 0);
[[nodiscard]] SWITCHYARD_API Tensor tril(const Tensor& x, Int diagonal = 0);
/// @}
/// Of rank 1: the square matrix of zeros that has `x` on that diagonal. Of a matrix: a copy of its
/// diagonal. Diagonals above the main one have positive numbers. Any dtype. Gradient: to the
/// diagonal.
[[nodiscard]] SWITCHYARD_API Tensor diag(const Tensor& x, Int diagonal = 0);
/// Matrices of zeros, in dimensions `dim1` (rows) and `dim2` of the result, that have the vectors
/// of the last dimension of `x` on a diagonal. Any dtype. Gradient: to the diagonals.
[[nodiscard]] SWITCHYARD_API Tensor diag_embed(const Tensor& x, Int offset = 0, Dim dim1 = -2,
                                               Dim dim2 = -1);

}  // namespace switchyard
