// Kernels that were compiled, by the build or at run time.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "seam/seam.hpp"
#include "software/compile/compiler.hpp"
#include "software/shim/interface.h"

namespace mps::software {

class Pipeline final : public seam::Pipeline {
 public:
  // `code` keeps the kernel's code loaded.
  Pipeline(std::shared_ptr<const msl::Library> code, const msl::Kernel& kernel)
      : code_(std::move(code)), kernel_(kernel) {}
  uint32_t max_threads_per_group() const override;
  uint32_t simd_width() const override;
  const msl::Kernel& kernel() const { return kernel_; }

 private:
  const std::shared_ptr<const msl::Library> code_;
  const msl::Kernel& kernel_;
};

class Library final : public seam::Library {
 public:
  // Of a source that the build compiled; it needs no constants.
  explicit Library(const msl::Library& compiled_in);
  // Compiles; throws Failure(compilation).
  Library(std::shared_ptr<const Compiler> compiler, const seam::Source& source);

  std::vector<std::string> functions() const override;
  seam::Ref<seam::Pipeline> pipeline(std::string_view function,
                                     const seam::Constants& constants) override;

 private:
  const msl::Kernel* find(const msl::Library& code, std::string_view function) const;
  // The value of each constant that the kernel needs, as the compiler's arguments.
  Definitions definitions(const msl::Kernel& kernel, const seam::Constants& constants) const;
  std::shared_ptr<const msl::Library> specialised(const Definitions& definitions);

  const std::shared_ptr<const Compiler> compiler_;
  const std::string name_;
  const std::string text_;
  const bool fast_math_ = false;
  std::shared_ptr<const msl::Library> code_;
  std::mutex guard_;
  std::map<Definitions, std::shared_ptr<const msl::Library>> specialised_;
};

}  // namespace mps::software
