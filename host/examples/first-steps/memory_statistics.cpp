// What tensors take of a device's memory, and what is kept for later ones.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  Device device = current_device();
  Tensor x = zeros({1024, 1024});
  std::cout << device.memory().used_bytes << " bytes in use\n";
  x = Tensor();
  std::cout << device.memory().cached_bytes << " bytes kept\n";
  std::cout << device.empty_cache() << " bytes given back\n";
}
