#include <utility>

#include "functions/wrong_calls/wrong_calls.hpp"

namespace switchyard {

namespace {

Tensor singular_matrix() { return ones({2, 2}); }
Tensor half_unit() { return ones({2, 2}, {.dtype = DType::float16}); }
Tensor complex_numbers() { return ones({3, 2}); }

using OfMatrix = std::function<void(const Tensor&)>;

/// Functions of square matrices, which neither a tall matrix nor a vector is.
const std::pair<const char*, OfMatrix> kOfSquares[] = {
    {"linalg::det", [](const Tensor& x) { linalg::det(x); }},
    {"linalg::slogdet", [](const Tensor& x) { linalg::slogdet(x); }},
    {"linalg::inv", [](const Tensor& x) { linalg::inv(x); }},
    {"linalg::matrix_power", [](const Tensor& x) { linalg::matrix_power(x, 2); }},
    {"linalg::cholesky", [](const Tensor& x) { linalg::cholesky(x); }},
    {"linalg::eigh", [](const Tensor& x) { linalg::eigh(x); }},
    {"linalg::eigvalsh", [](const Tensor& x) { linalg::eigvalsh(x); }},
    {"linalg::solve",
     [](const Tensor& x) {
       linalg::solve(x, ones({2, 1}));
     }},
    {"linalg::solve_triangular", [](const Tensor& x) {
       linalg::solve_triangular(x, ones({2, 1}));
     }}};

/// Functions of any matrices, which a vector is not.
const std::pair<const char*, OfMatrix> kOfMatrices[] = {
    {"linalg::qr", [](const Tensor& x) { linalg::qr(x); }},
    {"linalg::svd", [](const Tensor& x) { linalg::svd(x); }},
    {"linalg::svdvals", [](const Tensor& x) { linalg::svdvals(x); }},
    {"linalg::pinv", [](const Tensor& x) { linalg::pinv(x); }},
    {"linalg::matrix_rank", [](const Tensor& x) { linalg::matrix_rank(x); }},
    {"linalg::lstsq",
     [](const Tensor& x) {
       linalg::lstsq(x, ones({2, 1}));
     }},
    {"linalg::matrix_norm", [](const Tensor& x) { linalg::matrix_norm(x, 2); }}};

/// Functions of complex numbers.
const std::pair<const char*, OfMatrix> kOfComplex[] = {
    {"fft::fft", [](const Tensor& x) { fft::fft(x); }},
    {"fft::ifft", [](const Tensor& x) { fft::ifft(x); }},
    {"fft::irfft", [](const Tensor& x) { fft::irfft(x); }},
    {"fft::fft2", [](const Tensor& x) { fft::fft2(x); }},
    {"fft::ifft2", [](const Tensor& x) { fft::ifft2(x); }},
    {"fft::irfft2", [](const Tensor& x) { fft::irfft2(x); }}};

void add_calls_of_systems(Calls& calls) {
  const auto add = [&](const char* name, const std::function<void()>& call) {
    calls.push_back({name, call});
  };
  add("linalg::inv", [] { linalg::inv(singular_matrix()); });
  add("linalg::inv", [] { linalg::inv(half_unit()); });
  add("linalg::matrix_power", [] { linalg::matrix_power(singular_matrix(), -1); });
  add("linalg::cholesky", [] { linalg::cholesky(mul(singular_matrix(), -1)); });
  add("linalg::solve", [] { linalg::solve(singular_matrix(), ones({2, 1})); });
  add("linalg::solve", [] { linalg::solve(ones({2, 2}), ones({3, 1})); });
  add("linalg::solve", [] { linalg::solve(ones({2, 2}), none()); });
  add("linalg::solve", [] { linalg::solve(ones({3, 2, 2}), ones({2, 2, 2})); });
  add("linalg::solve_triangular", [] { linalg::solve_triangular(zeros({2, 2}), ones({2, 1})); });
  add("linalg::solve_triangular", [] { linalg::solve_triangular(ones({2, 2}), ones({2})); });
  add("linalg::lstsq", [] { linalg::lstsq(ones({3, 2}), ones({2, 1})); });
  add("linalg::pinv", [] { linalg::pinv(floats(), -1); });
  add("linalg::matrix_rank", [] { linalg::matrix_rank(floats(), {}, -1); });
}

void add_norms_and_products(Calls& calls) {
  const auto add = [&](const char* name, const std::function<void()>& call) {
    calls.push_back({name, call});
  };
  add("linalg::vector_norm", [] { linalg::vector_norm(none()); });
  add("linalg::vector_norm", [] { linalg::vector_norm(integers()); });
  add("linalg::vector_norm", [] { linalg::vector_norm(floats(), 2, {5}); });
  add("linalg::matrix_norm", [] { linalg::matrix_norm(integers()); });
  add("linalg::matrix_norm", [] { linalg::matrix_norm(floats(), 3); });
  add("linalg::matrix_norm", [] { linalg::matrix_norm(floats(), 2, {0, 0}); });
  add("linalg::norm", [] { linalg::norm(none()); });
  add("linalg::norm", [] { linalg::norm(image(), 2); });
  add("linalg::norm", [] { linalg::norm(ones({2}), linalg::MatrixNorm::nuclear); });
  add("linalg::multi_dot", [] { linalg::multi_dot({floats()}); });
  add("linalg::multi_dot", [] { linalg::multi_dot({floats(), floats()}); });
  add("linalg::multi_dot", [] { linalg::multi_dot({floats(), none()}); });
  add("linalg::multi_dot", [] { linalg::multi_dot({floats(), image()}); });
}

void add_transforms(Calls& calls) {
  const auto add = [&](const char* name, const std::function<void()>& call) {
    calls.push_back({name, call});
  };
  add("fft::fft", [] { fft::fft(complex_numbers(), 0); });
  add("fft::ifft", [] { fft::ifft(complex_numbers(), {}, 1); });
  add("fft::irfft", [] { fft::irfft(complex_numbers(), -4); });
  add("fft::irfft", [] { fft::irfft(zeros({0, 2}), 4); });
  add("fft::rfft", [] { fft::rfft(none()); });
  add("fft::rfft", [] { fft::rfft(full({}, 1.0)); });
  add("fft::rfft", [] { fft::rfft(floats(), {}, 2); });
  add("fft::rfft", [] { fft::rfft(zeros({2, 0})); });
  add("fft::rfft2", [] { fft::rfft2(none()); });
  add("fft::rfft2", [] { fft::rfft2(floats(), {4}); });
  add("fft::rfft2", [] { fft::rfft2(floats(), {}, {0, 0}); });
  add("fft::fft2", [] { fft::fft2(complex_numbers()); });
  add("fft::fftshift", [] { fft::fftshift(none(), {0}); });
  add("fft::fftshift", [] { fft::fftshift(floats(), {2}); });
  add("fft::ifftshift", [] { fft::ifftshift(none(), {0}); });
  add("fft::ifftshift", [] { fft::ifftshift(floats(), {0, 0}); });
  add("fft::fftfreq", [] { fft::fftfreq(0); });
  add("fft::fftfreq", [] { fft::fftfreq(4, 0); });
  add("fft::rfftfreq", [] { fft::rfftfreq(-1); });
  add("fft::rfftfreq", [] { fft::rfftfreq(4, 1, {.dtype = DType::int64}); });
}

}  // namespace

Calls wrong_calls_of_linear_algebra() {
  Calls calls;
  for (const auto& [name, call] : kOfSquares) {
    for (const Tensor& x : {none(), ones({2}), floats()}) {
      calls.push_back({name, [call = call, x] { call(x); }});
    }
  }
  for (const auto& [name, call] : kOfMatrices) {
    for (const Tensor& x : {none(), ones({2})}) {
      calls.push_back({name, [call = call, x] { call(x); }});
    }
  }
  for (const auto& [name, call] : kOfComplex) {
    for (const Tensor& x : {none(), ones({2}), floats()}) {
      calls.push_back({name, [call = call, x] { call(x); }});
    }
  }
  add_calls_of_systems(calls);
  add_norms_and_products(calls);
  add_transforms(calls);
  return calls;
}

}  // namespace switchyard
