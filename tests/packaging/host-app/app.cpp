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
  const switchyard::RuntimeScope scope(runtime);
  const auto a = switchyard::tensor({10., 20., 30.}), b = switchyard::tensor({1., 2., 3.});
  print("Sub", runtime.operation("Sub")(a, b));
  print("Exp", runtime.operation("Exp")(switchyard::tensor(0.0)));
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
