#pragma once

namespace cpu {

// The number whose erf is x: infinite at -1 and 1, a NaN beyond.
double erfinv(double x);

}  // namespace cpu
