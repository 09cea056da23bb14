#include "ops/shapes/matrices.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// One input's stack, rows and columns.
struct Matrices {
  Dims stack;
  std::int64_t rows, columns;

  std::int64_t lesser() const {
    const bool is_unknown = rows == kUnknown || columns == kUnknown;
    return is_unknown ? kUnknown : std::min(rows, columns);
  }
  Dims with(std::initializer_list<std::int64_t> extents) const {
    Dims shape = stack;
    for (const std::int64_t extent : extents) shape.push_back(extent);
    return shape;
  }
};

/// Nothing where the rank is unknown.
std::optional<Matrices> matrices(const Inference& inference, std::size_t input) {
  if (!inference.has_rank(input)) return std::nullopt;
  const Dims& shape = inference.shape(input);
  const std::size_t rank = shape.size();
  if (rank < 2) {
    inference.mismatch(
        fmt::format("input {} must be a matrix or a stack of them", describe(shape)));
  }
  Matrices made{shape, shape[rank - 2], shape[rank - 1]};
  made.stack.resize(rank - 2);
  return made;
}

std::optional<Matrices> square_matrices(const Inference& inference, std::size_t input) {
  std::optional<Matrices> made = matrices(inference, input);
  if (!made) return made;
  if (!may_equal(made->rows, made->columns)) {
    inference.mismatch(fmt::format("input {} must be a square matrix or a stack of them",
                                   describe(inference.shape(input))));
  }
  if (made->rows == kUnknown) made->rows = made->columns;
  return made;
}

}  // namespace

void square_matrix_shape(Inference& inference) {
  const auto x = square_matrices(inference, 0);
  if (x) inference.set_shape(0, x->with({x->rows, x->rows}));
}

void solve_shape(Inference& inference) {
  const auto a = square_matrices(inference, 0);
  const auto b = matrices(inference, 1);
  if (!a || !b) return;
  if (!may_equal(a->rows, b->rows)) {
    inference.mismatch(
        fmt::format("matrices {} and right-hand sides {} do not go together: {} "
                    "unknowns and {} rows",
                    describe(inference.shape(0)), describe(inference.shape(1)), a->rows, b->rows));
  }
  Dims shape = broadcast(inference, a->stack, b->stack);
  shape.push_back(a->rows == kUnknown ? b->rows : a->rows);
  shape.push_back(b->columns);
  inference.set_shape(0, std::move(shape));
}

void slog_det_shape(Inference& inference) {
  const auto x = square_matrices(inference, 0);
  if (!x) return;
  inference.set_shape(0, x->stack);
  inference.set_shape(1, x->stack);
}

void qr_shape(Inference& inference) {
  const auto x = matrices(inference, 0);
  if (!x) return;
  inference.set_shape(0, x->with({x->rows, x->lesser()}));
  inference.set_shape(1, x->with({x->lesser(), x->columns}));
}

void svd_shape(Inference& inference) {
  const auto x = matrices(inference, 0);
  if (!x) return;
  inference.set_shape(0, x->with({x->lesser()}));
  inference.set_shape(1, x->with({x->rows, x->lesser()}));
  inference.set_shape(2, x->with({x->lesser(), x->columns}));
}

void eigh_shape(Inference& inference) {
  const auto x = square_matrices(inference, 0);
  if (!x) return;
  inference.set_shape(0, x->with({x->rows}));
  inference.set_shape(1, x->with({x->rows, x->rows}));
}

void pseudo_inverse_shape(Inference& inference) {
  const auto x = matrices(inference, 0);
  if (x) inference.set_shape(0, x->with({x->columns, x->rows}));
}

}  // namespace switchyard
