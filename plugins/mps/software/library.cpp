#include "software/library.hpp"

#include <algorithm>
#include <cstring>

#include "software/executor/call.hpp"

namespace mps::software {
namespace {

struct Spelling {
  const char* type;
  std::string value;
};

Spelling spell(const seam::Constant& constant) {
  if (const bool* value = std::get_if<bool>(&constant)) return {"bool", *value ? "true" : "false"};
  if (const int32_t* value = std::get_if<int32_t>(&constant)) {
    return {"int", "int(" + std::to_string(*value) + "l)"};
  }
  if (const uint32_t* value = std::get_if<uint32_t>(&constant)) {
    return {"uint", std::to_string(*value) + "u"};
  }
  uint32_t bits = 0;  // exact for all, infinities and NaN too
  std::memcpy(&bits, &std::get<float>(constant), sizeof bits);
  return {"float", "__builtin_bit_cast(float," + std::to_string(bits) + "u)"};
}

const seam::Constant* given(const seam::Constants& constants, uint32_t index) {
  const auto found = std::find_if(constants.begin(), constants.end(),
                                  [&](const auto& pair) { return pair.first == index; });
  return found == constants.end() ? nullptr : &found->second;
}

[[noreturn]] void refuse(const std::string& message) {
  throw seam::Failure(seam::Fault::invalid, message);
}

}  // namespace

uint32_t Pipeline::max_threads_per_group() const { return max_group_threads; }
uint32_t Pipeline::simd_width() const { return software::simd_width; }

Library::Library(const msl::Library& compiled_in)
    : code_(std::shared_ptr<const msl::Library>(), &compiled_in) {}

Library::Library(std::shared_ptr<const Compiler> compiler, const seam::Source& source)
    : compiler_(std::move(compiler)),
      name_(source.name),
      text_(source.text),
      fast_math_(source.fast_math),
      code_(compiler_->compile({name_, text_, fast_math_}, {})) {}

std::vector<std::string> Library::functions() const {
  std::vector<std::string> names;
  for (unsigned i = 0; i < code_->kernel_count; ++i) names.emplace_back(code_->kernels[i].name);
  return names;
}

const msl::Kernel* Library::find(const msl::Library& code, std::string_view function) const {
  for (unsigned i = 0; i < code.kernel_count; ++i) {
    if (function == code.kernels[i].name) return &code.kernels[i];
  }
  std::string message = "no function '" + std::string(function) + "' in the library; it has";
  for (const std::string& name : functions()) message += " " + name;
  refuse(message);
}

Definitions Library::definitions(const msl::Kernel& kernel,
                                 const seam::Constants& constants) const {
  Definitions result;
  for (unsigned i = 0; i < code_->constant_count; ++i) {
    const msl::FunctionConstant& constant = code_->constants[i];
    const auto* const end = kernel.constants + kernel.constant_count;
    if (std::find(kernel.constants, end, constant.index) == end) continue;
    const std::string what = std::string(kernel.name) + ": constant " + constant.name + " [[" +
                             "function_constant(" + std::to_string(constant.index) + ")]]";
    const seam::Constant* const value = given(constants, constant.index);
    if (!value) refuse(what + " is not given");
    const Spelling spelling = spell(*value);
    if (spelling.type != std::string_view(constant.type)) {
      refuse(what + " is of type " + constant.type + ", the value given is of type " +
             spelling.type);
    }
    result.emplace_back("MSL_CONSTANT_" + std::to_string(constant.index), spelling.value);
  }
  return result;
}

std::shared_ptr<const msl::Library> Library::specialised(const Definitions& definitions) {
  if (definitions.empty()) return code_;
  const std::lock_guard lock(guard_);
  auto& code = specialised_[definitions];
  if (!code) code = compiler_->compile({name_, text_, fast_math_}, definitions);
  return code;
}

seam::Ref<seam::Pipeline> Library::pipeline(std::string_view function,
                                            const seam::Constants& constants) {
  const auto code = specialised(definitions(*find(*code_, function), constants));
  return std::make_shared<Pipeline>(code, *find(*code, function));
}

}  // namespace mps::software
