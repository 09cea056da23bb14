// Loads a library while threads are running, as programs do that learn of it late: bindings of
// other languages, plugins of an application. What the library keeps for each thread must find its
// position.
//
//   switchyard_late_loading LIBRARY
#include <boost/dll/shared_library.hpp>
#include <future>
#include <iostream>
#include <system_error>
#include <thread>

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: switchyard_late_loading LIBRARY\n";
    return 2;
  }
  std::promise<void> loaded;
  std::thread early([is_loaded = loaded.get_future()] { is_loaded.wait(); });
  std::error_code problem;
  const boost::dll::shared_library library(arguments[1], problem);
  loaded.set_value();
  early.join();
  if (problem) std::cerr << arguments[1] << ": " << problem.message() << '\n';
  return problem ? 1 : 0;
}
