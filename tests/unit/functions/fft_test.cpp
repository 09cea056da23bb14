// Fourier transforms: PyTorch's values and gradients, and errors.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/golden/torch_golden.hpp"
#include "functions/matrix_inputs.hpp"
#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using fft::Norm;
using testing::HasSubstr;

Tensor real_signal() { return counted({2, 3, 4}); }
Tensor complex_signal() { return stack({counted({2, 4, 3}), counted({2, 4, 3}, 5)}, -1); }

void add_transforms_of_lines(GoldenCases& cases, const std::string& word, Norm norm) {
  const Tensor x = real_signal(), z = complex_signal();
  const std::pair<const char*, std::optional<std::int64_t>> lengths[] = {
      {"all", {}}, {"1", 1}, {"2", 2}, {"5", 5}, {"6", 6}};
  for (const auto& [length, number] : lengths) {
    const std::optional<std::int64_t> n = number;
    for (const std::int64_t dim : {-1, 0}) {
      const std::string at = word + "_" + length + (dim == 0 ? "_first" : "_last");
      cases["fft_" + at] = [=] { return fft::fft(z, n, dim, norm); };
      cases["ifft_" + at] = [=] { return fft::ifft(z, n, dim, norm); };
      cases["rfft_" + at] = [=] { return fft::rfft(x, n, dim, norm); };
      cases["irfft_" + at] = [=] { return fft::irfft(z, n, dim, norm); };
    }
  }
}

void add_transforms_of_planes(GoldenCases& cases, const std::string& word, Norm norm) {
  const Tensor x = real_signal(), z = complex_signal();
  const std::tuple<const char*, Dims, Dims> planes[] = {{"all", {}, {-2, -1}},
                                                        {"shape", {3, 5}, {-2, -1}},
                                                        {"dims", {}, {0, 1}},
                                                        {"three", {}, {1, 0, 2}}};
  for (const auto& [name, lengths, axes] : planes) {
    const std::string at = word + "_" + name;
    const Dims shape = lengths, dims = axes;
    cases["fft2_" + at] = [=] { return fft::fft2(z, shape, dims, norm); };
    cases["ifft2_" + at] = [=] { return fft::ifft2(z, shape, dims, norm); };
    cases["rfft2_" + at] = [=] { return fft::rfft2(x, shape, dims, norm); };
    cases["irfft2_" + at] = [=] { return fft::irfft2(z, shape, dims, norm); };
  }
}

void add_transform_details(GoldenCases& cases) {
  const Tensor x = real_signal(), z = complex_signal();
  cases["fft_float32"] = [=] { return fft::fft(z.to(DType::float32)); };
  cases["rfft_integers"] = [] { return fft::rfft(arange(7)); };
  cases["rfft_prime"] = [] { return fft::rfft(counted({2, 97})); };
  cases["fft_large"] = [] {
    return slice(fft::fft(stack({counted({1000}), counted({1000}, 3)}, -1)), 0, 0, 1000, 37);
  };
  cases["rfft_of_empty_stack"] = [] { return fft::rfft(zeros({0, 5})); };
  for (const std::int64_t n : {1, 2, 7, 8}) {
    cases["fftfreq_" + std::to_string(n)] = [=] { return fft::fftfreq(n, 0.25); };
    cases["rfftfreq_" + std::to_string(n)] = [=] {
      return fft::rfftfreq(n, 1, {.dtype = DType::float64});
    };
  }
  cases["fftshift"] = [=] { return fft::fftshift(x, {0, 1, 2}); };
  cases["ifftshift"] = [=] { return fft::ifftshift(x, {0, 1, 2}); };
  cases["fftshift_odd"] = [=] { return fft::fftshift(z, {-2}); };
  cases["ifftshift_odd"] = [=] { return fft::ifftshift(z, {-2}); };
}

void add_transform_gradients(GoldenCases& cases) {
  const Tensor x = real_signal(), z = complex_signal();
  cases["gradient_fft"] = [=] {
    return weighted_gradient([](const Tensor& t) { return fft::fft(t, 7, 1, Norm::ortho); }, z);
  };
  cases["gradient_rfft"] = [=] {
    return weighted_gradient([](const Tensor& t) { return fft::rfft(t, 4, -1, Norm::forward); }, x);
  };
  cases["gradient_irfft"] = [=] {
    return weighted_gradient([](const Tensor& t) { return fft::irfft(t, 7); }, z);
  };
  cases["gradient_rfft2"] = [=] {
    return weighted_gradient([](const Tensor& t) { return fft::rfft2(t); }, x);
  };
}

TEST(Fft, IsWhatPyTorchGives) {
  GoldenCases cases;
  const std::pair<const char*, Norm> norms[] = {
      {"backward", Norm::backward}, {"ortho", Norm::ortho}, {"forward", Norm::forward}};
  for (const auto& [word, norm] : norms) {
    add_transforms_of_lines(cases, word, norm);
    add_transforms_of_planes(cases, word, norm);
  }
  add_transform_details(cases);
  add_transform_gradients(cases);
  check_golden("fft_golden.txt", cases);
}

TEST(Fft, ReadsAnyStrides) {
  const Tensor z = complex_signal(), x = real_signal();
  const Tensor turned = permute(permute(z, {1, 3, 0, 2}).contiguous(), {2, 0, 3, 1});
  EXPECT_TRUE(equal(fft::fft(turned, {}, 1), fft::fft(z, {}, 1)));
  EXPECT_TRUE(allclose(fft::irfft(fft::rfft(transpose(x, 1, 2)), 3), transpose(x, 1, 2)));
}

TEST(Fft, CarriesNanThroughItsLine) {
  const Tensor x = tensor({{1., kNan, 2.}, {1., 2., 3.}}), found = isnan(fft::rfft(x));
  EXPECT_TRUE(all(found[0]).item() != 0);
  EXPECT_TRUE(any(found[1]).item() == 0);
}

/// Of a prime length, through Bluestein's transform, against the definition.
TEST(Fft, KeepsItsDigitsForEveryLength) {
  for (const std::int64_t n : {2, 3, 31, 64, 101, 1009}) {
    const Tensor x = counted({n, 2}).to(DType::float64);
    const Tensor back = fft::ifft(fft::fft(x));
    EXPECT_LT(abs(sub(back, x)).max().item(), 1e-13) << n;
    double sum = 0;
    const std::vector<double> numbers = x.to_vector<double>();
    for (std::int64_t k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
      const auto at = static_cast<std::size_t>(2 * k);
      sum += numbers[at] * std::cos(angle) + numbers[at + 1] * std::sin(angle);
    }
    EXPECT_NEAR(select(select(fft::fft(x), 0, 1 % n), 0, 0).item(), sum, 1e-11) << n;
  }
}

TEST(Fft, SaysWhatMakesNoSense) {
  EXPECT_THAT(thrown([] {
                fft::fft(ones({4, 3}));
              }),
              HasSubstr("[fft] takes complex numbers, with a last dimension of 2 and one or more "
                        "before it; got [4, 3]"));
  EXPECT_THAT(thrown([] {
                fft::rfft(ones({4, 0}));
              }),
              HasSubstr("[rfft] a transform has at least one number; got a length of 0"));
  EXPECT_THAT(thrown([] {
                fft::irfft(ones({1, 2}));
              }),
              HasSubstr("got a length of 0 for an extent of 1"));
  EXPECT_THAT(thrown([] {
                fft::rfft2(ones({4, 3}), {5});
              }),
              HasSubstr("got dimensions [-2, -1] and lengths [5]"));
  try {
    fft::fftfreq(std::int64_t{1} << 50);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  }
  EXPECT_THAT(thrown([] { fft::fftfreq(0); }), HasSubstr("[fftfreq] needs a length from 1 on"));
}

}  // namespace
}  // namespace switchyard
