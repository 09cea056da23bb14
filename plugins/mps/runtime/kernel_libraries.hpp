// Our own kernels: libraries that are compiled when one of their kernels is first needed.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/sources.hpp"
#include "seam/seam.hpp"

namespace mps {

// Any thread may call any member. Which library has a kernel is known from its source's text, so
// that nothing is compiled to find out. A library that does not compile is tried once: whoever
// needs one of its kernels is told why, and the others go on.
class KernelLibraries {
 public:
  // `folder` may have libraries compiled beforehand, NAME-LANGUAGE-HASH.metallib each: NAME.metal
  // in that version of the language, 204 for 2.4, if its text has that hash. They are precise.
  KernelLibraries(seam::Device& device, bool fast_math, std::string folder = {},
                  const std::vector<KernelSource>& sources = kernel_sources());

  // Lives as long as this. Throws sy::unsupported, with the compiler's first error, where the
  // kernel or its library does not compile; sy::bug if no source has such a kernel.
  const seam::Pipeline& pipeline(const std::string& function,
                                 const seam::Constants& constants = {});
  // How many libraries are in use, and all that the compiler said of those that are not.
  std::string report();

 private:
  struct Library {
    const KernelSource* source = nullptr;
    std::mutex compiling;
    seam::Ref<seam::Library> made;  // null until it is needed, and where it does not compile
    std::string failure;            // the compiler's, in full
  };
  struct Made {
    seam::Ref<seam::Pipeline> pipeline;
    std::string failure;
  };

  Library& library_of(const std::string& function);
  seam::Library& compiled(Library& library);
  seam::Ref<seam::Library> loaded(const KernelSource& source) const;

  seam::Device& device_;
  const bool fast_math_;
  const std::string folder_;
  std::vector<std::unique_ptr<Library>> libraries_;
  std::unordered_map<std::string_view, Library*> by_function_;
  std::mutex guard_;
  std::unordered_map<std::string, Made> pipelines_;  // by function and constants
};

}  // namespace mps
