#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <switchyard/error.hpp>

#include "cli/commands/subcommand.hpp"
#include "cli/new_plugin/plugin_name.hpp"
#include "cli/new_plugin/plugin_project.hpp"
#include "cli/process/exit_code.hpp"
#include "cli/terminal/json.hpp"
#include "cli/terminal/terminal.hpp"
#include "plugin_loader/own_location.hpp"

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

struct NewPluginOptions {
  std::string name;
  std::string language = plugin_templates().front().language;
  bool json = false;
};

/// Where this Switchyard's configurations lie; the plugins to copy lie beside them.
fs::path configuration_folder() {
  const fs::path file = installed_config_file();
  if (file.empty()) {
    throw Error(ErrorKind::not_found,
                "new-plugin: this switchyard lies beside no install and no build, which the "
                "plugin to copy is a part of; run the installed one");
  }
  return file.parent_path();
}

/// What find_package is to be told: the prefix, or its name where this is a build.
std::string prefix_of(const fs::path& configurations) {
  const fs::path data = configurations.parent_path();
  const bool is_installed = data.filename() == "switchyard";
  return is_installed ? data.parent_path().parent_path().string() : "PREFIX";
}

const PluginTemplate& template_of(const std::string& language) {
  const auto& templates = plugin_templates();
  return *std::find_if(templates.begin(), templates.end(), [&](const PluginTemplate& candidate) {
    return candidate.language == language;
  });
}

Json to_json(const NewPluginOptions& options, const std::vector<ProjectFile>& files) {
  Json paths = Json::array();
  for (const ProjectFile& file : files) paths.push_back(file.path.generic_string());
  return {{"name", options.name},
          {"language", options.language},
          {"folder", fs::absolute(options.name).string()},
          {"files", std::move(paths)}};
}

/// What to do next, as a shell takes it.
std::string next_steps(const std::string& name, const std::string& prefix) {
  std::string text = fmt::format(
      "{0} holds a plugin that computes three ops; its README.md says what is where. To build it, "
      "see\nit loaded and hold it against all that plugin.h promises:\n\n"
      "  cd {0}\n"
      "  cmake -S . -B build -DCMAKE_PREFIX_PATH=\"{1}\" && cmake --build build\n"
      "  switchyard devices --config {0}.toml\n"
      "  switchyard conform build/plugins/{2}\n",
      name, prefix, plugin_file_name(name));
  if (prefix == "PREFIX") text += "\nPREFIX is where Switchyard is installed.\n";
  return text;
}

int new_plugin(const NewPluginOptions& options) {
  check_new_plugin_name(options.name, installed_plugin_folders());
  const fs::path configurations = configuration_folder();
  const std::vector<ProjectFile> files =
      project_files(template_of(options.language), configurations.parent_path(), options.name);
  write_project(options.name, files);
  if (options.json) {
    print_json(to_json(options, files));
  } else {
    print(next_steps(options.name, prefix_of(configurations)));
  }
  return kSuccess;
}

Action declare_new_plugin(CLI::App& arguments) {
  auto options = std::make_shared<NewPluginOptions>();
  std::vector<std::string> languages;
  for (const PluginTemplate& each : plugin_templates()) languages.push_back(each.language);
  arguments
      .add_option(
          "name", options->name,
          "Its name, of letters, digits and underscores: also that of the folder, which is\n"
          "made here")
      ->type_name("NAME")
      ->required();
  arguments.add_option("--language", options->language, "What it is written in: cpp or c")
      ->type_name("LANGUAGE")
      ->default_str(options->language)
      ->check(CLI::IsMember(languages));
  arguments.add_flag("--json", options->json, "Prints JSON; host/cli/JSON.md documents the keys");
  return [options] { return new_plugin(*options); };
}

}  // namespace

const Subcommand new_plugin_command = {
    "new-plugin", "Writes a plugin to begin with, ready to be built against this install",
    "  switchyard new-plugin acme\n"
    "  switchyard new-plugin acme --language c\n"
    "The folder holds sources, a CMakeLists.txt, a configuration that loads the plugin, and a\n"
    "README.md. Nothing is overwritten.",
    declare_new_plugin};

}  // namespace switchyard::cli
