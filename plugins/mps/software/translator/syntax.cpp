#include "software/translator/syntax.hpp"

namespace mps::software {

std::string Syntax::spelling(Range range) const {
  if (range.empty()) return {};
  const size_t begin = tokens[range.begin].position;
  return std::string(text.substr(begin, tokens[range.end - 1].end() - begin));
}

std::string Syntax::words(Range range) const {
  std::string result;
  for (size_t i = range.begin; i < range.end; ++i) result.append(tokens[i].text).append(" ");
  return result;
}

size_t Syntax::partner(size_t token) const {
  const bool angles = is(token, "<");
  int depth = 0;
  for (size_t i = token; i + 1 < tokens.size(); ++i) {
    const std::string_view word = tokens[i].text;
    if (angles && i > token && (word == "(" || word == "[" || word == "{")) {
      i = partner(i);
      continue;
    }
    if (word == "[[") depth += 2;
    if (word == "(" || word == "[" || word == "{" || (angles && word == "<")) ++depth;
    if (word == ")" || word == "]" || word == "}" || (angles && word == ">")) --depth;
    if (depth == 0) return i;
  }
  fail(token, "bracket has no partner");
}

}  // namespace mps::software
