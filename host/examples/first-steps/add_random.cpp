// Two random matrices, added on the best device there is.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  Tensor a = rand({3, 3});
  Tensor b = rand({3, 3});
  std::cout << a + b << '\n';
}
