#include "ops/rows/families.hpp"

namespace switchyard {

std::span<const Family> families() {
  static constexpr Family kFamilies[] = {
#define FAMILY(name) {#name, name##_rows},
#include "ops/rows/families.def"
#undef FAMILY
  };
  return kFamilies;
}

}  // namespace switchyard
