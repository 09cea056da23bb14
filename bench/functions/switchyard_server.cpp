// Functions of a million floats under the clock, one a line of standard input, driven by
// compare.py. One thread. The answer is the least time of many calls, in milliseconds.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <limits>
#include <string>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>

#include "runtimes.hpp"

namespace {

using switchyard::Tensor;

struct Function {
  const char* name;
  Tensor (*call)(const Tensor& x, const Tensor& y);
};

#define OF_ONE(name)                                                          \
  {                                                                           \
#name, [](const Tensor& x, const Tensor&) { return switchyard::name(x); } \
  }
#define OF_TWO(name)                                                                         \
  {                                                                                          \
#name, [](const Tensor& x, const Tensor& y) -> Tensor { return switchyard::name(x, y); } \
  }

// All of functions/pointwise.hpp that take one tensor or two, by PyTorch's names.
const Function kFunctions[] = {
    OF_ONE(abs),          OF_ONE(neg),       OF_ONE(sign),       OF_ONE(square),  OF_ONE(sqrt),
    OF_ONE(rsqrt),        OF_ONE(exp),       OF_ONE(reciprocal), OF_ONE(exp2),    OF_ONE(expm1),
    OF_ONE(log),          OF_ONE(log2),      OF_ONE(log10),      OF_ONE(log1p),   OF_ONE(sin),
    OF_ONE(cos),          OF_ONE(tan),       OF_ONE(asin),       OF_ONE(acos),    OF_ONE(atan),
    OF_ONE(sinh),         OF_ONE(cosh),      OF_ONE(tanh),       OF_ONE(asinh),   OF_ONE(atanh),
    OF_ONE(erf),          OF_ONE(erfc),      OF_ONE(lgamma),     OF_ONE(digamma), OF_ONE(floor),
    OF_ONE(ceil),         OF_ONE(round),     OF_ONE(trunc),      OF_ONE(frac),    OF_ONE(sigmoid),
    OF_ONE(relu),         OF_TWO(add),       OF_TWO(sub),        OF_TWO(mul),     OF_TWO(div),
    OF_TWO(floor_divide), OF_TWO(remainder), OF_TWO(fmod),       OF_TWO(pow),     OF_TWO(atan2),
    OF_TWO(hypot),        OF_TWO(logaddexp), OF_TWO(maximum),    OF_TWO(minimum), OF_TWO(lt),
    OF_TWO(eq),
};

double milliseconds(const Function& function, const Tensor& x, const Tensor& y) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 25; ++i) {
    const auto begin = Clock::now();
    function.call(x, y);
    least =
        std::min(least, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  return least;
}

}  // namespace

int main() {
  const switchyard::Runtime runtime = switchyard::bench::runtime_on("cpu");
  const switchyard::RuntimeScope scope(runtime);
  const Tensor x = switchyard::rand({1 << 20}) * 0.8 + 0.1, y = switchyard::rand({1 << 20}) + 0.5;
  for (std::string name; std::getline(std::cin, name);) {
    if (name == "?") {
      for (const Function& function : kFunctions) std::cout << function.name << ' ';
      std::cout << std::endl;
      continue;
    }
    for (const Function& function : kFunctions) {
      if (name == function.name) std::cout << milliseconds(function, x, y) << std::endl;
    }
  }
}
