#include "cli/new_plugin/plugin_project.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string_view>
#include <switchyard/error.hpp>
#include <system_error>

#include "cli/new_plugin/plugin_name.hpp"
#include "files/regular_file.hpp"

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_at(const fs::path& path, const char* what, const std::error_code& code) {
  throw Error(kind_of(code),
              fmt::format("new-plugin: {}: {}: {}", path.string(), what, code.message()));
}

std::string with_replaced(std::string text, std::string_view before, std::string_view after) {
  for (std::size_t at = text.find(before); at != std::string::npos;
       at = text.find(before, at + after.size())) {
    text.replace(at, before.size(), after);
  }
  return text;
}

/// Sources take their name from the build, and may hold the same word with another meaning.
bool says_the_name(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".txt" || ending == ".md" || ending == ".toml";
}

std::string read(const fs::path& path) {
  try {
    return RegularFile::to_read(path).read(std::numeric_limits<int>::max());
  } catch (const std::system_error& error) {
    fail_at(path, "cannot read it", error.code());
  }
}

ProjectFile project_file(const PluginTemplate& source, const fs::path& folder, const fs::path& path,
                         const std::string& name) {
  ProjectFile file{path.lexically_relative(folder), read(path)};
  file.path.replace_filename(with_replaced(file.path.filename().string(), source.name, name));
  if (says_the_name(path)) {
    file.text = with_replaced(file.text, fmt::format("libswitchyard_{}.so", source.name),
                              plugin_file_name(source.name));
    file.text = with_replaced(file.text, source.name, name);
  }
  return file;
}

/// A folder beside the one that it becomes, under a temporary name. Without `commit` nothing of it
/// stays.
class FolderToBe {
 public:
  explicit FolderToBe(const fs::path& folder)
      : folder_(folder), temporary_(fmt::format(".{}.{}.partial", folder.string(), getpid())) {
    if (::mkdir(temporary_.c_str(), 0777) != 0) {
      const std::error_code code(errno, std::generic_category());
      temporary_.clear();
      fail_at(folder_, "cannot make it", code);
    }
  }
  ~FolderToBe() {
    std::error_code ignored;
    if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
  }
  FolderToBe(const FolderToBe&) = delete;
  FolderToBe& operator=(const FolderToBe&) = delete;

  void write(const ProjectFile& file) const {
    try {
      const fs::path path = temporary_ / file.path;
      fs::create_directories(path.parent_path());
      RegularFile to = RegularFile::to_create(path);
      to.write(file.text);
      to.close();
    } catch (const std::system_error& error) {
      fail_at(folder_ / file.path, "cannot write it", error.code());
    }
  }

  /// A rename replaces an empty folder: the one made here, which nobody else has made.
  void commit() {
    if (::mkdir(folder_.c_str(), 0777) != 0) {
      fail_at(folder_, "cannot make it", {errno, std::generic_category()});
    }
    if (::rename(temporary_.c_str(), folder_.c_str()) != 0) {
      const std::error_code code(errno, std::generic_category());
      ::rmdir(folder_.c_str());
      fail_at(folder_, "cannot make it", code);
    }
    temporary_.clear();
  }

 private:
  fs::path folder_;
  fs::path temporary_;
};

}  // namespace

const std::vector<PluginTemplate>& plugin_templates() {
  static const auto& templates = *new std::vector<PluginTemplate>{
      {"cpp", "template", "template"}, {"c", "template-c", "template_c"}};
  return templates;
}

std::vector<ProjectFile> project_files(const PluginTemplate& source, const fs::path& templates,
                                       const std::string& name) {
  const fs::path folder = templates / source.folder;
  std::vector<ProjectFile> files;
  std::error_code ended;
  for (fs::recursive_directory_iterator entry(folder, ended), end; !ended && entry != end;
       entry.increment(ended)) {
    if (!entry->is_directory()) {
      files.push_back(project_file(source, folder, entry->path(), name));
    }
  }
  if (ended) fail_at(folder, "the plugin to copy; install Switchyard whole", ended);
  std::sort(files.begin(), files.end(),
            [](const ProjectFile& a, const ProjectFile& b) { return a.path < b.path; });
  return files;
}

void write_project(const fs::path& folder, const std::vector<ProjectFile>& files) {
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored))) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("new-plugin: there is a '{}' here already, and nothing is overwritten; "
                            "choose another name, or move it away",
                            folder.string()));
  }
  FolderToBe made(folder);
  for (const ProjectFile& file : files) made.write(file);
  made.commit();
}

}  // namespace switchyard::cli
