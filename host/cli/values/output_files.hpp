#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <switchyard/model.hpp>

#include "cli/values/extremes.hpp"

namespace switchyard::cli {

/// One output of a model as people see it; a tensor of a sequence is one of its own, "name[2]".
struct OutputSummary {
  std::string name;
  DType dtype = DType::undefined;
  Dims shape;
  bool is_present = true;    // false: an optional without a value
  bool has_numbers = false;  // and at least one element: `extremes` counts
  Extremes extremes;
  std::string file;  // where it was written; ""
};

std::vector<OutputSummary> describe_outputs(const std::vector<NamedValue>& outputs);

/// Makes `folder`, and tries to write a file there for each output of a model that is to run.
/// Throws Error(invalid_argument) that names the file.
void prepare_output_files(const std::vector<Port>& outputs, const std::string& folder);

/// Writes each tensor as `folder`/NAME.npy, and notes the file in its summary.
/// `/` and other characters that do not suit a file name become `_`; a name that is then taken gets
/// a number. Throws Error(invalid_argument) that names the file.
void write_outputs(const std::vector<NamedValue>& outputs, const std::string& folder,
                   std::vector<OutputSummary>& summaries);

/// "logits.npy" for the output "logits"; `count` is how many took that name before.
std::string file_name_for(const std::string& output, std::size_t count);

}  // namespace switchyard::cli
