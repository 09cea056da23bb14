// Random ops. Element i of a tensor, in row-major order, is a function of the seed and i alone:
// the stream's key is the bits of the attribute `seed`, a float32, zero-extended to 64, and its
// counter begins at 0. random_fill.hpp has uniform and normal numbers; beside them
//
//   Bernoulli    1 where the uniform float32 i is less than the probability
//   Multinomial  sample s of batch b takes float64 uniform b * sample_size + s
//
// A node without a seed draws one from the system in each run.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/random/random_fill.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"
#include "types/dispatch.hpp"

namespace cpu {
namespace {

struct Seed {
  std::optional<uint32_t> given;

  static Seed of(const sy::Node& node) {
    if (!node.has("seed")) return {};
    return {std::bit_cast<uint32_t>(node.real("seed"))};
  }
  uint64_t key() const {
    if (given) return *given;
    std::random_device system;
    return uint64_t{system()} << 32 | system();
  }
};

template <typename T>
using Fill = void (*)(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double a,
                      double b);

struct Filling {
  Seed seed;
  Fill<float> floats;
  Fill<double> doubles;
  double a, b;

  template <typename W>
  std::vector<W> numbers(int64_t count) const {
    std::vector<W> made(static_cast<size_t>(count));
    const PhiloxStream stream{seed.key()};
    parallel_for(count, 4096, [&](int64_t begin, int64_t end) {
      if constexpr (std::is_same_v<W, double>) {
        doubles(made.data(), begin, end, stream, a, b);
      } else {
        floats(made.data(), begin, end, stream, a, b);
      }
    });
    return made;
  }
};

Prepared filling_kernel(Filling filling) {
  Prepared made;
  made.kernel = function_kernel([filling](Call& call) {
    const Tensor& output = call.output(0);
    if (output.dtype == SY_FLOAT64) {
      write_numbers(filling.numbers<double>(output.size()), output);
    } else {
      write_numbers(filling.numbers<float>(output.size()), output);
    }
  });
  return made;
}

Prepared make_random_uniform(const sy::Node& node) {
  return filling_kernel({Seed::of(node), fill_uniform<float>, fill_uniform<double>,
                         node.real("low", 0.0f), node.real("high", 1.0f)});
}

Prepared make_random_normal(const sy::Node& node) {
  return filling_kernel({Seed::of(node), fill_normal<float>, fill_normal<double>,
                         node.real("mean", 0.0f), node.real("scale", 1.0f)});
}

Prepared make_bernoulli(const sy::Node& node) {
  const Filling filling{Seed::of(node), fill_uniform<float>, fill_uniform<double>, 0, 1};
  Prepared made;
  made.kernel = function_kernel([filling](Call& call) {
    const std::vector<double> probability = numbers_of<double>(call.input(0));
    const std::vector<float> draws = filling.numbers<float>(call.input(0).size());
    std::vector<float> outcome(draws.size());
    for (size_t i = 0; i < draws.size(); ++i) outcome[i] = draws[i] < probability[i] ? 1 : 0;
    write_numbers(outcome, call.output(0));
  });
  return made;
}

// ---- Multinomial: classes by the exponentials of their logits

std::vector<double> cumulative(const double* logits, int64_t classes) {
  const double most = *std::max_element(logits, logits + classes);
  std::vector<double> sums;
  double sum = 0;
  for (int64_t c = 0; c < classes; ++c) {
    sum += std::exp(logits[c] - most);
    sums.push_back(sum);
  }
  return sums;
}

Prepared make_multinomial(const sy::Node& node) {
  const Seed seed = Seed::of(node);
  Prepared made;
  made.kernel = function_kernel([seed](Call& call) {
    const ConstTensor& input = call.input(0);
    const Tensor& output = call.output(0);
    const int64_t classes = input.shape[1];
    const int64_t samples = output.shape[1];
    if (classes == 0 && output.size() > 0) throw sy::invalid("no classes to draw from");
    const std::vector<double> logits = numbers_of<double>(input);
    std::vector<int64_t> drawn(static_cast<size_t>(output.size()));
    const PhiloxStream stream{seed.key()};
    for (int64_t b = 0; b < input.shape[0]; ++b) {
      const std::vector<double> sums = cumulative(logits.data() + b * classes, classes);
      for (int64_t i = b * samples; i < (b + 1) * samples; ++i) {
        const auto found =
            std::upper_bound(sums.begin(), sums.end(), uniform_at(i, stream) * sums.back());
        drawn[i] = std::min<int64_t>(found - sums.begin(), classes - 1);
      }
    }
    write_numbers(drawn, output);
  });
  return made;
}

constexpr uint64_t outcomes = float_types | sy::integer_dtypes | SY_DTYPE_BIT(SY_BOOL);
constexpr uint64_t anything = SY_DTYPES_ALL;  // the values of a Like op's input are not read
constexpr uint64_t classes = SY_DTYPE_BIT(SY_INT32) | SY_DTYPE_BIT(SY_INT64);

constexpr KernelRow random_rows[] = {
    {"RandomUniform", anything, float_types, make_random_uniform, nullptr, any_strides},
    {"RandomUniformLike", anything, float_types, make_random_uniform, nullptr, any_strides},
    {"RandomNormal", anything, float_types, make_random_normal, nullptr, any_strides},
    {"RandomNormalLike", anything, float_types, make_random_normal, nullptr, any_strides},
    {"Bernoulli", float_types, outcomes, make_bernoulli, nullptr, any_strides},
    {"Multinomial", float_types, classes, make_multinomial, nullptr, any_strides, "", 1, UINT32_MAX,
     2, 2},
};

}  // namespace

KernelTable random_kernels() { return random_rows; }

}  // namespace cpu
