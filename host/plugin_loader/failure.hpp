// Why a plugin was not loaded: what `doctor`, `devices` and errors tell people.
#pragma once

#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

namespace switchyard {

// What kind of thing is wrong, for those who act on it; the messages are for people.
enum class LoadProblem {
  not_found,      // no candidate path exists
  not_trusted,    // the file or its folder is writable by others
  wrong_sha256,   // the file is not the pinned one
  not_loadable,   // no shared library, cut short, or built for another machine
  not_opened,     // the dynamic loader refused it: a missing library or symbol
  no_entry,       // it does not export switchyard_plugin_entry
  wrong_version,  // no ABI version that both sides speak
  entry_failed,   // its entry returned an error or threw
  incomplete,     // its table lacks a required slot
  probe_failed,   // its probe returned an error, threw, or told nonsense
  crashed,        // it killed the process that tried it, or did not answer in time
  wrong_ops       // it brings ops that cannot be registered
};

// "not found", "not trusted": the kind in words.
std::string_view to_text(LoadProblem problem) noexcept;

struct LoadFailure {
  LoadProblem problem = LoadProblem::not_found;
  std::filesystem::path library;  // the file that failed; empty if none was found
  std::string reason;  // what is wrong, with the dynamic loader's own words where it spoke
  std::string remedy;  // how to fix it, as an imperative sentence
  bool short_of_memory = false;  // there is nothing wrong with it but that it had too little memory
};

// How the parts of this module report failure to `load_plugin`, which alone catches it.
class LoadError : public std::exception {
 public:
  LoadError(LoadProblem problem, std::string reason, std::string remedy,
            bool short_of_memory = false)
      : failure_{problem, {}, std::move(reason), std::move(remedy), short_of_memory} {}

  const LoadFailure& failure() const noexcept { return failure_; }
  const char* what() const noexcept override { return failure_.reason.c_str(); }

 private:
  LoadFailure failure_;
};

}  // namespace switchyard
