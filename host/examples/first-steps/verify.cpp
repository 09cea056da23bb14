// Is it installed, what was built, what can be used here, and if not, why?
#include <iostream>

#include <switchyard/switchyard.hpp>

int main() {
  std::cout << "Switchyard " << switchyard::version() << '\n' << std::boolalpha;
  for (const auto& plugin : switchyard::current_runtime().plugins()) {
    std::cout << plugin.name << ": built " << plugin.built << ", available " << plugin.available
              << (plugin.reason.empty() ? "" : ": ") << plugin.reason << '\n';
  }
}
