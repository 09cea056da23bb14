/// The one exception type of the host.
#pragma once

#include <stdexcept>
#include <string>

#include <switchyard/export.hpp>

namespace switchyard {

/// What went wrong, as far as a caller can act on it.
enum class ErrorKind {
  usage,          // a call or a command line that makes no sense: a wrong name, shape or dtype
  config,         // the configuration: its syntax, a key, a value, the file itself
  model,          // a file of a model or of data: truncated, invalid, of an unknown op or dtype
  plugin,         // a plugin that is missing, broken, of another ABI, or that misbehaves
  out_of_memory,  // host or device memory, after everything that could be released was
  unsupported,    // no device in the order supports the op, or a fallback was denied
  device,         // a device failed while it worked, or was lost
  internal,       // a bug of the host
  cancelled,      // ended by its caller, through a CancellationToken
  deadline,       // ended because its caller's deadline passed
};

/// Every function of the host reports failure by throwing this and nothing else of its own.
/// what() is one line without a newline at its end: what is wrong, where, and how to fix it. Names
/// in it may come out of any file: it holds no control characters, and at most 4 KiB.
class SWITCHYARD_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& line);

  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace switchyard
