#include "ops/shapes/einsum.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

constexpr char kEllipsis = EinsumEquation::kEllipsis;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A term without blanks, its ellipsis one character.
std::string read_term(const Inference& inference, std::string_view text) {
  std::string term;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (is_letter(text[i])) {
      term += text[i];
    } else if (text.substr(i, 3) == "..." && term.find(kEllipsis) == std::string::npos) {
      term += kEllipsis;
      i += 2;
    } else {
      inference.fail(fmt::format(
          "\"{}\" is not a term of an equation: it takes letters and one \"...\"", text));
    }
  }
  return term;
}

/// Without "->": the ellipsis, then the letters that occur once, in the alphabet's order.
std::string implied_result(const std::vector<std::string>& terms) {
  std::map<char, int> uses;
  for (const std::string& term : terms) {
    for (char c : term) ++uses[c];
  }
  std::string result;
  if (uses.count(kEllipsis)) result += kEllipsis;
  for (const auto& [letter, count] : uses) {
    if (letter != kEllipsis && count == 1) result += letter;
  }
  return result;
}

/// What the letters and the ellipsis stand for, gathered from one input after the other.
struct Extents {
  std::map<char, std::int64_t> letters;
  Dims ellipsis;
  bool ellipsis_known = true;
};

void bind_letter(const Inference& inference, Extents& extents, char letter, std::int64_t extent) {
  const auto [place, fresh] = extents.letters.emplace(letter, extent);
  if (fresh) return;
  const auto both = broadcast_extent(place->second, extent);
  if (!both) {
    inference.fail(fmt::format("subscript \"{}\" stands for extents {} and {}", letter,
                               place->second, extent));
  }
  place->second = *both;
}

void bind_term(const Inference& inference, Extents& extents, std::size_t input,
               const std::string& term) {
  const bool has_ellipsis = term.find(kEllipsis) != std::string::npos;
  if (!inference.has_rank(input)) {
    extents.ellipsis_known = extents.ellipsis_known && !has_ellipsis;
    for (char c : term) {
      if (c != kEllipsis) bind_letter(inference, extents, c, kUnknown);
    }
    return;
  }
  const Dims& shape = inference.shape(input);
  const std::size_t letters = term.size() - (has_ellipsis ? 1 : 0);
  if (shape.size() < letters || (!has_ellipsis && shape.size() != letters)) {
    inference.fail(fmt::format("input {} of shape {} does not go with {} subscripts", input,
                               describe(shape), letters));
  }
  std::size_t place = 0;
  for (char c : term) {
    if (c != kEllipsis) {
      bind_letter(inference, extents, c, shape[place++]);
      continue;
    }
    const std::size_t covered = shape.size() - letters;
    extents.ellipsis =
        broadcast(inference, extents.ellipsis, Dims(shape.span().subspan(place, covered)));
    place += covered;
  }
}

}  // namespace

EinsumEquation parse_einsum(const Inference& inference, std::string_view equation) {
  EinsumEquation parsed;
  const std::size_t arrow = equation.find("->");
  std::string_view left = equation.substr(0, arrow);
  while (true) {
    const std::size_t comma = left.find(',');
    parsed.terms.push_back(read_term(inference, left.substr(0, comma)));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  parsed.result = arrow == std::string_view::npos
                      ? implied_result(parsed.terms)
                      : read_term(inference, equation.substr(arrow + 2));
  for (std::size_t i = 0; i < parsed.result.size(); ++i) {
    if (parsed.result.find(parsed.result[i], i + 1) != std::string::npos) {
      inference.fail(fmt::format("\"{}\" names a subscript twice in its result", equation));
    }
  }
  return parsed;
}

void einsum_shape(Inference& inference) {
  const std::string_view text = inference.attributes().get_text("equation", "");
  const EinsumEquation equation = parse_einsum(inference, text);
  if (equation.terms.size() != inference.input_count()) {
    inference.fail(fmt::format("\"{}\" has {} terms, but the node has {} inputs", text,
                               equation.terms.size(), inference.input_count()));
  }
  Extents extents;
  for (std::size_t i = 0; i < equation.terms.size(); ++i) {
    bind_term(inference, extents, i, equation.terms[i]);
  }
  Dims result;
  for (char c : equation.result) {
    if (c == kEllipsis && !extents.ellipsis_known) return;
    if (c == kEllipsis) {
      for (std::int64_t extent : extents.ellipsis) result.push_back(extent);
    } else if (const auto found = extents.letters.find(c); found != extents.letters.end()) {
      result.push_back(found->second);
    } else {
      inference.fail(fmt::format("\"{}\": subscript \"{}\" of the result is in no input", text, c));
    }
  }
  inference.set_shape(0, std::move(result));
}

}  // namespace switchyard
