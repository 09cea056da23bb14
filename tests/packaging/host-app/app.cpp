// Subtracts on whatever device the configuration gives it: app [CONFIG.toml]
#include <iostream>
#include <switchyard/switchyard.hpp>

namespace {

void print(const char* op, const switchyard::Tensor& tensor) {
  std::cout << op << " on " << tensor.device() << ":";
  for (const float value : tensor.to_vector<float>()) std::cout << ' ' << value;
  std::cout << '\n';
}

void run(const switchyard::Runtime& runtime) {
  const auto a = switchyard::Tensor::of<float>({3}, std::vector<float>{10, 20, 30});
  const auto b = switchyard::Tensor::of<float>({3}, std::vector<float>{1, 2, 3});
  print("Sub", runtime.operation("Sub")(a, b));
  print("Exp", runtime.operation("Exp")(switchyard::Tensor::scalar(0.0F)));
}

}  // namespace

int main(int count, char** arguments) {
  try {
    run(count > 1 ? switchyard::Runtime::from_file(arguments[1]) : switchyard::Runtime());
    return 0;
  } catch (const switchyard::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
