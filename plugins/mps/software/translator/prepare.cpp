#include <algorithm>
#include <string>

#include "software/translator/translate.hpp"

namespace mps::software {
namespace {

bool includes_metal(std::string_view line) {
  const auto skip = [&line](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.substr(0, what.size()) != what) return false;
    line.remove_prefix(what.size());
    return true;
  };
  return skip("#") && skip("include") && skip("<metal");
}

}  // namespace

std::vector<std::string> preprocessor_flags() {
  return {"-E", "-undef", "-nostdinc", "-D__METAL__=1", "-D__METAL_VERSION__=310"};
}

std::string prepare(std::string_view source, std::string_view name) {
  std::string result = "#line 1 \"" + std::string(name) + "\"\n";
  while (!source.empty()) {
    const size_t end = std::min(source.find('\n'), source.size());
    if (!includes_metal(source.substr(0, end))) result.append(source.substr(0, end));
    result += '\n';
    source.remove_prefix(std::min(end + 1, source.size()));
  }
  return result;
}

}  // namespace mps::software
