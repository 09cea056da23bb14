// A process in which a library is tried before this one opens it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace switchyard {

struct TrialOutcome {
  enum class Kind {
    survived,  // the library was loaded, entered and probed, whatever it answered
    died,      // the process ended before that, or was ended because it took too long
    no_trial   // the process could not be started
  };

  Kind kind = Kind::no_trial;
  std::string reason;      // "crashed while probing (signal 11, SIGSEGV)"; why there was no trial
  bool hung = false;       // it died because it took too long
  std::string output;      // all that it wrote on its standard output
  std::string complaints;  // and on standard error
};

// Runs `command`, the first element a path, with `input` as its standard input, until it ends or
// `limit` has passed. It writes a line on its standard output as it begins each stage, "loading",
// "entering", "probing" or others, and "survived" at the end. Never throws but for want of memory.
// Never forks without exec.
TrialOutcome run_trial(const std::vector<std::string>& command, const std::string& input,
                       std::chrono::milliseconds limit);

}  // namespace switchyard
