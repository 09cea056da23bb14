// Runs dispatches: the threadgroups of each on one or two threads.
#pragma once

#include <memory>
#include <vector>

#include "software/executor/call.hpp"

namespace mps::software {

class GroupRunner;

// Used by one thread at a time.
class Executor {
 public:
  explicit Executor(const Settings& settings);
  ~Executor();
  // Throws KernelFault.
  void run(const Call& call);

 private:
  Order order_;
  uint64_t seed_;
  unsigned threads_;
  // After a fault a runner's stacks hold threads that will never end: it is made anew.
  std::vector<std::unique_ptr<GroupRunner>> runners_;
};

}  // namespace mps::software
