#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace switchyard::cli {

/// A plugin that comes with Switchyard to be copied.
struct PluginTemplate {
  std::string language;  // as --language has it
  std::string folder;    // beside the installed configurations
  std::string name;      // of the plugin that it is
};

/// That of each language, the usual one first.
const std::vector<PluginTemplate>& plugin_templates();

/// A file of a project, before it is written.
struct ProjectFile {
  std::filesystem::path path;  // below the project's folder
  std::string text;
};

/// The files of a project: those of the template, which lies in a folder of `templates`, with the
/// plugin's name in the place of the template's where texts, configurations and the build say it.
/// Throws Error(not_found) or Error(io) where the template is not there, or cannot be read.
std::vector<ProjectFile> project_files(const PluginTemplate& source,
                                       const std::filesystem::path& templates,
                                       const std::string& name);

/// Writes them to `folder`, which is made in one step, with all of its files: whatever fails leaves
/// nothing behind. Throws Error(invalid_argument) if there is such a file or folder already, and
/// Error(io) or Error(not_found) for what the system refuses.
void write_project(const std::filesystem::path& folder, const std::vector<ProjectFile>& files);

}  // namespace switchyard::cli
