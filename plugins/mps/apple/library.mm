#include "apple/library.hpp"

#include <algorithm>
#include <type_traits>

#include "apple/entry.hpp"
#include "apple/text.hpp"

namespace mps::apple {
namespace {

// Metal's own numbers, because the enumerators above 2.4 are missing from older SDKs.
MTLLanguageVersion language_version(uint32_t language) {
  return static_cast<MTLLanguageVersion>((language / 100 << 16) + language % 100);
}

// The compiler's messages then name the source and its lines.
std::string with_line_directive(const seam::Source& source) {
  std::string quoted;
  for (const char character : source.name) {
    if (character == '"' || character == '\\') quoted += '\\';
    quoted += character == '\n' ? ' ' : character;
  }
  return "#line 1 \"" + quoted + "\"\n" + std::string(source.text);
}

template <typename Value>
constexpr MTLDataType data_type_of = std::is_same_v<Value, bool>       ? MTLDataTypeBool
                                     : std::is_same_v<Value, int32_t>  ? MTLDataTypeInt
                                     : std::is_same_v<Value, uint32_t> ? MTLDataTypeUInt
                                                                       : MTLDataTypeFloat;

MTLFunctionConstantValues* values_of(const seam::Constants& constants) {
  MTLFunctionConstantValues* values = [MTLFunctionConstantValues new];
  for (const auto& [index, constant] : constants) {
    const NSUInteger at = index;
    std::visit(
        [&](auto value) {
          [values setConstantValue:&value type:data_type_of<decltype(value)> atIndex:at];
        },
        constant);
  }
  return values;
}

}  // namespace

uint32_t Pipeline::max_threads_per_group() const {
  return static_cast<uint32_t>(state_.maxTotalThreadsPerThreadgroup);
}

uint32_t Pipeline::simd_width() const { return static_cast<uint32_t>(state_.threadExecutionWidth); }

std::vector<std::string> Library::functions() const {
  return entry([&] {
    std::vector<std::string> names;
    for (NSString* name in library_.functionNames) names.push_back(utf8(name));
    return names;
  });
}

seam::Ref<seam::Pipeline> Library::pipeline(std::string_view function,
                                            const seam::Constants& constants) {
  return entry([&]() -> seam::Ref<seam::Pipeline> {
    const std::string where = "kernel '" + std::string(function) + "': ";
    NSError* error = nil;
    id<MTLFunction> made = [library_ newFunctionWithName:ns_string(function)
                                          constantValues:values_of(constants)
                                                   error:&error];
    if (!made) {
      const std::vector<std::string> known = functions();
      const bool is_there = std::find(known.begin(), known.end(), function) != known.end();
      refuse(is_there ? seam::Fault::compilation : seam::Fault::invalid, where + describe(error));
    }
    id<MTLComputePipelineState> state =
        [library_.device newComputePipelineStateWithFunction:made error:&error];
    if (!state) refuse(seam::Fault::compilation, where + describe(error));
    return std::make_shared<Pipeline>(state);
  });
}

seam::Ref<seam::Library> make_library(id<MTLDevice> device, const seam::Source& source,
                                      uint32_t language) {
  MTLCompileOptions* options = [MTLCompileOptions new];
  options.fastMathEnabled = source.fast_math;
  options.languageVersion = language_version(language);
  NSError* error = nil;
  // A warning fills the error as well: only the missing library tells of a failure.
  id<MTLLibrary> library = [device newLibraryWithSource:ns_string(with_line_directive(source))
                                                options:options
                                                  error:&error];
  if (!library) refuse(seam::Fault::compilation, source.name + ": " + describe(error));
  library.label = ns_string(source.name);
  return std::make_shared<Library>(library);
}

seam::Ref<seam::Library> load_library(id<MTLDevice> device, const std::string& path) {
  NSError* error = nil;
  id<MTLLibrary> library = [device newLibraryWithURL:[NSURL fileURLWithPath:ns_string(path)]
                                               error:&error];
  if (!library) refuse(seam::Fault::unsupported, path + ": " + describe(error));
  library.label = ns_string(path);
  return std::make_shared<Library>(library);
}

}  // namespace mps::apple
