#include "runtime/generated_kernels.hpp"

#include <iterator>

namespace mps {

seam::Ref<seam::Pipeline> GeneratedKernels::find_or_compile(const std::string& text,
                                                            const std::string& function) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = pipelines_.find(text);
    if (known != pipelines_.end()) {
      if (auto pipeline = known->second.lock()) return pipeline;
    }
  }
  // Without the lock: compiling takes long. Two threads may then compile one text.
  const auto library = device_.library({function, text, fast_math_});
  auto pipeline = library->pipeline(function, {});
  // The library lives as long as its pipeline.
  seam::Ref<seam::Pipeline> held(pipeline.get(), [library, pipeline](seam::Pipeline*) {});
  const std::lock_guard lock(mutex_);
  forget_unheld();
  pipelines_[text] = held;
  return held;
}

size_t GeneratedKernels::count() {
  const std::lock_guard lock(mutex_);
  forget_unheld();
  return pipelines_.size();
}

// With mutex_ held.
void GeneratedKernels::forget_unheld() {
  for (auto known = pipelines_.begin(); known != pipelines_.end();) {
    known = known->second.expired() ? pipelines_.erase(known) : std::next(known);
  }
}

}  // namespace mps
