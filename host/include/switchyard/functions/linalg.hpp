#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include <switchyard/functions/creation.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

/// Linear algebra, named as in torch.linalg. Matrices are the last two dimensions, [..., rows,
/// columns]; the dimensions before them are a stack, of which each matrix is treated by itself, and
/// stacks of two arguments broadcast. Strides may be any; a stack may be empty, and a matrix have
/// no rows or no columns.
///
/// Elements are float32 or float64, and two arguments promote; integers and bools become float32.
/// float16 and bfloat16 have too few digits and are Error(invalid_argument), but in an Autocast
/// scope, which makes them float32, and for det, norms and products. Results are new tensors on the
/// device of the arguments, or for what no device there takes on the next one of the order, and
/// copied back.
///
/// A matrix that holds a NaN or an infinity gives NaN throughout, but where det and matrix_power
/// carry it on as products do, and the rest of its stack is not touched by it. A matrix that the
/// function cannot answer for (a singular one, one that is not
/// positive definite) is Error(invalid_argument), which names op and matrix; a device that computes
/// later tells of it at a wait.
///
/// All have gradients, and gradients of those, unless the function says otherwise. The gradient of
/// a function that reads one triangle of a symmetric matrix is symmetric.
namespace switchyard::linalg {

/// The determinant of square matrices: [..., n, n] gives [...]. Also of float16 and bfloat16. The
/// gradient is that of cofactors, right for singular matrices, too.
[[nodiscard]] SWITCHYARD_API Tensor det(const Tensor& x);

/// What slogdet() gives.
struct SignAndLogarithm {
  Tensor sign;       ///< -1, 0 or 1
  Tensor logarithm;  ///< of the size
};
/// The sign of the determinant and the logarithm of its size, where the determinant itself would
/// overflow: 0 and -infinity of a singular matrix. The gradient of the logarithm is x^-T (Petersen
/// and Pedersen, The Matrix Cookbook, 2012, formula 57), and an error where x is singular; the sign
/// has none.
[[nodiscard]] SWITCHYARD_API SignAndLogarithm slogdet(const Tensor& x);

/// The inverses of square matrices. Error(invalid_argument) if one is singular. With Y = x^-1 the
/// gradient is -Y^T dY Y^T (Giles, An extended collection of matrix derivative results, 2008,
/// 2.2.3).
[[nodiscard]] SWITCHYARD_API Tensor inv(const Tensor& x);
/// The inverse by Moore and Penrose, [..., m, n] to [..., n, m], of any matrix. Singular values of
/// at most max(atol, rtol times the largest) count as 0; `rtol` is the larger extent times the
/// distance from 1 to the next number if both are left out, and 0 if it alone is. The gradient
/// (Golub and Pereyra, The differentiation of pseudo-inverses, 1973) is that for a constant rank.
[[nodiscard]] SWITCHYARD_API Tensor pinv(const Tensor& x, std::optional<Real> atol = {},
                                         std::optional<Real> rtol = {});

/// X such that a X = b, for square `a` [..., n, n]. `b` holds matrices [..., n, k], or vectors: it
/// does if it has rank 1, or a rank one less than a's and the shape of `a` without its last
/// extent. Without `left`: X a = b, for b [..., k, n]. Error(invalid_argument) if an `a` is
/// singular. The gradients are db = a^-T dX and da = -db X^T (Giles, 2008, 2.3.1).
[[nodiscard]] SWITCHYARD_API Tensor solve(const Tensor& a, const Tensor& b, Flag left = true);
/// How solve_triangular() reads its arguments.
struct SolveTriangularOptions {
  bool left = true;            ///< a X = b; else X a = b
  bool unitriangular = false;  ///< the diagonal counts as 1 and is not read
  bool upper = false;          ///< else the lower triangle of `a` is read; no other element is
};
/// The same for a triangle `a`, and for `b` of matrices alone: no less than rank 2. The gradient of
/// `a` is that of `solve`, in its triangle.
[[nodiscard]] SWITCHYARD_API Tensor solve_triangular(const Tensor& a, const Tensor& b,
                                                     const SolveTriangularOptions& options = {});

/// L, with zeros above its diagonal, such that L L^T = x; with `upper` its transpose. Of x, which
/// is symmetric and positive definite, the lower triangle alone is read (with `upper`, the upper
/// one). Error(invalid_argument) if one is not positive definite. The gradient is that of Murray,
/// Differentiation of the Cholesky decomposition, 2016, formula 9.
[[nodiscard]] SWITCHYARD_API Tensor cholesky(const Tensor& x, Flag upper = false);

/// What qr() gives.
struct OrthonormalAndTriangle {
  Tensor q;  ///< [..., m, k]
  Tensor r;  ///< [..., k, n]
};
/// q r = x with k, the lesser of m and n, orthonormal columns: x is [..., m, n], q [..., m, k], and
/// r [..., k, n] has zeros below its diagonal, whose elements have either sign. The gradient
/// (Walter and Lehmann, Algorithmic differentiation of linear algebra functions, 2010; for m < n,
/// Roberts and Roberts, QR and LQ decomposition matrix backpropagation, 2020) is an error where the
/// first k columns of x depend on each other.
[[nodiscard]] SWITCHYARD_API OrthonormalAndTriangle qr(const Tensor& x);

/// What svd() gives.
struct SingularDecomposition {
  Tensor u;   ///< [..., m, k]
  Tensor s;   ///< [..., k]
  Tensor vh;  ///< [..., k, n]
};
/// u diag(s) vh = x with k, the lesser of m and n, singular values from the largest on: x is [...,
/// m, n], u [..., m, k], s [..., k] and vh [..., k, n]. Vectors are known but for their sign, and
/// those of equal values but for a rotation. The gradient by u and vh (Townsend, Differentiating
/// the singular value decomposition, 2016) is not finite where values are equal or 0; that by s
/// alone always is.
[[nodiscard]] SWITCHYARD_API SingularDecomposition svd(const Tensor& x);
/// s alone.
[[nodiscard]] SWITCHYARD_API Tensor svdvals(const Tensor& x);

/// What eigh() gives.
struct Eigen {
  Tensor values;   ///< [..., n]
  Tensor vectors;  ///< [..., n, n]
};
/// Eigenvalues in rising order, [..., n], and eigenvectors as columns, [..., n, n], of a symmetric
/// x, of which the lower triangle alone is read; with `upper`, the upper one. Vectors are known as
/// those of svd. Their gradient (Giles, 2008, 3.1) is not finite where values are equal; that by
/// the values alone always is.
[[nodiscard]] SWITCHYARD_API Eigen eigh(const Tensor& x, Flag upper = false);
/// The values alone.
[[nodiscard]] SWITCHYARD_API Tensor eigvalsh(const Tensor& x, Flag upper = false);

/// What lstsq() gives.
struct LeastSquares {
  Tensor solution;   ///< [..., n, k]
  Tensor residuals;  ///< [..., k]: sums of the squares of what is left, or [0] unless m > n
};
/// X for which the squares of a X - b have the least sum; where several do, that with the least
/// squares of its own. `a` is [..., m, n], of any rank, and `b` [..., m, k], or vectors as in
/// `solve`, in whose solution and residuals k is left out. Made of pinv, whose usual tolerance
/// says what counts as 0, and so with its gradient. PyTorch leaves residuals out where the rank is
/// less than n, too.
[[nodiscard]] SWITCHYARD_API LeastSquares lstsq(const Tensor& a, const Tensor& b);

/// n matrices multiplied; of n = 0 the unit matrix, and of n < 0 the inverse multiplied -n times.
[[nodiscard]] SWITCHYARD_API Tensor matrix_power(const Tensor& x, Int n);
/// How many singular values are above max(atol, rtol times the largest), as int64 [...]; the
/// defaults are those of pinv. No gradient.
[[nodiscard]] SWITCHYARD_API Tensor matrix_rank(const Tensor& x, std::optional<Real> atol = {},
                                                std::optional<Real> rtol = {});
/// The product of two matrices or more, in the order that takes the fewest multiplications. The
/// first may be a vector, which counts as a row, and the last one, which counts as a column. Also
/// of other types than the rest here.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor multi_dot(std::span<const Tensor> tensors);
[[nodiscard]] inline Tensor multi_dot(std::initializer_list<Tensor> tensors) {
  return multi_dot(std::span<const Tensor>(tensors.begin(), tensors.size()));
}
/// @}

/// (sum of |x|^order)^(1 / order) over all elements or those of `dims`, which stay as 1 with
/// `keepdim`. Order infinity is the largest |x|, -infinity the least, 0 counts what is not 0. Of
/// floating-point elements.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor vector_norm(const Tensor& x, Real order = 2,
                                                const Dims& dims = {}, Flag keepdim = false);
template <Integer D>
[[nodiscard]] Tensor vector_norm(const Tensor& x, std::initializer_list<D> dims) = delete;
/// @}
/// `frobenius`: the root of the sum of squares; `nuclear`: the sum of the singular values.
enum class MatrixNorm { frobenius, nuclear };
/// A norm of matrices in the two different dimensions `dims`, which go, or stay as 1 with
/// `keepdim`.
[[nodiscard]] SWITCHYARD_API Tensor matrix_norm(const Tensor& x,
                                                MatrixNorm order = MatrixNorm::frobenius,
                                                const Dims& dims = {-2, -1}, Flag keepdim = false);
/// By number: 1 and -1 are the largest and least sum of |x| in a column, infinity and -infinity in
/// a row, 2 and -2 the largest and least singular value. Others are Error(invalid_argument).
[[nodiscard]] SWITCHYARD_API Tensor matrix_norm(const Tensor& x, Real order,
                                                const Dims& dims = {-2, -1}, Flag keepdim = false);
/// Without an order, vector_norm of order 2 over all elements or those of `dims`. With one,
/// vector_norm of one dimension, or of an x of rank 1, and matrix_norm of two, or of an x of rank
/// 2; Error(invalid_argument) for more.
/// @{
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, std::optional<Real> order = {},
                                         const Dims& dims = {}, Flag keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, MatrixNorm order, const Dims& dims = {},
                                         Flag keepdim = false);
[[nodiscard]] inline Tensor norm(const Tensor& x,
                                 std::initializer_list<switchyard::detail::NoOptions>,
                                 const Dims& dims = {}, Flag keepdim = false) {
  return norm(x, std::optional<Real>(), dims, keepdim);
}
/// @}

}  // namespace switchyard::linalg
