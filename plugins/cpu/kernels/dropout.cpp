// Dropout when nothing is dropped: in inference, or at ratio 0. Dropping at random belongs to
// training.
#include "convert.hpp"
#include "kernels.hpp"
#include "kernels/movement.hpp"

namespace cpu {
namespace {

double ratio_of(Call& call) {
  if (!call.has_input(1)) return 0.5;
  const Tensor& ratio = call.input(1);
  return visit_dtype(FloatTypes{}, ratio.dtype,
                     [&](auto zero) { return convert<double>(*ratio.as<decltype(zero)>()); });
}

void dropout(Call& call) {
  const bool training = call.has_input(2) && *call.input(2).as<uint8_t>() != 0;
  if (training && ratio_of(call) != 0) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE,
                          "drops nothing at random yet: training_mode needs ratio 0");
  }
  copy_tensor(call.input(0), call.output(0));
  const uint8_t kept = 1;
  if (call.has_output(1)) fill_tensor(call.output(1), &kept);
}

Prepared make_dropout(const sy::Node&) {
  Prepared made;
  made.outputs = {{.follows_layout = true}};
  made.run = dropout;
  return made;
}

constexpr uint64_t floats_and_bool = sy::float_dtypes | SY_DTYPE_BIT(SY_BOOL);

constexpr KernelRow rows[] = {
    {"Dropout", floats_and_bool, floats_and_bool, make_dropout, nullptr, any_strides},
};

}  // namespace

KernelTable dropout_kernels() { return rows; }

}  // namespace cpu
