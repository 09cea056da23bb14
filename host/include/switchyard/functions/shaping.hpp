#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <switchyard/tensor.hpp>

namespace switchyard {

// Views: the result shares the elements. One extent of a new shape may be -1: what is left.

/// A view where strides allow it, else a copy.
[[nodiscard]] SWITCHYARD_API Tensor reshape(const Tensor& x, const Dims& shape);
/// Dimensions `start_dim` to `end_dim` as one.
[[nodiscard]] SWITCHYARD_API Tensor flatten(const Tensor& x, std::int64_t start_dim = 0,
                                            std::int64_t end_dim = -1);
[[nodiscard]] SWITCHYARD_API Tensor unflatten(const Tensor& x, std::int64_t dim, const Dims& shape);
[[nodiscard]] SWITCHYARD_API Tensor transpose(const Tensor& x, std::int64_t dim0,
                                              std::int64_t dim1);
/// Dimension i of the result is dimension dims[i].
[[nodiscard]] SWITCHYARD_API Tensor permute(const Tensor& x, const Dims& dims);
[[nodiscard]] SWITCHYARD_API Tensor movedim(const Tensor& x, std::int64_t source,
                                            std::int64_t destination);
/// Without extents of 1: all, or that one if it is 1.
[[nodiscard]] SWITCHYARD_API Tensor squeeze(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor squeeze(const Tensor& x, std::int64_t dim);
[[nodiscard]] SWITCHYARD_API Tensor unsqueeze(const Tensor& x, std::int64_t dim);
/// Extents of 1 (and new ones in front) shown as larger ones; -1 leaves one as it is.
[[nodiscard]] SWITCHYARD_API Tensor expand(const Tensor& x, const Dims& shape);
[[nodiscard]] SWITCHYARD_API Tensor broadcast_to(const Tensor& x, const Dims& shape);
/// Index `index` of a dimension, which goes.
[[nodiscard]] SWITCHYARD_API Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index);
[[nodiscard]] SWITCHYARD_API Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start,
                                           std::int64_t length);
/// Indices start, start + step, ... before `end`, both of which may count from the end or lie
/// beyond it. `step` is positive.
[[nodiscard]] SWITCHYARD_API Tensor slice(const Tensor& x, std::int64_t dim, std::int64_t start,
                                          std::int64_t end, std::int64_t step = 1);
/// Any shape and strides (in elements) over the storage of `x`, from its first element on.
[[nodiscard]] SWITCHYARD_API Tensor as_strided(const Tensor& x, const Dims& shape,
                                               const Dims& strides,
                                               std::int64_t storage_offset = 0);
[[nodiscard]] SWITCHYARD_API Tensor diagonal(const Tensor& x, std::int64_t offset = 0,
                                             std::int64_t dim1 = 0, std::int64_t dim2 = 1);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> split(const Tensor& x, std::int64_t size,
                                                       std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> split(const Tensor& x, const Dims& sizes,
                                                       std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> chunk(const Tensor& x, std::int64_t chunks,
                                                       std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> unbind(const Tensor& x, std::int64_t dim = 0);

/// Which of the first two tensors runs along which dimension of the grid: in their order, as rows
/// and columns of a matrix, or the other way round, as x and y of a picture.
enum class MeshgridIndexing { ij, xy };
/// For each of some tensors of rank 1 (rank 0 counts as one element) a view that has its elements
/// along a dimension of its own, and repeats them along those of all others. The types are equal.
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> meshgrid(
    std::span<const Tensor> tensors, MeshgridIndexing indexing = MeshgridIndexing::ij);
[[nodiscard]] SWITCHYARD_API std::vector<Tensor> meshgrid(
    std::initializer_list<Tensor> tensors, MeshgridIndexing indexing = MeshgridIndexing::ij);

// Copies.

[[nodiscard]] SWITCHYARD_API Tensor cat(std::span<const Tensor> tensors, std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API Tensor cat(std::initializer_list<Tensor> tensors,
                                        std::int64_t dim = 0);
/// Along a new dimension.
[[nodiscard]] SWITCHYARD_API Tensor stack(std::span<const Tensor> tensors, std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API Tensor stack(std::initializer_list<Tensor> tensors,
                                          std::int64_t dim = 0);
[[nodiscard]] SWITCHYARD_API Tensor repeat(const Tensor& x, const Dims& times);
/// The same, where `times` may name fewer dimensions than there are: then it means the last ones.
[[nodiscard]] SWITCHYARD_API Tensor tile(const Tensor& x, const Dims& times);
/// Each index of `dim` `repeats` times in a row; without `dim` each element, as rank 1.
[[nodiscard]] SWITCHYARD_API Tensor repeat_interleave(const Tensor& x, std::int64_t repeats,
                                                      std::optional<std::int64_t> dim = {});
/// The same with a number of times for each index, int64 or int32 of rank 1, or one for all. Waits
/// for them.
[[nodiscard]] SWITCHYARD_API Tensor repeat_interleave(const Tensor& x, const Tensor& repeats,
                                                      std::optional<std::int64_t> dim = {});
template <std::floating_point R>
[[nodiscard]] Tensor repeat_interleave(const Tensor& x, R repeats,
                                       std::optional<std::int64_t> dim = {}) = delete;
[[nodiscard]] SWITCHYARD_API Tensor flip(const Tensor& x, const Dims& dims);
[[nodiscard]] SWITCHYARD_API Tensor roll(const Tensor& x, std::int64_t shift, std::int64_t dim);
/// Elements below (above) the diagonal are zero.
[[nodiscard]] SWITCHYARD_API Tensor triu(const Tensor& x, std::int64_t diagonal = 0);
[[nodiscard]] SWITCHYARD_API Tensor tril(const Tensor& x, std::int64_t diagonal = 0);
/// Of rank 1: the square matrix of zeros that has `x` on that diagonal. Of a matrix: a copy of its
/// diagonal. Diagonals above the main one have positive numbers.
[[nodiscard]] SWITCHYARD_API Tensor diag(const Tensor& x, std::int64_t diagonal = 0);
/// Matrices of zeros, in dimensions `dim1` (rows) and `dim2` of the result, that have the vectors
/// of the last dimension of `x` on a diagonal.
[[nodiscard]] SWITCHYARD_API Tensor diag_embed(const Tensor& x, std::int64_t offset = 0,
                                               std::int64_t dim1 = -2, std::int64_t dim2 = -1);

}  // namespace switchyard
