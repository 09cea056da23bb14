// A static object that computes in its destructor, when main has ended: tables that ops need are
// never destroyed. Prints what it computes; anything else is a failure.
#include <iostream>
#include <switchyard/switchyard.hpp>

namespace {

// Of libraries that have ended by then: a product of matrices, a convolution and a pool.
float products() {
  using namespace switchyard;
  const Tensor matrix = matmul(ones({64, 64}), ones({64, 64}));
  const Tensor image = max_pool2d(conv2d(ones({1, 3, 8, 8}), ones({4, 3, 3, 3})), {2});
  return (matrix.sum() + image.sum()).item<float>();
}

struct Late {
  switchyard::Tensor x;

  // An op that main has called, and some that nobody has.
  ~Late() {
    x.requires_grad_();
    const switchyard::Tensor y = (x + x).softmax(0).sum() * x.amax() + x.cumsum(0).mean();
    y.backward();
    std::cout << "at exit: " << y.item() << " and " << x.grad().sum().item() << std::endl;
    std::cout << "products at exit: " << products() << std::endl;
  }
};

// Made before anything of the library, so destroyed after it.
Late late;

}  // namespace

int main() {
  late.x = switchyard::tensor({1., 3.});
  std::cout << "in main: " << (late.x + late.x).sum().item() << std::endl;
  std::cout << "products in main: " << products() << std::endl;
}
