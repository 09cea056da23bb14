#include "software/translator/translate.hpp"

#include <algorithm>

#include "software/translator/constants.hpp"
#include "software/translator/edits.hpp"
#include "software/translator/kernels.hpp"
#include "software/translator/lint.hpp"

namespace mps::software {
namespace {

std::string number(size_t value) { return std::to_string(value); }

// `threadgroup float a[4], b;` becomes references into the threadgroup's memory.
void write_group_variables(const Syntax& syntax, Edits& edits) {
  for (size_t slot = 0; slot < syntax.group_variables.size(); ++slot) {
    const GroupVariableSyntax& variable = syntax.group_variables[slot];
    const std::string type = "msl_group_type_" + number(slot);
    const std::string value = "msl_group_value_" + number(slot);
    std::string text = "struct " + type + " { " +
                       syntax.words({variable.type.begin, variable.tokens.end}) + "; }; " + type +
                       "& " + value + " = *static_cast<" + type +
                       "*>(msl::group()->variable(msl::group(), " + number(slot) + ", sizeof(" +
                       type + "), alignof(" + type + ")))";
    for (const std::string& name : variable.names) {
      text += "; auto& " + name + " = " + value + "." + name;
    }
    edits.replace(syntax.tokens[variable.tokens.begin].position,
                  syntax.tokens[variable.tokens.end].position, std::move(text));
  }
}

void erase_attributes(const Syntax& syntax, Edits& edits) {
  for (const Range list : syntax.attributes) {
    edits.replace(syntax.tokens[list.begin].position, syntax.tokens[list.end - 1].end(), "");
  }
}

bool is_floating(std::string_view literal) {
  const bool hexadecimal = literal.size() > 1 && (literal[1] == 'x' || literal[1] == 'X');
  return literal.find_first_of(hexadecimal ? "pP" : ".eE") != std::string_view::npos;
}

// In Metal a literal without a suffix is a float; h makes a half and bf a bfloat.
void write_literal(const Token& token, Edits& edits) {
  if (!is_floating(token.text)) return;
  const char last = token.text.back();
  const std::string_view body = token.text.substr(0, token.text.size() - 1);
  if (last == 'h' || last == 'H') {
    edits.replace(token.position, token.end(), "half(" + std::string(body) + "f)");
  } else if (body.size() > 1 && (body.back() == 'b' || body.back() == 'B')) {
    edits.replace(token.position, token.end(),
                  "bfloat(" + std::string(body.substr(0, body.size() - 1)) + "f)");
  } else if (last != 'f' && last != 'F') {
    edits.insert(token.end(), "f");
  }
}

void write_tokens(const Syntax& syntax, Edits& edits) {
  for (size_t i = 0; i < syntax.tokens.size(); ++i) {
    const Token& token = syntax.tokens[i];
    const auto inside = [&](const GroupVariableSyntax& variable) {
      return variable.tokens.begin <= i && i < variable.tokens.end;
    };
    if (std::any_of(syntax.group_variables.begin(), syntax.group_variables.end(), inside)) continue;
    if (token.kind == Token::Kind::number) write_literal(token, edits);
    const bool beside = syntax.is(i + 1, "constant") || (i > 0 && syntax.is(i - 1, "constant"));
    if (token.text == "const" && beside) edits.replace(token.position, token.end(), "");
  }
}

std::string entry(const BoundKernel& kernel, size_t index) {
  std::string text = "using Entry" + number(index) +
                     " = msl::Entry<decltype(&metal::" + kernel.symbol +
                     "), &metal::" + kernel.symbol;
  for (const Attribute& binding : kernel.bindings) {
    if (binding.name == "buffer") {
      text += ", msl::buffer<" + binding.argument + ">";
    } else if (binding.name == "threadgroup") {
      text += ", msl::threadgroup_memory<" + binding.argument + ">";
    } else {
      text += ", msl::" + binding.name;
    }
  }
  text += ">;\nconstexpr unsigned constants" + number(index) + "[] = {";
  for (const uint32_t constant : kernel.constants) text += number(constant) + ", ";
  return text + "0};\n";
}

std::string row(const BoundKernel& kernel, size_t index) {
  const std::string name = "Entry" + number(index);
  return "  {\"" + kernel.host_name + "\", &" + name +
         (kernel.collective ? "::run_lanes, true, " : "::run_all, false, ") + name +
         "::parameters, " + name + "::parameter_count, constants" + number(index) + ", " +
         number(kernel.constants.size()) + "},\n";
}

std::string table(const std::vector<BoundKernel>& kernels,
                  const std::vector<ConstantSyntax>& constants, std::string_view symbol) {
  std::string text =
      "\n#undef kernel\n#undef device\n#undef constant\n#undef thread\n#undef threadgroup\n"
      "#line 1 \"bindings\"\nnamespace {\n";
  for (size_t i = 0; i < kernels.size(); ++i) text += entry(kernels[i], i);
  text += "constexpr msl::Kernel kernel_table[] = {\n";
  for (size_t i = 0; i < kernels.size(); ++i) text += row(kernels[i], i);
  text += "  {}};\nconstexpr msl::FunctionConstant constant_table[] = {\n";
  for (const ConstantSyntax& constant : constants) {
    text += "  {" + number(constant.index) + ", \"" + constant.type + "\", \"" + constant.name +
            "\"},\n";
  }
  text += "  {}};\n}  // namespace\nextern \"C\" {\n";
  text += "extern __attribute__((visibility(\"default\"))) const msl::Library ";
  text.append(symbol).append(";\nconst msl::Library ").append(symbol);
  return text + " = {kernel_table, " + number(kernels.size()) + ", constant_table, " +
         number(constants.size()) + ", &metal::msl_set_constants};\n}\n";
}

}  // namespace

std::string translate(std::string_view text, std::string_view name, std::string_view symbol) {
  const Syntax syntax = parse(text, name);
  lint(syntax);
  const Constants constants = find_constants(syntax);
  const auto kernels = find_kernels(syntax, constants.given);
  Edits edits;
  write_group_variables(syntax, edits);
  write_constants(syntax, constants, edits);
  erase_attributes(syntax, edits);
  write_tokens(syntax, edits);
  // The source stands in namespace metal, whose functions so hide those of C; and without a name,
  // so that two sources may have functions of one name.
  std::string made(shim_inclusion);
  made.append("namespace metal {\nnamespace {\n#line 1 \"").append(name).append("\"\n");
  made += edits.apply(text);
  made += "\n#line 1 \"constants\"\n" + setter_of_constants(syntax, constants);
  made += "}  // namespace\n}  // namespace metal\n";
  return made + table(kernels, constants.given, symbol);
}

}  // namespace mps::software
