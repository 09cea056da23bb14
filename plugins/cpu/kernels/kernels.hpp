// All families of kernels. A family is one table, at the end of its file under kernels/.
#pragma once

#include <span>

#include "run/kernel.hpp"

namespace cpu {

#define KERNELS(name) KernelTable name##_kernels();
#include "kernels/kernels.def"
#undef KERNELS

// The tables that kernels.def lists, in its order.
std::span<const KernelTable> kernel_tables();

}  // namespace cpu
