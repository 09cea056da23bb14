// Used by the build:
//   mps_translate library COMPILER FILE.metal SYMBOL OUTPUT   a kernel file as C++
//   mps_translate shim OUTPUT HEADER...                       all headers of the shim as one text
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "software/compile/files.hpp"
#include "software/compile/preprocess.hpp"
#include "software/translator/translate.hpp"

namespace {

using namespace mps::software;

void write_library(const std::vector<std::string>& words) {
  const std::string text = read_file(words[2]);
  const std::string name = words[2].substr(words[2].rfind('/') + 1);
  const std::string processed = preprocess(words[1], {name, text}, words[4]);
  write_file(words[4], translate(processed, name, words[3]));
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
    } else if (words.size() > 2 && words[0] == "shim") {
      write_shim(words);
    } else {
      std::cerr << "usage: mps_translate library|shim ARGUMENT...\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
