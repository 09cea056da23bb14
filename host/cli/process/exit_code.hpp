#pragma once

#include <switchyard/error.hpp>

namespace switchyard::cli {

/// What the program's exit codes mean; scripts rely on them.
enum ExitCode : int {
  kSuccess = 0,
  kFailure = 1,        // a wrong result or a broken requirement
  kUsage = 2,          // the command line, a file, the configuration or the model
  kInterrupted = 130,  // by Ctrl-C, as shells have it
};

inline int exit_code_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::cancelled: return kInterrupted;
    case ErrorKind::invalid_argument:
    case ErrorKind::shape_mismatch:
    case ErrorKind::not_found:
    case ErrorKind::io:
    case ErrorKind::config:
    case ErrorKind::model: return kUsage;
    default: return kFailure;
  }
}

}  // namespace switchyard::cli
