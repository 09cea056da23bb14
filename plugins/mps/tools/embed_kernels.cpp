// embed_kernels FOLDER OUTPUT FILE...: writes each .metal FILE to FOLDER with its own headers put
// in their places, for Metal takes one text, and all of them into the C++ source OUTPUT.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// The name in `#include "name"`, or nothing.
std::string included(const std::string& line) {
  const std::string begin = "#include \"";
  if (line.compare(0, begin.size(), begin) != 0) return {};
  return line.substr(begin.size(), line.find('"', begin.size()) - begin.size());
}

// Lines keep their numbers, by #line.
void flatten(const fs::path& path, std::set<fs::path>& done, std::ostream& out) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  done.insert(path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string name = included(line);
    if (name.empty()) {
      out << (line == "#pragma once" ? "" : line) << '\n';
      continue;
    }
    const fs::path header = path.parent_path() / name;
    if (done.count(header)) {
      out << '\n';
      continue;
    }
    out << "#line 1 \"" << name << "\"\n";
    flatten(header, done, out);
    out << "#line " << number + 1 << " \"" << path.filename().string() << "\"\n";
  }
}

// The compiler takes no literal that is much longer than 64 KiB; short ones that follow each other
// are joined.
void write_literal(const std::string& text, std::ostream& out) {
  constexpr size_t piece = 8000;
  for (size_t at = 0; at < text.size(); at += piece) {
    out << "R\"MSL(" << text.substr(at, piece) << ")MSL\"\n";
  }
}

void write_if_new(const fs::path& path, const std::string& contents) {
  std::ifstream old(path);
  const std::string there{std::istreambuf_iterator<char>(old), std::istreambuf_iterator<char>()};
  if (old && there == contents) return;
  std::ofstream file(path);
  file << contents;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path.string());
}

// Those of [[host_name("...")]], and of kernels that are not templates, which go by their own
// names.
std::vector<std::string> functions_of(const std::string& text) {
  const std::regex name(
      R"re(host_name\(\s*"(\w+)"\s*\)|(template\s*<[^>]*>\s*)?\[\[kernel\]\]\s+void\s+(\w+))re");
  std::vector<std::string> functions;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), name);
       found != std::sregex_iterator(); ++found) {
    if ((*found)[1].matched) functions.push_back((*found)[1]);
    if ((*found)[3].matched && !(*found)[2].matched) functions.push_back((*found)[3]);
  }
  return functions;
}

std::string flattened(const fs::path& file) {
  std::ostringstream text;
  std::set<fs::path> done;
  flatten(file, done, text);
  return text.str();
}

// FNV-1a, of 64 bits: tells a text from its earlier versions.
std::string hash_of(const std::string& text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  }
  std::ostringstream digits;
  digits << std::hex << std::setw(16) << std::setfill('0') << hash;
  return digits.str();
}

void embed(const fs::path& folder, const fs::path& output, const fs::path& preamble,
           const std::vector<fs::path>& files) {
  std::ostringstream table;
  table << "#include \"kernels/sources.hpp\"\n\nnamespace mps {\n\n"
           "const std::vector<KernelSource>& kernel_sources() {\n"
           "  static const auto& sources = *new const std::vector<KernelSource>{\n";
  for (const fs::path& file : files) {
    const std::string text = flattened(file);
    write_if_new(folder / file.filename(), text);
    table << "{{\"" << file.filename().string() << "\",\n";
    write_literal(text, table);
    table << ", false},\n{";
    for (const std::string& function : functions_of(text)) table << "\"" << function << "\",\n";
    const std::string hash = hash_of(text);
    write_if_new(folder / (file.filename().string() + ".hash"), hash + "\n");
    table << "},\n\"" << hash << "\"},\n";
  }
  table << "};\n  return sources;\n}\n\nstd::string_view chain_preamble() {\n  return\n";
  write_literal(flattened(preamble), table);
  table << ";\n}\n\n}  // namespace mps\n";
  write_if_new(output, table.str());
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::cerr << "usage: embed_kernels FOLDER OUTPUT PREAMBLE FILE...\n";
    return 2;
  }
  try {
    embed(arguments[1], arguments[2], arguments[3], {arguments + 4, arguments + count});
  } catch (const std::exception& error) {
    std::cerr << "embed_kernels: " << error.what() << '\n';
    return 1;
  }
}
