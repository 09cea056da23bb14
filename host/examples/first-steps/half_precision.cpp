// Half the memory, for what needs no more digits.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  nn::Linear layer(16, 4);
  layer.to(DType::float16);
  Tensor x = randn({2, 16}).to(DType::float16);
  std::cout << layer(x) << '\n';
}
