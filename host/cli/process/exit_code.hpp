#pragma once

#include <switchyard/error.hpp>

namespace switchyard::cli {

/// What the program's exit codes mean; scripts rely on them.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,        // a wrong result or a broken requirement
  kUsage = 2,          // the command line, the configuration or the model
  kInterrupted = 130,  // by Ctrl-C, as shells have it
};

inline int exit_code_for(ErrorKind kind) {
  if (kind == ErrorKind::cancelled) return kInterrupted;
  const bool is_given_by_user =
      kind == ErrorKind::usage || kind == ErrorKind::config || kind == ErrorKind::model;
  return is_given_by_user ? kUsage : kFailure;
}

}  // namespace switchyard::cli
