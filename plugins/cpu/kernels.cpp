#include "kernels.hpp"

#include <vector>

namespace cpu {

std::span<const KernelTable> kernel_tables() {
  static const std::vector<KernelTable> tables = {
  };
  return tables;
}

}  // namespace cpu
