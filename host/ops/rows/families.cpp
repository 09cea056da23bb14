#include "ops/rows/families.hpp"

namespace switchyard {

std::span<const Family> families() {
  static constexpr Family kFamilies[] = {
      {"unary", unary_rows},
  };
  return kFamilies;
}

}  // namespace switchyard
