#pragma once

#include "ops/inference.hpp"

// What becomes of matrices, or of stacks of them, whose rows and columns are the last two
// dimensions: factors, inverses, solutions.
namespace switchyard {

/// Cholesky, Inverse: a square matrix gives one of its shape.
void square_matrix_shape(Inference& inference);

/// Solve, TriangularSolve: A [..., n, n] and B [..., n, k] give [..., n, k], and stacks broadcast.
void solve_shape(Inference& inference);

/// SlogDet: two numbers for each square matrix.
void slog_det_shape(Inference& inference);

/// Qr: [..., m, n] gives [..., m, k] and [..., k, n], where k is the lesser of m and n.
void qr_shape(Inference& inference);

/// Svd: [..., m, n] gives [..., k], [..., m, k] and [..., k, n].
void svd_shape(Inference& inference);

/// Eigh: [..., n, n] gives [..., n] and [..., n, n].
void eigh_shape(Inference& inference);

/// PseudoInverse: [..., m, n] gives [..., n, m].
void pseudo_inverse_shape(Inference& inference);

}  // namespace switchyard
