// Dropout: copies in inference; in training an element is dropped where the float32 uniform of its
// number is below the ratio, and the others are divided by what is kept. The key of the numbers is
// the attribute `seed`, or is drawn from the system in each run.
#include <optional>
#include <random>

#include "kernels/kernels.hpp"
#include "kernels/movement/movement.hpp"
#include "kernels/random/random_fill.hpp"
#include "loops/convert.hpp"
#include "loops/numbers.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

double ratio_of(Call& call) {
  if (!call.has_input(1)) return 0.5;
  const ConstTensor& ratio = call.input(1);
  return visit_dtype(FloatTypes{}, ratio.dtype,
                     [&](auto zero) { return convert<double>(*ratio.as<decltype(zero)>()); });
}

uint64_t key_of(const std::optional<int64_t>& seed) {
  if (seed) return static_cast<uint64_t>(*seed);
  std::random_device system;
  return uint64_t{system()} << 32 | system();
}

template <typename W>
void drop(Call& call, double ratio, uint64_t key) {
  std::vector<W> numbers = numbers_of<W>(call.input(0));
  const auto count = static_cast<int64_t>(numbers.size());
  std::vector<float> draws(numbers.size());
  parallel_for(count, 4096, [&](int64_t begin, int64_t end) {
    fill_uniform(draws.data(), begin, end, PhiloxStream{key}, 0, 1);
  });
  const double scale = ratio < 1 ? 1 / (1 - ratio) : 0;
  std::vector<float> kept(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    kept[i] = draws[i] >= ratio ? 1 : 0;
    numbers[i] = kept[i] != 0 ? static_cast<W>(static_cast<double>(numbers[i]) * scale) : W{0};
  }
  write_numbers(numbers, call.output(0));
  if (call.has_output(1)) write_numbers(kept, call.output(1));
}

void dropout(Call& call, const std::optional<int64_t>& seed) {
  const bool training = call.has_input(2) && *call.input(2).as<uint8_t>() != 0;
  const double ratio = training ? ratio_of(call) : 0;
  if (!(ratio >= 0 && ratio <= 1)) {
    throw sy::invalid("Dropout's ratio is ", ratio, "; it must lie in [0, 1)");
  }
  if (ratio > 0) {
    if (call.input(0).dtype == SY_FLOAT64) return drop<double>(call, ratio, key_of(seed));
    return drop<float>(call, ratio, key_of(seed));
  }
  copy_tensor(call.input(0), call.output(0));
  const uint8_t kept = 1;
  if (call.has_output(1)) fill_tensor(call.output(1), &kept);
}

Prepared make_dropout(const sy::Node& node) {
  std::optional<int64_t> seed;
  if (node.has("seed")) seed = node.integer("seed");
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.kernel = function_kernel([seed](Call& call) { dropout(call, seed); });
  return made;
}

constexpr uint64_t floats_and_bool = sy::float_dtypes | SY_DTYPE_BIT(SY_BOOL);

constexpr KernelRow dropout_rows[] = {
    {"Dropout", floats_and_bool, floats_and_bool, make_dropout, nullptr, any_strides},
};

}  // namespace

KernelTable dropout_kernels() { return dropout_rows; }

}  // namespace cpu
