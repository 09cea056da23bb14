#include "software/library.hpp"

#include <algorithm>

#include "software/refusal.hpp"

namespace mps::software {
namespace {

const char* type_of(const seam::Constant& constant) {
  constexpr const char* names[] = {"bool", "int", "uint", "float"};
  return names[constant.index()];
}

const seam::Constant* given(const seam::Constants& constants, uint32_t index) {
  const auto found = std::find_if(constants.begin(), constants.end(),
                                  [&](const auto& pair) { return pair.first == index; });
  return found == constants.end() ? nullptr : &found->second;
}

}  // namespace

Pipeline::Pipeline(std::shared_ptr<const msl::Library> code, const msl::Kernel& kernel,
                   ConstantValues values)
    : code_(std::move(code)), kernel_(kernel), values_(std::move(values)) {
  for (const auto& value : values_) {
    const auto position = [](const auto& held) -> const void* { return &held; };
    positions_.push_back(value ? std::visit(position, *value) : nullptr);
  }
}

uint32_t Pipeline::max_threads_per_group() const { return max_group_threads; }
uint32_t Pipeline::simd_width() const { return software::simd_width; }

void Pipeline::give_constants(Call& call) const {
  if (kernel_.constant_count == 0) return;
  call.set_constants = code_->set_constants;
  call.constants = positions_.data();
}

Library::Library(const msl::Library& compiled_in)
    : code_(std::shared_ptr<const msl::Library>(), &compiled_in) {}

Library::Library(const Compiler& compiler, const seam::Source& source)
    : code_(compiler.compile(source)) {}

std::vector<std::string> Library::functions() const {
  std::vector<std::string> names;
  for (unsigned i = 0; i < code_->kernel_count; ++i) names.emplace_back(code_->kernels[i].name);
  return names;
}

const msl::Kernel& Library::find(std::string_view function) const {
  for (unsigned i = 0; i < code_->kernel_count; ++i) {
    if (function == code_->kernels[i].name) return code_->kernels[i];
  }
  std::string message = "no function '" + std::string(function) + "' in the library; it has";
  for (const std::string& name : functions()) message += " " + name;
  refuse_invalid(message);
}

ConstantValues Library::values_for(const msl::Kernel& kernel,
                                   const seam::Constants& constants) const {
  ConstantValues values(code_->constant_count);
  for (unsigned i = 0; i < code_->constant_count; ++i) {
    const msl::FunctionConstant& constant = code_->constants[i];
    const auto* const end = kernel.constants + kernel.constant_count;
    if (std::find(kernel.constants, end, constant.index) == end) continue;
    const std::string what = std::string(kernel.name) + ": constant " + constant.name + " [[" +
                             "function_constant(" + std::to_string(constant.index) + ")]]";
    const seam::Constant* const value = given(constants, constant.index);
    if (!value) refuse_invalid(what + " is not given");
    if (type_of(*value) != std::string_view(constant.type)) {
      refuse_invalid(what + " is of type " + constant.type + ", the value given is of type " +
                     type_of(*value));
    }
    values[i] = *value;
  }
  return values;
}

seam::Ref<seam::Pipeline> Library::pipeline(std::string_view function,
                                            const seam::Constants& constants) {
  const msl::Kernel& kernel = find(function);
  return std::make_shared<Pipeline>(code_, kernel, values_for(kernel, constants));
}

}  // namespace mps::software
