// Used by the build:
//   mps_translate library COMPILER FILE.metal SYMBOL OUTPUT   a kernel file as C++
//   mps_translate check COMPILER FILE.metal OUTPUT            the same as C++ for OpenCL
//   mps_translate shim OUTPUT HEADER...                       all headers of the shim as one text
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "software/compile/files.hpp"
#include "software/compile/process.hpp"
#include "software/translator/translate.hpp"

namespace {

using namespace mps::software;

std::string preprocessed(const std::string& compiler, const std::string& path,
                         const std::string& output) {
  const std::string name = path.substr(path.rfind('/') + 1);
  const TemporaryFile given(output + ".metal");
  const TemporaryFile processed(output + ".ii");
  write_file(given.path(), prepare(read_file(path), name));
  std::vector<std::string> command{compiler};
  for (std::string& flag : preprocessor_flags()) command.push_back(std::move(flag));
  for (const char* word : {"-x", "c++"}) command.emplace_back(word);
  command.insert(command.end(), {given.path(), "-o", processed.path()});
  const ProcessResult result = run_process(command);
  if (result.status != 0) throw std::runtime_error(result.errors);
  return read_file(processed.path());
}

void write_library(const std::vector<std::string>& words) {
  const std::string name = words[2].substr(words[2].rfind('/') + 1);
  write_file(words[4], translate(preprocessed(words[1], words[2], words[4]), name, words[3]));
}

void write_check(const std::vector<std::string>& words) {
  const std::string name = words[2].substr(words[2].rfind('/') + 1);
  write_file(words[3], translate_for_check(preprocessed(words[1], words[2], words[3]), name));
}

// In the order in which they are given, each after what it includes.
void write_shim(const std::vector<std::string>& words) {
  std::string text =
      "#include \"software/compile/shim_text.hpp\"\n\nnamespace mps::software {\n\n"
      "std::string_view shim_text() {\n  return\n";
  for (size_t i = 2; i < words.size(); ++i) {
    std::ifstream header(words[i]);
    text += "R\"MSL(#line 1 \"" + words[i].substr(words[i].rfind('/') + 1) + "\"\n";
    for (std::string line; std::getline(header, line); text += line + '\n') {
      if (line == "#pragma once" || line.compare(0, 19, "#include \"software/") == 0) line.clear();
    }
    text += ")MSL\"\n";
  }
  write_file(words[1], text + ";\n}\n\n}  // namespace mps::software\n");
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  try {
    if (words.size() == 5 && words[0] == "library") {
      write_library(words);
    } else if (words.size() == 4 && words[0] == "check") {
      write_check(words);
    } else if (words.size() > 2 && words[0] == "shim") {
      write_shim(words);
    } else {
      std::cerr << "usage: mps_translate library|check|shim ARGUMENT...\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
