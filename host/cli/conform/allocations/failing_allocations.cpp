#include "cli/conform/allocations/failing_allocations.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/conform/case.hpp"
#include "cli/terminal/terminal.hpp"
#include "config/environment.hpp"
#include "config/trusted_path.hpp"
#include "plugin_loader/own_location.hpp"

namespace switchyard::cli::conform {
namespace {

#ifdef __APPLE__
constexpr const char* kVariable = "DYLD_INSERT_LIBRARIES";
constexpr const char* kFile = "libswitchyard-failing-allocations.dylib";
#else
constexpr const char* kVariable = "LD_PRELOAD";
constexpr const char* kFile = "libswitchyard-failing-allocations.so";
#endif

template <typename Function>
bool find(const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

bool look_up(FailingAllocations& found) {
  return find("switchyard_failing_allocations_arm", found.arm) &&
         find("switchyard_failing_allocations_begin", found.begin) &&
         find("switchyard_failing_allocations_end", found.end) &&
         find("switchyard_failing_allocations_count", found.count);
}

/// The installed library, beside the program that tries plugins; "" if it is not there.
std::string library() {
  const std::filesystem::path probe = installed_probe_program();
  if (probe.empty()) return "";
  const std::string path = (probe.parent_path() / kFile).string();
  const bool is_there = ::access(path.c_str(), R_OK) == 0 && !why_untrusted(path);
  return is_there ? path : "";
}

}  // namespace

const FailingAllocations& FailingAllocations::loaded() {
  static FailingAllocations functions{};
  if (!look_up(functions)) {
    skip("allocations cannot be made to fail: {} is not installed, or not loaded by {}", kFile,
         kVariable);
  }
  return functions;
}

bool needs_failing_allocations(const std::string& name) { return name.starts_with("allocations/"); }

void restart_with_failing_allocations(const std::vector<std::string>& words) {
  FailingAllocations found{};
  if (look_up(found) || is_elevated_process()) return;
  const std::string path = library();
  const char* const before = std::getenv(kVariable);
  const std::string others = before == nullptr ? "" : before;
  if (path.empty() || others.find(path) != others.npos) return;
  ::setenv(kVariable, (others.empty() ? path : path + ":" + others).c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  // The program began with its results' stream as standard output, and so it begins again.
  std::fflush(program_output());
  ::dup2(::fileno(program_output()), STDOUT_FILENO);
  ::execv(arguments[0], arguments.data());
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

}  // namespace switchyard::cli::conform
