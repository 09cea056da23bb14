#include "ops/rows/families.hpp"

namespace switchyard {

std::span<const Family> families() {
  static constexpr Family kFamilies[] = {
      {"unary", unary_rows},
      {"arithmetic", arithmetic_rows},
      {"comparison", comparison_rows},
      {"activation", activation_rows},
      {"reduction", reduction_rows},
      {"linear", linear_rows},
      {"normalization", normalization_rows},
      {"quantization", quantization_rows},
      {"cast", cast_rows},
      {"random", random_rows},
      {"loss", loss_rows},
      {"signal", signal_rows},
  };
  return kFamilies;
}

}  // namespace switchyard
