// All that a translated library is compiled against. The qualifiers of address spaces are erased;
// the translator has seen to `threadgroup` variables before.
#pragma once
#include "software/shim/atomics.h"
#include "software/shim/binding.h"
#include "software/shim/limits.h"
#include "software/shim/math.h"
#include "software/shim/simdgroup.h"
#include "software/shim/simdgroup_matrix.h"

#define kernel
#define device
#define constant const
#define thread
#define threadgroup
#define METAL_FUNC inline __attribute__((always_inline))
