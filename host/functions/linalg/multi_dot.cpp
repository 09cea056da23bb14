// Products of many matrices.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <vector>

#include "error/called_function.hpp"
#include "functions/calls/require.hpp"

namespace switchyard::linalg {
namespace {

/// The cheapest order of products, by dynamic programming (Cormen and others, Introduction to
/// Algorithms, 15.2): where the product of tensors `first` to `last` is cut in two.
class Chain {
 public:
  explicit Chain(std::vector<Tensor> matrices)
      : matrices_(std::move(matrices)),
        costs_(matrices_.size() * matrices_.size(), 0.0),
        cuts_(costs_.size(), 0) {
    for (std::size_t length = 1; length < matrices_.size(); ++length) {
      for (std::size_t first = 0; first + length < matrices_.size(); ++first) {
        choose(first, first + length);
      }
    }
  }

  Tensor product() const { return product(0, matrices_.size() - 1); }

 private:
  std::size_t at(std::size_t first, std::size_t last) const {
    return first * matrices_.size() + last;
  }

  void choose(std::size_t first, std::size_t last) {
    const double ends = static_cast<double>(matrices_[first].size(0)) *
                        static_cast<double>(matrices_[last].size(1));
    for (std::size_t cut = first; cut < last; ++cut) {
      const double own = ends * static_cast<double>(matrices_[cut].size(1));
      const double cost = costs_[at(first, cut)] + costs_[at(cut + 1, last)] + own;
      if (cut > first && cost >= costs_[at(first, last)]) continue;
      costs_[at(first, last)] = cost;
      cuts_[at(first, last)] = cut;
    }
  }

  Tensor product(std::size_t first, std::size_t last) const {
    if (first == last) return matrices_[first];
    const std::size_t cut = cuts_[at(first, last)];
    return matmul(product(first, cut), product(cut + 1, last));
  }

  std::vector<Tensor> matrices_;
  std::vector<double> costs_;  // multiplications
  std::vector<std::size_t> cuts_;
};

}  // namespace

Tensor multi_dot(std::span<const Tensor> tensors) {
  const CalledFunction here;
  if (tensors.size() < 2) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[multi_dot] needs two tensors or more; got {}", tensors.size()));
  }
  std::vector<Tensor> matrices(tensors.begin(), tensors.end());
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const bool is_end = i == 0 || i + 1 == matrices.size();
    require_rank("multi_dot", matrices[i], is_end ? 1 : 2, 2);
  }
  const bool has_row = matrices.front().dim() == 1, has_column = matrices.back().dim() == 1;
  if (has_row) matrices.front() = unsqueeze(matrices.front(), 0);
  if (has_column) matrices.back() = unsqueeze(matrices.back(), 1);
  Tensor product = Chain(std::move(matrices)).product();
  if (has_column) product = squeeze(product, 1);
  return has_row ? squeeze(product, 0) : product;
}

}  // namespace switchyard::linalg
