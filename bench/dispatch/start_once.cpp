// Starts a runtime once and prints how many nanoseconds that took: start.cpp runs this program, for
// a process that has opened its plugins never closes them.
//
//   switchyard_bench_start CONFIG
#include <chrono>
#include <cstdio>
#include <exception>
#include <switchyard/switchyard.hpp>

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: switchyard_bench_start CONFIG\n", stderr);
    return 2;
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    const switchyard::Runtime runtime = switchyard::Runtime::from_file(arguments[1]);
    const auto spent = std::chrono::steady_clock::now() - start;
    std::printf("%lld\n", static_cast<long long>(std::chrono::nanoseconds(spent).count()));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "switchyard_bench_start: %s\n", error.what());
    return 2;
  }
}
