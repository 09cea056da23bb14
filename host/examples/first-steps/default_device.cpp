// Where new tensors go: in a scope, and everywhere. The devices' names are the arguments.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main(int argc, char** argv) {
  {
    DeviceScope scope(argc > 1 ? Device(argv[1]) : current_device());
    std::cout << ones({2}).device() << '\n';
  }
  set_default_device(argc > 2 ? Device(argv[2]) : current_device());
  std::cout << ones({2}).device() << '\n';
}
