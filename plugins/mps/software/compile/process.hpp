// A child process, without a shell.
#pragma once

#include <string>
#include <vector>

namespace mps::software {

struct ProcessResult {
  int status = 0;      // of its exit; 128 and more: ended by a signal
  std::string errors;  // what it wrote there
};

// `command` is a program, found along PATH, and its arguments. Throws seam::Failure(compilation) if
// it cannot be started.
ProcessResult run_process(const std::vector<std::string>& command);
// The same of a compiler; throws seam::Failure(compilation) with its words if it fails.
void run_compiler(const std::vector<std::string>& command);

}  // namespace mps::software
