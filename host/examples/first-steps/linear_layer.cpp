// A linear layer, on the best device there is.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  nn::Linear layer(10, 5);
  Tensor output = layer(randn({2, 10}));
  std::cout << output << '\n';
}
