#include "ops/building/host_values.hpp"

#include <cstring>

namespace mps {
namespace {

const sy_value* known(const sy::Node& node, uint32_t input) {
  const sy_value* value = node.input(input);
  if (value == nullptr) return nullptr;
  if (!sy::has_known_shape(*value) ||
      (value->data == nullptr && sy::element_count(sy::shape_of(*value)) != 0)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "the value of input ", input,
                          " is not known before the run");
  }
  return value;
}

double half_value(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, sizeof(half));
  return static_cast<double>(half);
}

}  // namespace

std::vector<int64_t> host_integers(const sy::Node& node, uint32_t input) {
  const sy_value* value = known(node, input);
  return value == nullptr ? std::vector<int64_t>() : sy::integers_of(*value);
}

std::vector<double> host_reals(const sy::Node& node, uint32_t input) {
  const sy_value* value = known(node, input);
  std::vector<double> numbers;
  if (value == nullptr) return numbers;
  const int64_t count = sy::element_count(sy::shape_of(*value));
  for (int64_t i = 0; i < count; ++i) {
    switch (value->dtype) {
      case SY_FLOAT32: numbers.push_back(static_cast<const float*>(value->data)[i]); break;
      case SY_FLOAT64: numbers.push_back(static_cast<const double*>(value->data)[i]); break;
      case SY_FLOAT16:
        numbers.push_back(half_value(static_cast<const uint16_t*>(value->data)[i]));
        break;
      default:
        throw sy::unsupported(SY_REASON_DTYPE, "input ", input, " is ",
                              sy::dtype_name(value->dtype));
    }
  }
  return numbers;
}

}  // namespace mps
