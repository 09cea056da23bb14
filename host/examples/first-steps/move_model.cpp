// A model and its input, moved to a device; its name is the first argument.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main(int argc, char** argv) {
  Device device = argc > 1 ? Device(argv[1]) : current_device();
  nn::Sequential model(nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 2));
  model.to(device);
  Tensor x = randn({3, 4}).to(device);
  std::cout << model(x) << '\n';
}
