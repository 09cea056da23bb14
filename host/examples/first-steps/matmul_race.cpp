// A hundred products of two 1000 x 1000 matrices on each device, waited for. Another size is the
// first argument.
#include <chrono>
#include <cstdlib>
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

void race(const Device& device, std::int64_t size) {
  Tensor a = rand({size, size}, {.device = device}), b = rand({size, size}, {.device = device});
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100; ++i) Tensor product = matmul(a, b);
  device.synchronize();
  std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  std::cout << device.name() << ": " << spent.count() << " s\n";
}

int main(int argc, char** argv) {
  for (const auto& plugin : current_runtime().plugins()) {
    if (plugin.available) race(Device(plugin.name), argc > 1 ? std::atoi(argv[1]) : 1000);
  }
}
