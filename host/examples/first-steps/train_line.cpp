// Gradient descent by hand: a line through points.
#include <iostream>

#include <switchyard/switchyard.hpp>

using namespace switchyard;

int main() {
  Tensor x = rand({100, 1}), y = 3 * x + 2;
  nn::Linear line(1, 1);
  optim::SGD optimizer(line.parameters(), {.lr = 0.5});
  for (int step = 0; step < 200; ++step) {
    optimizer.zero_grad();
    mse_loss(line(x), y).backward();
    optimizer.step();
  }
  std::cout << "weight " << line.weight.item() << ", bias " << line.bias.item() << '\n';
}
