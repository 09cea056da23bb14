// Kernels that were compiled, by the build or at run time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seam/seam.hpp"
#include "software/compile/compiler.hpp"
#include "software/executor/call.hpp"
#include "software/shim/interface.h"

namespace mps::software {

// Of the function constants of a library, in its order.
using ConstantValues = std::vector<std::optional<seam::Constant>>;

class Pipeline final : public seam::Pipeline {
 public:
  // `code` keeps the kernel's code loaded; `values` are of the constants that the kernel needs.
  Pipeline(std::shared_ptr<const msl::Library> code, const msl::Kernel& kernel,
           ConstantValues values);
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  uint32_t max_threads_per_group() const override;
  uint32_t simd_width() const override;
  const msl::Kernel& kernel() const { return kernel_; }
  // The call then needs this pipeline.
  void give_constants(Call& call) const;

 private:
  const std::shared_ptr<const msl::Library> code_;
  const msl::Kernel& kernel_;
  const ConstantValues values_;
  std::vector<const void*> positions_;  // of the values
};

class Library final : public seam::Library {
 public:
  // Of a source that the build compiled.
  explicit Library(const msl::Library& compiled_in);
  // Compiles; throws Failure(compilation).
  Library(const Compiler& compiler, const seam::Source& source);

  std::vector<std::string> functions() const override;
  seam::Ref<seam::Pipeline> pipeline(std::string_view function,
                                     const seam::Constants& constants) override;

 private:
  const msl::Kernel& find(std::string_view function) const;
  ConstantValues values_for(const msl::Kernel& kernel, const seam::Constants& constants) const;

  const std::shared_ptr<const msl::Library> code_;
};

}  // namespace mps::software
