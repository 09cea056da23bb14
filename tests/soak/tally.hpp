// What a soak has done and met.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <switchyard/error.hpp>

namespace switchyard::soak {

struct Tally {
  std::uint64_t programs = 0, model_runs = 0, trainings = 0, reloads = 0;
  std::uint64_t results = 0;                                           // compared
  std::uint64_t ended_processes = 0;                                   // of isolated plugins
  std::uint64_t ended_early = 0;                                       // by an error
  std::set<std::string> begun;                                         // conditions
  std::map<std::string, std::uint64_t> errors;                         // by kind
  std::map<std::string, std::map<std::string, std::uint64_t>> faults;  // by condition, by kind
  std::map<std::string, std::string> examples;  // of a kind's errors, the first

  void add_error(const Error& error);
  /// Takes the counts of a plugin's report, which are those since it was entered first.
  void take_faults(const std::string& condition, const std::string& report);
  /// In this process, by kind.
  std::map<std::string, std::uint64_t> all_faults() const;

  std::string text() const;
};

/// Whether a plugin's failures may come to such an error: what it says of itself, and what the host
/// makes of it. Not what would be wrong with the program, the model, the files or the host.
bool is_sensible(ErrorKind kind);

}  // namespace switchyard::soak
