// The routines of LAPACK and BLAS that the kernels of this folder call, of a LAPACK whose integers
// have 32 bits. They are Fortran's: all arguments are addresses, matrices are column-major, and
// behind the others stands, unseen in Fortran, the length of each text. Libraries written in C,
// among them Accelerate, ask for no lengths and do not mind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "switchyard/plugin/guard.hpp"

extern "C" {
// Factors of a symmetric positive definite matrix, of a matrix (with pivots), and solutions by
// those and by a triangle.
void spotrf_(const char* triangle, const int* n, float* a, const int* lda, int* info, size_t);
void dpotrf_(const char* triangle, const int* n, double* a, const int* lda, int* info, size_t);
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* pivots, int* info);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void sgetrs_(const char* transposed, const int* n, const int* count, const float* a, const int* lda,
             const int* pivots, float* b, const int* ldb, int* info, size_t);
void dgetrs_(const char* transposed, const int* n, const int* count, const double* a,
             const int* lda, const int* pivots, double* b, const int* ldb, int* info, size_t);
void strtrs_(const char* triangle, const char* transposed, const char* diagonal, const int* n,
             const int* count, const float* a, const int* lda, float* b, const int* ldb, int* info,
             size_t, size_t, size_t);
void dtrtrs_(const char* triangle, const char* transposed, const char* diagonal, const int* n,
             const int* count, const double* a, const int* lda, double* b, const int* ldb,
             int* info, size_t, size_t, size_t);
// Reflections that make a triangle, and the orthonormal columns that they stand for.
void sgeqrf_(const int* m, const int* n, float* a, const int* lda, float* tau, float* work,
             const int* work_size, int* info);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* work_size, int* info);
void sorgqr_(const int* m, const int* n, const int* k, float* a, const int* lda, const float* tau,
             float* work, const int* work_size, int* info);
void dorgqr_(const int* m, const int* n, const int* k, double* a, const int* lda, const double* tau,
             double* work, const int* work_size, int* info);
// Singular values and eigenvalues, by dividing and conquering.
void sgesdd_(const char* job, const int* m, const int* n, float* a, const int* lda, float* s,
             float* u, const int* ldu, float* vt, const int* ldvt, float* work,
             const int* work_size, int* integers, int* info, size_t);
void dgesdd_(const char* job, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work,
             const int* work_size, int* integers, int* info, size_t);
void ssyevd_(const char* job, const char* triangle, const int* n, float* a, const int* lda,
             float* w, float* work, const int* work_size, int* integers, const int* integer_count,
             int* info, size_t, size_t);
void dsyevd_(const char* job, const char* triangle, const int* n, double* a, const int* lda,
             double* w, double* work, const int* work_size, int* integers, const int* integer_count,
             int* info, size_t, size_t);
// alpha op(A) op(B) + beta C.
void sgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n,
            const int* k, const float* alpha, const float* a, const int* lda, const float* b,
            const int* ldb, const float* beta, float* c, const int* ldc, size_t, size_t);
void dgemm_(const char* transposed_a, const char* transposed_b, const int* m, const int* n,
            const int* k, const double* alpha, const double* a, const int* lda, const double* b,
            const int* ldb, const double* beta, double* c, const int* ldc, size_t, size_t);
}

namespace cpu {

// The routines by the type of their numbers.
template <typename T>
struct Lapack;

template <>
struct Lapack<float> {
  static constexpr auto* potrf = spotrf_;
  static constexpr auto* getrf = sgetrf_;
  static constexpr auto* getrs = sgetrs_;
  static constexpr auto* trtrs = strtrs_;
  static constexpr auto* geqrf = sgeqrf_;
  static constexpr auto* orgqr = sorgqr_;
  static constexpr auto* gesdd = sgesdd_;
  static constexpr auto* syevd = ssyevd_;
  static constexpr auto* gemm = sgemm_;
};

template <>
struct Lapack<double> {
  static constexpr auto* potrf = dpotrf_;
  static constexpr auto* getrf = dgetrf_;
  static constexpr auto* getrs = dgetrs_;
  static constexpr auto* trtrs = dtrtrs_;
  static constexpr auto* geqrf = dgeqrf_;
  static constexpr auto* orgqr = dorgqr_;
  static constexpr auto* gesdd = dgesdd_;
  static constexpr auto* syevd = dsyevd_;
  static constexpr auto* gemm = dgemm_;
};

// An extent as LAPACK counts it.
inline int lapack_extent(int64_t extent) {
  if (extent > std::numeric_limits<int>::max()) {
    throw sy::unsupported(SY_REASON_LIMIT, "an extent of ", extent, " is more than LAPACK counts, ",
                          std::numeric_limits<int>::max());
  }
  return static_cast<int>(extent);
}

// How many numbers a routine wants to work with, of what it answered: a float32 may be rounded
// down.
inline int work_size(double answer) {
  return lapack_extent(static_cast<int64_t>(answer * 1.000001) + 1);
}

}  // namespace cpu
