#include "runtime/kernel_libraries.hpp"

#include <filesystem>
#include <system_error>

#include "runtime/compiler_message.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps {
namespace {

// Those that compile-kernels makes libraries of, the newest first: bfloat16 is from 3.1 on.
constexpr uint32_t languages[] = {301, 204};

[[noreturn]] void refuse(const std::string& what, const std::string& failure) {
  throw sy::unsupported(SY_REASON_OS, what,
                        " does not compile on this system: ", first_error(failure));
}

// Looked up whenever a copy is recorded, so in plain bytes behind the function's name and a space.
std::string key_of(const std::string& function, const seam::Constants& constants) {
  std::string key = function;
  const auto append = [&](auto value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const auto& [index, constant] : constants) {
    key += ' ';
    append(index);
    append(static_cast<uint8_t>(constant.index()));
    std::visit(append, constant);
  }
  return key;
}

// Others, as too little memory, may pass.
bool is_lasting(const seam::Failure& failure) {
  return failure.fault() == seam::Fault::compilation || failure.fault() == seam::Fault::unsupported;
}

}  // namespace

KernelLibraries::KernelLibraries(seam::Device& device, bool fast_math, std::string folder,
                                 const std::vector<KernelSource>& sources)
    : device_(device), fast_math_(fast_math), folder_(std::move(folder)) {
  for (const KernelSource& source : sources) {
    libraries_.push_back(std::make_unique<Library>());
    libraries_.back()->source = &source;
    for (const std::string_view function : source.functions) {
      by_function_.emplace(function, libraries_.back().get());
    }
  }
}

KernelLibraries::Library& KernelLibraries::library_of(const std::string& function) {
  const auto found = by_function_.find(function);
  if (found == by_function_.end()) throw sy::bug("there is no kernel ", function);
  return *found->second;
}

// Null where there is none that the device takes; the source is compiled then.
seam::Ref<seam::Library> KernelLibraries::loaded(const KernelSource& source) const {
  if (folder_.empty() || fast_math_) return nullptr;
  const std::filesystem::path name(source.name);
  for (const uint32_t language : languages) {
    if (language > device_.info().language) continue;
    const std::filesystem::path path =
        std::filesystem::path(folder_) /
        sy::text(name.stem().string(), "-", language, "-", source.hash, ".metallib");
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) continue;
    try {
      return device_.compiled_library(path.string());
    } catch (const seam::Failure&) {
      continue;
    }
  }
  return nullptr;
}

seam::Library& KernelLibraries::compiled(Library& library) {
  const std::lock_guard lock(library.compiling);
  const std::string& name = library.source->name;
  if (library.made) return *library.made;
  if (!library.failure.empty()) refuse(name, library.failure);
  seam::Source wanted = *library.source;
  wanted.fast_math = fast_math_;
  try {
    library.made = loaded(*library.source);
    if (!library.made) library.made = device_.library(wanted);
  } catch (const seam::Failure& failure) {
    if (!is_lasting(failure)) throw;
    library.failure = failure.what();
    refuse(name, library.failure);
  }
  return *library.made;
}

// Compiling takes long, so the lock is not held meanwhile: two threads may make one pipeline, and
// the first is kept.
const seam::Pipeline& KernelLibraries::pipeline(const std::string& function,
                                                const seam::Constants& constants) {
  const std::string key = key_of(function, constants);
  {
    const std::lock_guard lock(guard_);
    const auto known = pipelines_.find(key);
    if (known != pipelines_.end()) {
      if (!known->second.pipeline) refuse("kernel " + function, known->second.failure);
      return *known->second.pipeline;
    }
  }
  seam::Library& library = compiled(library_of(function));
  Made made;
  try {
    made.pipeline = library.pipeline(function, constants);
  } catch (const seam::Failure& failure) {
    if (!is_lasting(failure)) throw;
    made.failure = failure.what();
  }
  const std::lock_guard lock(guard_);
  const Made& kept = pipelines_.try_emplace(key, std::move(made)).first->second;
  if (!kept.pipeline) refuse("kernel " + function, kept.failure);
  return *kept.pipeline;
}

std::string KernelLibraries::report() {
  size_t in_use = 0;
  std::string failures;
  for (const auto& library : libraries_) {
    const std::lock_guard lock(library->compiling);
    in_use += library->made ? 1 : 0;
    if (library->failure.empty()) continue;
    failures += sy::text(library->source->name, " does not compile: ", library->failure, "\n");
  }
  const std::lock_guard lock(guard_);
  for (const auto& [key, made] : pipelines_) {
    if (made.pipeline) continue;
    failures += sy::text("kernel ", key.substr(0, key.find(' ')),
                         " does not compile: ", made.failure, "\n");
  }
  return sy::text("kernels: ", pipelines_.size(), " made, of ", in_use, " of ", libraries_.size(),
                  " libraries\n", failures);
}

}  // namespace mps
