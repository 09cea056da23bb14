#include "onnx/graph/opset_imports.hpp"

#include <fmt/format.h>

#include "io/file_error.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

template <typename Message>
OpsetImports read(const Message& message, const std::string& where) {
  OpsetImports opsets;
  for (const onnx::OperatorSetIdProto& import : message.opset_import) {
    const auto [known, is_new] = opsets.emplace(plain_domain(import.domain), import.version);
    if (is_new || known->second == import.version) continue;
    refuse(where, fmt::format("it imports the domain {} in version {} and in version {}",
                              in_quotes(import.domain), known->second, import.version));
  }
  return opsets;
}

}  // namespace

std::string plain_domain(const std::string& domain) { return domain == "ai.onnx" ? "" : domain; }

OpsetImports read_opset_imports(const onnx::ModelProto& model, const std::string& where) {
  OpsetImports opsets = read(model, where);
  // Files of IR 1 and 2 are older than the field.
  if (model.ir_version < 3) opsets.emplace("", 1);
  return opsets;
}

OpsetImports read_opset_imports(const onnx::FunctionProto& function, const std::string& where) {
  return read(function, where);
}

const OpsetImports& body_imports() {
  static const auto& imports =
      *new OpsetImports{{"", kNewestOpset}, {"com.microsoft", 1}, {"switchyard", 1}};
  return imports;
}

int opset_of(const OpsetImports& opsets, const std::string& domain, const std::string& where) {
  const auto import = opsets.find(domain);
  const std::string name =
      domain.empty() ? "the default domain" : "the domain " + in_quotes(domain);
  if (import == opsets.end()) {
    refuse(where, fmt::format("the model uses {} without importing a version of it; the file is "
                              "damaged or was written by a faulty program",
                              name));
  }
  const std::int64_t version = import->second;
  const std::int64_t newest = domain.empty() ? kNewestOpset : INT32_MAX;
  if (version < 1 || version > newest) {
    refuse(where,
           fmt::format("the model uses {} in version {}; versions 1 to {} are read, so export "
                       "it for opset {} or older",
                       name, version, newest, newest));
  }
  return static_cast<int>(version);
}

}  // namespace switchyard
