#include "kernels/kernels.hpp"

#include <vector>

namespace cpu {

std::span<const KernelTable> kernel_tables() {
  static const auto& tables = *new std::vector<KernelTable>{
#define KERNELS(name) name##_kernels(),
#include "kernels/kernels.def"
#undef KERNELS
  };
  return tables;
}

}  // namespace cpu
