// Pipelines of texts that were written for a program, each compiled once for all who hold it.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "seam/seam.hpp"

namespace mps {

// Any thread may call any member. Texts are compared in full; what nobody holds is let go.
class GeneratedKernels {
 public:
  GeneratedKernels(seam::Device& device, bool fast_math) : device_(device), fast_math_(fast_math) {}

  // Throws seam::Failure if the text does not compile.
  seam::Ref<seam::Pipeline> find_or_compile(const std::string& text, const std::string& function);
  // How many are held.
  size_t count();

 private:
  void forget_unheld();

  seam::Device& device_;
  const bool fast_math_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<seam::Pipeline>> pipelines_;  // by text
};

}  // namespace mps
