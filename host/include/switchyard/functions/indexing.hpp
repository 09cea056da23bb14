#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// A range of indices: Slice() is all, Slice(1, 3), Slice({}, -1), Slice(0, {}, 2).
struct SWITCHYARD_API Slice {
  std::optional<std::int64_t> start, stop;
  std::int64_t step = 1;

  Slice(std::optional<std::int64_t> start = {}, std::optional<std::int64_t> stop = {},
        std::int64_t step = 1)
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
  enum class Kind { integer, slice, ellipsis, new_axis, tensor };

  Index(std::integral auto index) : kind(Kind::integer), integer(index) {}
  Index(Slice slice) : kind(Kind::slice), slice(slice) {}
  Index(Ellipsis) : kind(Kind::ellipsis) {}
  Index(NewAxis) : kind(Kind::new_axis) {}
  Index(const Tensor& tensor) : kind(Kind::tensor), tensor(tensor) {}

  Kind kind;
  std::int64_t integer = 0;
  Slice slice;
  Tensor tensor;
};

/// What x[...] gives: the elements (a view where there are no tensors among the indices, else a
/// copy), which may be assigned to where they stand: `x[{0, Slice(1, 3)}] = 5` and `x[mask] += 1`
/// write to x. Under a name of its own, `auto row = x[0]`, it is a tensor that cannot be assigned
/// to: declare `Tensor row = x[0]`.
class SWITCHYARD_API Indexed : public Tensor {
 public:
  Indexed(const Tensor& of, std::vector<Index> indices);
  Indexed(const Indexed&) = default;
  /// index_put_(), with the assigned elements.
  void operator=(const Tensor& value) const&&;
  void operator=(const Indexed& value) const&& {
    std::move(*this) = static_cast<const Tensor&>(value);
  }
  void operator=(const Tensor&) const& = delete;
  void operator=(const Indexed&) const& = delete;

  /// The same with the result. Of two equal indices either result may stay.
  void operator+=(const Tensor& other) const&& { put_back(add_(other)); }
  void operator-=(const Tensor& other) const&& { put_back(sub_(other)); }
  void operator*=(const Tensor& other) const&& { put_back(mul_(other)); }
  void operator/=(const Tensor& other) const&& { put_back(div_(other)); }
  Tensor operator+=(const Tensor& other) const& { return add_(other); }
  Tensor operator-=(const Tensor& other) const& { return sub_(other); }
  Tensor operator*=(const Tensor& other) const& { return mul_(other); }
  Tensor operator/=(const Tensor& other) const& { return div_(other); }

 private:
  /// Writes what a copy has become to where it was copied from.
  void put_back(const Tensor& changed) const;

  Tensor of_;
  std::vector<Index> indices_;
};

// Functions of int64 or int32 indices. One that is negative, or beyond its dimension, is an error
// here, of the call or of the next wait for its device; x[...] counts negative ones from the end.

/// Elements of `dim` at `index`, a tensor of rank 1.
[[nodiscard]] SWITCHYARD_API Tensor index_select(const Tensor& x, std::int64_t dim,
                                                 const Tensor& index);
/// out[i][j] = x[index[i][j]][j] for dim 0, and so on; `index` has the rank of `x`.
[[nodiscard]] SWITCHYARD_API Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index);
/// The same where `index` broadcasts against `x`, but for `dim`: what sort() and argmax() with
/// `keepdim` give. Without `dim` the elements of `x` at an index of any shape, as rank 1.
[[nodiscard]] SWITCHYARD_API Tensor take_along_dim(const Tensor& x, const Tensor& index,
                                                   std::optional<std::int64_t> dim = {});
/// The inverse: x with x[index[i][j]][j] = source[i][j]. Of two writes to one element
/// either may stay.
[[nodiscard]] SWITCHYARD_API Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index,
                                            const Tensor& source);
[[nodiscard]] SWITCHYARD_API Tensor scatter_add(const Tensor& x, std::int64_t dim,
                                                const Tensor& index, const Tensor& source);
/// How scatter_reduce() joins what is written to one element.
enum class ScatterReduction { sum, prod, mean, amax, amin };
/// scatter() that joins what it writes to one element with what is there, or, without
/// `include_self`, with nothing else. Means of integers are rounded down. What nothing is written
/// to stays. Bools are an error.
[[nodiscard]] SWITCHYARD_API Tensor scatter_reduce(const Tensor& x, std::int64_t dim,
                                                   const Tensor& index, const Tensor& source,
                                                   ScatterReduction reduction,
                                                   bool include_self = true);
/// x with source[i] added to index[i] of `dim`.
[[nodiscard]] SWITCHYARD_API Tensor index_add(const Tensor& x, std::int64_t dim,
                                              const Tensor& index, const Tensor& source);
/// The elements where the mask is true, as rank 1.
[[nodiscard]] SWITCHYARD_API Tensor masked_select(const Tensor& x, const Tensor& mask);
/// [n, rank] indices of the elements that are not zero, as int64.
[[nodiscard]] SWITCHYARD_API Tensor nonzero(const Tensor& x);
/// Rows of `weight` [count, size]: [..., size]. Rows `padding_idx` get no gradient.
[[nodiscard]] SWITCHYARD_API Tensor embedding(const Tensor& indices, const Tensor& weight,
                                              std::optional<std::int64_t> padding_idx = {});
/// What embedding_bag() makes of the rows of a bag.
enum class EmbeddingBagMode { mean, max, sum };
struct EmbeddingBagOptions {
  bool include_last_offset = false;  // the last offset is where the last bag ends
  EmbeddingBagMode mode = EmbeddingBagMode::mean;
  std::optional<std::int64_t> padding_idx = {};  // a row that counts for no bag
};
/// Rows of `weight` [count, size], one of each bag of indices: [B, size]. Bags are the rows of
/// indices [B, L], or lie one after the other in indices [L], each from its offset on; the values
/// of offsets [B] are waited for. Rows are multiplied by per_sample_weights, of the shape of the
/// indices, for the mode `sum` alone. A bag of nothing is zeros.
[[nodiscard]] SWITCHYARD_API Tensor embedding_bag(const Tensor& indices, const Tensor& weight,
                                                  const Tensor& offsets = {},
                                                  const Tensor& per_sample_weights = {},
                                                  const EmbeddingBagOptions& options = {});
/// int64 ones where the new last dimension is the index.
[[nodiscard]] SWITCHYARD_API Tensor one_hot(const Tensor& indices, std::int64_t classes);

}  // namespace switchyard
