#include "cli/values/input_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "cli/arguments/assignment.hpp"
#include "cli/arguments/number.hpp"
#include "cli/values/host_values.hpp"
#include "cli/values/random_input.hpp"
#include "io/npy.hpp"
#include "memory/machine_memory.hpp"
#include "types/describe.hpp"

namespace switchyard::cli {
namespace {

using Extents = std::map<std::string, std::int64_t>;

const Port& port_named(const std::vector<Port>& ports, const std::string& name) {
  std::vector<std::string> names;
  for (const Port& port : ports) {
    if (port.name == name) return port;
    names.push_back(port.name);
  }
  throw Error(ErrorKind::invalid_argument,
              fmt::format("--input: the model has no input '{}'; its inputs are: {}", name,
                          fmt::join(names, ", ")));
}

/// What the host reads counts for no device's limit.
void require_small_file(const std::string& file, const LimitsConfig& limits) {
  const std::uint64_t most = limit_of_one_tensor(limits.value_bytes, machine_memory());
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
  if (unknown || bytes <= most) return;
  throw Error(ErrorKind::out_of_memory,
              fmt::format("--input: '{}' has {} bytes; one tensor may take {} bytes; "
                          "limits.value_bytes says how many, half of the memory if it is 0",
                          file, bytes, most));
}

NamedValue from_file(const std::vector<Port>& ports, const std::string& text,
                     const LimitsConfig& limits) {
  const auto [name, file] = read_assignment("--input", text);
  require_small_file(file, limits);
  return {name, to_tensor(read_npy(file, port_named(ports, name).dtype))};
}

void note_extents(const Port& port, const Dims& shape, Extents& extents) {
  for (std::size_t d = 0; d < std::min(shape.size(), port.dim_names.size()); ++d) {
    if (!port.dim_names[d].empty()) extents.emplace(port.dim_names[d], shape[d]);
  }
}

Dims settled_shape(const Port& port, const Extents& extents) {
  Dims shape = port.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0) continue;
    const auto known = d < port.dim_names.size() ? extents.find(port.dim_names[d]) : extents.end();
    shape[d] = known == extents.end() ? 1 : known->second;
  }
  return shape;
}

/// What the host makes counts for no device's limit.
void require_memory(const Port& port, const Dims& shape, const LimitsConfig& limits) {
  const std::uint64_t most = limit_of_one_tensor(limits.value_bytes, machine_memory());
  double bytes = bit_width(port.dtype) / 8.0;
  for (const std::int64_t extent : shape) bytes *= static_cast<double>(extent);
  if (bytes <= static_cast<double>(most)) return;
  throw Error(
      ErrorKind::out_of_memory,
      fmt::format("--random: input '{}', {} {}, would take {:.3g} bytes; one tensor may take "
                  "{} bytes; limits.value_bytes says how many, half of the memory if it is 0",
                  port.name, name_of(port.dtype), describe(shape), bytes, most));
}

NamedValue random_value(const Port& port, const Extents& extents, std::uint64_t seed,
                        const LimitsConfig& limits) {
  if (!port.tensor || !port.rank_known || port.dtype == DType::string) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("input '{}' is {}, for which there are no random values{}", port.name,
                    port.tensor ? (port.rank_known ? "text" : "of unknown rank") : "no tensor",
                    port.tensor ? "; give it with --input" : ""));
  }
  const Dims shape = settled_shape(port, extents);
  require_memory(port, shape, limits);
  return {port.name, to_tensor(random_literal(port.dtype, shape, seed))};
}

bool is_given(const std::vector<NamedValue>& values, const std::string& name) {
  return std::any_of(values.begin(), values.end(),
                     [&](const NamedValue& value) { return value.name == name; });
}

}  // namespace

void add_input_options(CLI::App& arguments, InputSources& sources) {
  arguments.add_option("--input", sources.files, "An input from a numpy file")
      ->type_name("NAME=FILE.npy")
      ->allow_extra_args(false);
  add_number(arguments, "--random", sources.random, {},
             "Fills the other inputs: floating point in [0, 1), integers 0 to 9; free\n"
             "extents are 1")
      ->type_name("SEED");
}

std::vector<NamedValue> input_values(const std::vector<Port>& ports, const InputSources& sources,
                                     const LimitsConfig& limits) {
  std::vector<NamedValue> values;
  Extents extents;
  for (const std::string& text : sources.files) {
    values.push_back(from_file(ports, text, limits));
    note_extents(port_named(ports, values.back().name), values.back().tensor.shape(), extents);
  }
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (!ports[i].required || is_given(values, ports[i].name)) continue;
    if (!sources.random) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("input '{0}' is missing; give --input {0}=FILE.npy, or --random SEED",
                              ports[i].name));
    }
    values.push_back(random_value(ports[i], extents, *sources.random + i, limits));
  }
  return values;
}

}  // namespace switchyard::cli
