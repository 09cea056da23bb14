// What ran on another device than the one asked for, how often, and why.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  Tensor x = rand({4}) + 1;
  std::cout << sum(x.exp().log()) << '\n';
  for (const auto& fallback : current_runtime().fallbacks()) {
    std::cout << fallback.op << ": " << fallback.from << " -> " << fallback.to << ", "
              << fallback.count << " times: " << fallback.reason << '\n';
  }
}
