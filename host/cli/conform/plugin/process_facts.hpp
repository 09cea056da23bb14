// What of the process a plugin must leave as it is.
#pragma once

#include <cstddef>
#include <string>

namespace switchyard::cli::conform {

/// Working directory, umask, locale, signal handlers and the thread's arithmetic, as they are now.
class ProcessFacts {
 public:
  ProcessFacts();
  /// What is otherwise now, "the working directory was X and is Y"; "" if nothing is.
  std::string change() const;

 private:
  std::string folder_, locale_, handlers_;
  unsigned umask_;
  unsigned long long arithmetic_;
};

/// The number of files that this process has open.
std::size_t open_files();

/// The most memory that this process has had, in bytes.
std::size_t peak_memory();

}  // namespace switchyard::cli::conform
