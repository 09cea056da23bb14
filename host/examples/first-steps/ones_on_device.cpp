// Ones on a device; its name is the first argument.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main(int argc, char** argv) {
  Device device = argc > 1 ? Device(argv[1]) : current_device();
  Tensor x = ones({5}, {.device = device});
  std::cout << x << '\n' << x.device() << '\n';
}
