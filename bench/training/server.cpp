#include "server.hpp"

#include <chrono>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace switchyard::bench {
namespace {

using Clock = std::chrono::steady_clock;

/// A line of /proc/self/status, in kibibytes.
long memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    long kibibytes = 0;
    if (word == name + ":" && status >> kibibytes) return kibibytes;
  }
  throw std::runtime_error("this system does not tell " + name);
}

/// Makes the peak so far what is used now; gives that.
long forget_peak() {
  std::ofstream("/proc/self/clear_refs") << 5;
  return memory("VmRSS");
}

std::string times(Contestant& contestant, int count) {
  std::string answer;
  for (; count > 0; --count) {
    const auto start = Clock::now();
    contestant.run();
    const std::chrono::nanoseconds time = Clock::now() - start;
    answer += std::to_string(time.count()) + ' ';
  }
  return answer;
}

std::string losses(const MakeContestant& make, int count) {
  const std::unique_ptr<Contestant> fresh = make();
  std::string answer;
  for (; count > 0; --count) {
    fresh->run();
    answer += std::to_string(fresh->result()) + ' ';
  }
  return answer;
}

std::string growth(Contestant& contestant, int count, long before) {
  for (; count > 0; --count) contestant.run();
  return std::to_string(memory("VmHWM") - before);
}

}  // namespace

void serve(const MakeContestant& make) {
  const std::unique_ptr<Contestant> contestant = make();
  const long before = forget_peak();
  contestant->run();
  std::cout << "ready" << std::endl;
  std::string verb;
  for (int count = 0; std::cin >> verb >> count;) {
    if (verb == "time") {
      std::cout << times(*contestant, count) << std::endl;
    } else if (verb == "losses") {
      std::cout << losses(make, count) << std::endl;
    } else if (verb == "memory") {
      std::cout << growth(*contestant, count, before) << std::endl;
    } else {
      std::cout << "there is no " << verb << std::endl;
    }
  }
}

}  // namespace switchyard::bench
