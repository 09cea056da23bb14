#include "files/file_replacement.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <switchyard/error.hpp>
#include <system_error>

namespace switchyard {
namespace {

constexpr int kMostLinks = 40;  // as the system has it

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// A link keeps pointing where it does: what it names is replaced, or made.
std::filesystem::path without_links(std::filesystem::path path) {
  std::error_code failed;
  for (int links = 0; is_symlink(path, failed); ++links) {
    if (links == kMostLinks) return path;
    const std::filesystem::path target = read_symlink(path, failed);
    if (failed) return path;
    path = folder_of(path) / target;
  }
  return path;
}

// In the same folder: a rename cannot leave a file system.
std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  return folder_of(path) /
         fmt::format(".{}.{}-{}.partial", path.filename().string(), getpid(), count.fetch_add(1));
}

}  // namespace

FileReplacement::FileReplacement(const std::filesystem::path& path, mode_t permissions)
    : path_(without_links(path)), temporary_(temporary_name(path_)) {
  std::error_code ignored;
  if (!path_.has_filename() || is_directory(path_, ignored)) {
    fail(std::make_error_code(std::errc::is_a_directory));
  }
  if (exists(path_, ignored) && !is_regular_file(path_, ignored)) fail(not_a_regular_file());
  try {
    file_ = RegularFile::to_create(temporary_, permissions);
  } catch (const std::system_error& error) {
    fail(error.code());
  }
}

FileReplacement::~FileReplacement() {
  if (!temporary_.empty() && file_) unlink(temporary_.c_str());
}

void FileReplacement::write(std::span<const std::byte> bytes) {
  try {
    file_->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  } catch (const std::system_error& error) {
    fail(error.code());
  }
}

void FileReplacement::commit() {
  const auto check = [this](int result) {
    if (result != 0) fail({errno, std::generic_category()});
  };
  check(fsync(file_->descriptor()));
  try {
    file_->close();
  } catch (const std::system_error& error) {
    fail(error.code());
  }
  check(rename(temporary_.c_str(), path_.c_str()));
  temporary_.clear();
  sync_folder(folder_of(path_));
}

void FileReplacement::fail(const std::error_code& code) const {
  std::error_code ignored;
  const bool was_there = is_regular_file(path_, ignored);
  throw Error(kind_of(code),
              fmt::format("{}: cannot write it: {}{}", path_.string(), code.message(),
                          was_there ? "; what the file held before is unchanged" : ""));
}

void check_replaceable(const std::filesystem::path& path) { FileReplacement attempt(path); }

std::filesystem::path file_behind(const std::filesystem::path& path) {
  const std::filesystem::path file = without_links(path);
  std::error_code failed;
  const std::filesystem::path folder = canonical(folder_of(file), failed);
  return (failed ? absolute(folder_of(file)) : folder) / file.filename();
}

}  // namespace switchyard
