#include "software/compile/compiler.hpp"

#include <dlfcn.h>

#include "software/compile/files.hpp"
#include "software/compile/preprocess.hpp"
#include "software/compile/process.hpp"
#include "software/compile/shim_text.hpp"
#include "software/translator/token.hpp"
#include "software/translator/translate.hpp"

namespace mps::software {
namespace {

constexpr const char* symbol = "msl_library";

// The sanitizers of this plugin's own build, if any, follow.
const auto& base_flags = *new const std::vector<std::string>{"-std=c++20",
                                                             "-O2",
                                                             "-fPIC",
                                                             "-shared",
                                                             "-w",
                                                             "-fwrapv",
                                                             "-fno-strict-aliasing",
                                                             "-fno-math-errno",
                                                             "-fno-exceptions",
                                                             "-fvisibility=hidden",
                                                             "-fvisibility-inlines-hidden"};
// Not -ffast-math: at the link it would change how the whole process computes.
const auto& fast_flags = *new const std::vector<std::string>{
    "-fassociative-math", "-freciprocal-math", "-fno-signed-zeros", "-fno-trapping-math"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<std::string> flags_of(const seam::Source& source) {
  std::vector<std::string> result = base_flags;
  append(result, words_of(MPS_COMPILER_FLAGS));
  if (source.fast_math) append(result, fast_flags);
  return result;
}

std::string as_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += word + '\n';
  return line;
}

std::shared_ptr<const msl::Library> load(const std::filesystem::path& object) {
  void* const handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw seam::Failure(seam::Fault::compilation, dlerror());
  const std::shared_ptr<void> opened(handle, dlclose);
  const auto* const library = static_cast<const msl::Library*>(dlsym(handle, symbol));
  if (!library) {
    throw seam::Failure(seam::Fault::compilation, object.string() + " defines no " + symbol);
  }
  return {opened, library};
}

}  // namespace

Compiler::Compiler(std::string program, std::string cache_folder)
    : program_(program.empty() ? MPS_COMPILER : std::move(program)),
      cache_(std::move(cache_folder)) {}

std::shared_ptr<const msl::Library> Compiler::compile(const seam::Source& source) const {
  const std::string key = source.name + '\n' + program_ + '\n' + as_line(flags_of(source)) +
                          std::string(source.text) + '\n' + std::string(shim_text());
  const auto object = cache_.find_or_make(
      key, [&](const std::filesystem::path& path) { make_object(source, path); });
  return load(object);
}

std::string Compiler::make_text(const seam::Source& source,
                                const std::filesystem::path& stem) const {
  try {
    const std::string processed = preprocess(program_, source, stem.string());
    const std::string text = translate(processed, source.name, symbol);
    return std::string(shim_text()) + text.substr(shim_inclusion.size());
  } catch (const TranslationError& error) {
    throw seam::Failure(seam::Fault::compilation, error.what());
  }
}

void Compiler::make_object(const seam::Source& source, const std::filesystem::path& object) const {
  const TemporaryFile text(object.string() + ".cpp");
  write_file(text.path(), make_text(source, object));
  std::vector<std::string> command{program_};
  append(command, flags_of(source));
  append(command, {"-x", "c++", text.path(), "-o", object.string()});
  run_compiler(command);
}

}  // namespace mps::software
