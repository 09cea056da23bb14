// Which libraries have survived a trial, kept over runs so that a trial is made once for each build
// of a plugin.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin_loader/library_file.hpp"

namespace switchyard {

// $XDG_CACHE_HOME/switchyard/trials, or that of ~/.cache; empty if neither is known, or in an
// elevated process, whose user must not be able to vouch for a library.
std::filesystem::path default_trial_record();

// What tells one build under one set of circumstances from all others; fit for a file's name.
std::string trial_key(const LibraryFile& library, std::string_view circumstances);

// A text file with a line for each library. Only survivals are kept, and hangs: a crash is tried
// again at each start, so that fixing a driver is enough. Writers replace the file whole; of two at
// once one wins, and the other's library is tried again. Nothing here throws but for want of
// memory: a record that cannot be read or written only costs time, and is logged.
class TrialRecord {
 public:
  // An empty path: nothing is remembered.
  explicit TrialRecord(std::filesystem::path file) : file_(std::move(file)) {}

  // `circumstances`: whatever else the outcome depended on. Another build of a library that was
  // loaded then is none of the same.
  bool has(const LibraryFile& library, std::string_view circumstances) const;
  // `dependencies`: the files of all libraries that were loaded in the trial.
  void add(const LibraryFile& library, std::string_view circumstances,
           const std::vector<std::string>& dependencies) const;

 private:
  std::filesystem::path file_;
};

}  // namespace switchyard
