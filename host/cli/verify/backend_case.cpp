#include "cli/verify/backend_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <switchyard/error.hpp>

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDataSetPrefix = "test_data_set_";

bool is_data_set(const fs::path& path) {
  return fs::is_directory(path) && path.filename().string().rfind(kDataSetPrefix, 0) == 0;
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    entries.push_back(entry.path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// The K of "PREFIX_K.pb".
std::optional<std::size_t> number_in(const std::string& file, std::string_view prefix) {
  constexpr std::string_view ending = ".pb";
  if (file.size() <= prefix.size() + ending.size() || file.rfind(prefix, 0) != 0) return {};
  const char* first = file.data() + prefix.size();
  const char* last = file.data() + file.size() - ending.size();
  std::size_t number = 0;
  const auto [stop, problem] = std::from_chars(first, last, number);
  if (problem != std::errc() || stop != last || std::string_view(last) != ending) return {};
  return number;
}

TestDataSet read_data_set(const fs::path& folder) {
  TestDataSet set{folder.filename().string(), {}, {}};
  for (const fs::path& path : sorted_entries(folder)) {
    const std::string file = path.filename().string();
    if (auto number = number_in(file, "input_")) set.inputs.emplace_back(*number, path);
    if (auto number = number_in(file, "output_")) set.outputs.emplace_back(*number, path);
  }
  std::sort(set.inputs.begin(), set.inputs.end());
  std::sort(set.outputs.begin(), set.outputs.end());
  return set;
}

/// The folder as a case, or nothing.
std::optional<BackendCase> read_case(const fs::path& folder, const std::vector<fs::path>& entries) {
  BackendCase found;
  found.name = folder.filename().string();
  if (fs::is_regular_file(folder / "model.onnx")) found.model = folder / "model.onnx";
  for (const fs::path& entry : entries) {
    if (is_data_set(entry)) found.data_sets.push_back(read_data_set(entry));
  }
  if (!found.model && found.data_sets.empty()) return {};
  return found;
}

void collect(const fs::path& folder, std::vector<BackendCase>& cases) {
  const std::vector<fs::path> entries = sorted_entries(folder);
  if (auto found = read_case(folder, entries)) return cases.push_back(std::move(*found));
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry) && !fs::is_symlink(entry)) collect(entry, cases);
  }
}

}  // namespace

std::vector<BackendCase> find_cases(const fs::path& folder) {
  std::vector<BackendCase> cases;
  try {
    // Without `.`, `..` and a `/` at the end, so that the last part of the path is a name.
    collect(fs::canonical(folder), cases);
  } catch (const fs::filesystem_error& error) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{}: {}; name a folder with model.onnx and "
                            "test_data_set_*, or a folder of such folders",
                            error.path1().string(), error.code().message()));
  }
  return cases;
}

}  // namespace switchyard::cli
