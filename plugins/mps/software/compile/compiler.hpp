// Compiles sources at run time: translated, compiled by a child process into a shared object, kept
// in a cache on disk, loaded.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "seam/seam.hpp"
#include "software/compile/object_cache.hpp"
#include "software/shim/interface.h"

namespace mps::software {

// Any thread may call any member.
class Compiler {
 public:
  // Empty: the compiler that built this plugin; a folder below the user's cache folder.
  Compiler(std::string program, std::string cache_folder);

  // Throws Failure(compilation) with the compiler's words and lines of the source.
  std::shared_ptr<const msl::Library> compile(const seam::Source& source) const;

 private:
  std::string make_text(const seam::Source& source, const std::filesystem::path& stem) const;
  void make_object(const seam::Source& source, const std::filesystem::path& object) const;

  const std::string program_;
  ObjectCache cache_;
};

}  // namespace mps::software
