#include "config/trusted_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>
#include <switchyard/error.hpp>
#include <system_error>

#include "config/trusted_path.hpp"
#include "files/regular_file.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw Error(ErrorKind::config, fmt::format("{}: {}", path, problem));
}

/// What was opened is what was judged: the path leads there still.
bool leads_to(const std::string& path, const RegularFile& file) {
  struct stat status = {};
  return ::stat(path.c_str(), &status) == 0 && status.st_dev == file.status().st_dev &&
         status.st_ino == file.status().st_ino;
}

}  // namespace

std::string read_trusted_file(const std::string& path) {
  std::string text;
  try {
    const RegularFile file = RegularFile::to_read(path);
    if (const auto problem = why_untrusted(path)) fail(path, *problem);
    if (!leads_to(path, file)) fail(path, "changed while it was being read; start again");
    text = file.read(kLargestFile);
  } catch (const std::system_error& error) {
    fail(path, fmt::format("cannot be opened: {}; name a configuration file with --config",
                           error.code().message()));
  }
  if (text.size() > kLargestFile) fail(path, "is larger than 1 MiB; name a configuration file");
  return text;
}

}  // namespace switchyard
