#include "cli/values/output_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "cli/values/host_values.hpp"
#include "files/file_replacement.hpp"
#include "io/doubles.hpp"
#include "io/npy.hpp"

namespace switchyard::cli {
namespace {

namespace fs = std::filesystem;

/// Every tensor of the outputs with its name, in order; an absent optional is an empty tensor.
std::vector<std::pair<std::string, Tensor>> tensors_of(const std::vector<NamedValue>& outputs) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const NamedValue& output : outputs) {
    if (!output.is_sequence) {
      tensors.emplace_back(output.name, output.tensor);
      continue;
    }
    for (std::size_t i = 0; i < output.sequence.size(); ++i) {
      tensors.emplace_back(fmt::format("{}[{}]", output.name, i), output.sequence[i]);
    }
  }
  return tensors;
}

OutputSummary describe(const std::string& name, const Tensor& tensor) {
  OutputSummary summary;
  summary.name = name;
  summary.is_present = tensor.defined();
  if (!tensor.defined()) return summary;
  summary.dtype = tensor.dtype();
  summary.shape = tensor.shape();
  summary.has_numbers = tensor.size() > 0 && tensor.dtype() != DType::string;
  if (summary.has_numbers) summary.extremes = extremes_of(to_doubles(to_literal(tensor)));
  return summary;
}

bool suits_a_file_name(char character) {
  const auto byte = static_cast<unsigned char>(character);
  return byte > ' ' && byte != 0x7f &&
         std::string_view("/\\:*?\"<>|[]").find(character) == std::string_view::npos;
}

}  // namespace

std::vector<OutputSummary> describe_outputs(const std::vector<NamedValue>& outputs) {
  std::vector<OutputSummary> summaries;
  for (const auto& [name, tensor] : tensors_of(outputs)) {
    summaries.push_back(describe(name, tensor));
  }
  return summaries;
}

std::string file_name_for(const std::string& output, std::size_t count) {
  std::string stem;
  for (char character : output) stem += suits_a_file_name(character) ? character : '_';
  if (stem.empty() || stem.front() == '.') stem = "_" + stem;
  if (count > 0) stem += fmt::format("_{}", count + 1);
  return stem + ".npy";
}

void prepare_output_files(const std::vector<Port>& outputs, const std::string& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("--output-dir: cannot make {}: {}", folder, problem.message()));
  }
  for (const Port& output : outputs) {
    try {
      check_replaceable(fs::path(folder) / file_name_for(output.name, 0));
    } catch (const Error& error) {
      throw Error(error).set_line(fmt::format("--output-dir: {}", error.what()));
    }
  }
}

void write_outputs(const std::vector<NamedValue>& outputs, const std::string& folder,
                   std::vector<OutputSummary>& summaries) {
  const auto tensors = tensors_of(outputs);
  std::map<std::string, std::size_t> taken;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    if (!tensor.defined()) continue;
    const std::size_t count = taken[file_name_for(name, 0)]++;
    const fs::path file = fs::path(folder) / file_name_for(name, count);
    write_npy(file, to_literal(tensor));
    summaries[i].file = file.string();
  }
}

}  // namespace switchyard::cli
