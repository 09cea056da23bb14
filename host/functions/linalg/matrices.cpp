#include "functions/linalg/matrices.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/numbers.hpp"
#include "types/describe.hpp"

namespace switchyard {

Tensor as_matrices(std::string_view function, const Tensor& x) {
  if (x.dim() >= 2) return as_floating(x);
  throw Error(ErrorKind::shape_mismatch, fmt::format("[{}] {} must be a matrix or a stack of them",
                                                     function, describe(x.shape())));
}

Tensor as_square_matrices(std::string_view function, const Tensor& x) {
  const Tensor matrices = as_matrices(function, x);
  if (x.size(-1) == x.size(-2)) return matrices;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] {} must be a square matrix or a stack of them", function,
                          describe(x.shape())));
}

Tensor turned(const Tensor& matrices) { return transpose(matrices, -2, -1); }

bool are_vectors(const Tensor& a, const Tensor& b) {
  if (b.dim() == 1) return true;
  Dims one_for_each = a.shape();
  one_for_each.erase(one_for_each.size() - 1);
  return b.shape() == one_for_each;
}

}  // namespace switchyard
