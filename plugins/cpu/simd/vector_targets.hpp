// Which processors vector code is compiled for: a baseline, AVX2 and AVX-512. Include before
// Highway.
#pragma once

#include <hwy/detect_compiler_arch.h>

#if HWY_ARCH_X86
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
