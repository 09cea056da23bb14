// PhiloxUniform, PhiloxNormal and PhiloxInteger: random numbers as functions of a seed and an
// offset, which number the stream's key and its first block; random_fill.hpp says how.
#include "kernels/elementwise/unary.hpp"
#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "kernels/random/random_fill.hpp"
#include "loops/contiguous.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

constexpr int64_t philox_grain = 4096;

PhiloxStream stream_of(Call& call) {
  return {static_cast<uint64_t>(integer_of(call.input(1))),
          static_cast<uint64_t>(integer_of(call.input(2)))};
}

template <typename T>
using Fill = void (*)(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double a,
                      double b);

// float16 and bfloat16 are rounded from float.
template <typename T>
void run_fill(Fill<T> fill, double a, double b, Call& call) {
  const ContiguousOutput<T> to(call.output(0));
  const PhiloxStream stream = stream_of(call);
  parallel_for(call.output(0).size(), philox_grain,
               [&](int64_t begin, int64_t end) { fill(to.data(), begin, end, stream, a, b); });
  to.write_back();
}

Prepared fill_kernel(Fill<float> floats, Fill<double> doubles, double a, double b) {
  Prepared made;
  made.kernel = function_kernel([=](Call& call) {
    if (call.output(0).dtype == SY_FLOAT64) return run_fill<double>(doubles, a, b, call);
    run_fill<float>(floats, a, b, call);
  });
  return made;
}

Prepared make_uniform(const sy::Node& node) {
  return fill_kernel(fill_uniform<float>, fill_uniform<double>, node.real("low", 0.0f),
                     node.real("high", 1.0f));
}

Prepared make_normal(const sy::Node& node) {
  return fill_kernel(fill_normal<float>, fill_normal<double>, node.real("mean", 0.0f),
                     node.real("scale", 1.0f));
}

Prepared make_integer(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel([](Call& call) {
    const int64_t low = integer_of(call.input(3));
    const int64_t high = integer_of(call.input(4));
    if (low >= high) {
      throw sy::invalid("PhiloxInteger: there is no integer from ", low, " up to, but not ", high);
    }
    const ContiguousOutput<int64_t> to(call.output(0));
    const PhiloxStream stream = stream_of(call);
    parallel_for(call.output(0).size(), philox_grain, [&](int64_t begin, int64_t end) {
      fill_integers(to.data(), begin, end, stream, low, high);
    });
    to.write_back();
  });
  return made;
}

constexpr uint64_t state = SY_DTYPE_BIT(SY_INT64);
constexpr uint64_t numbers = sy::float_dtypes | sy::integer_dtypes;

constexpr KernelRow philox_rows[] = {
    {"PhiloxUniform", state, sy::float_dtypes, make_uniform, nullptr, any_strides, "switchyard"},
    {"PhiloxNormal", state, sy::float_dtypes, make_normal, nullptr, any_strides, "switchyard"},
    {"PhiloxInteger", state, numbers, make_integer, nullptr, any_strides, "switchyard"},
};

}  // namespace

KernelTable philox_kernels() { return philox_rows; }

}  // namespace cpu
