#include "tally.hpp"

#include <fmt/format.h>

#include <sstream>

namespace switchyard::soak {
namespace {

std::string joined(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [name, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  }
  return text.empty() ? "none" : text;
}

}  // namespace

void Tally::add_error(const Error& error) {
  const std::string kind(name_of(error.kind()));
  ++errors[kind];
  examples.try_emplace(kind, error.what());
}

// "faults: 120 calls; delay 3, status 4, ..."
void Tally::take_faults(const std::string& condition, const std::string& report) {
  const std::size_t start = report.find("faults: ");
  if (start == report.npos) return;
  std::istringstream words(report.substr(start, report.find('\n', start) - start));
  std::string word, calls;
  std::uint64_t count = 0;
  words >> word >> count >> calls;
  auto& counts = faults[condition];
  counts["calls"] = count;
  while (words >> word >> count) {
    counts[word] = count;
    words.ignore();  // the comma
  }
}

std::map<std::string, std::uint64_t> Tally::all_faults() const {
  std::map<std::string, std::uint64_t> all;
  for (const auto& [condition, counts] : faults) {
    for (const auto& [kind, count] : counts) all[kind] += count;
  }
  return all;
}

std::string Tally::text() const {
  std::string text = fmt::format(
      "{} programs, {} model runs, {} trainings, {} runtimes, {} ended processes of plugins; {} "
      "results compared, {} ended by an error\nerrors: {}\n",
      programs, model_runs, trainings, reloads, ended_processes, results, ended_early,
      joined(errors));
  for (const auto& [kind, line] : examples) text += fmt::format("  {}: {}\n", kind, line);
  text += "faults:\n";
  for (const auto& [condition, counts] : faults) {
    text += fmt::format("  {}: {}\n", condition, joined(counts));
  }
  return text;
}

bool is_sensible(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::invalid_argument:  // the plugin says that it is
    case ErrorKind::plugin:
    case ErrorKind::out_of_memory:
    case ErrorKind::unsupported:
    case ErrorKind::device_unavailable:
    case ErrorKind::device_lost:
    case ErrorKind::transient: return true;
    default: return false;
  }
}

}  // namespace switchyard::soak
