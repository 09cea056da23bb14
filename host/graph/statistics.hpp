#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace switchyard {

/// What one run of a graph came to.
struct RunStatistics {
  std::map<std::string, std::uint64_t>
      placement;  // ops by device; host work and views not among them
  std::uint64_t host_work = 0;
  std::uint64_t views = 0;     // ops that only changed how bytes are read
  std::uint64_t programs = 0;  // of several nodes, each run at once
  std::uint64_t control = 0;   // If, Loop, Scan, sequences, optionals

  struct OpProfile {
    std::uint64_t count = 0;
    double milliseconds = 0;
  };
  std::map<std::pair<std::string, std::string>, OpProfile>
      profile;  // by op and device, if asked for
};

}  // namespace switchyard
