#include "ops/shapes/einsum.hpp"

#include <map>
#include <switchyard/plugin/einsum_equation.hpp>

#include <fmt/format.h>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

using sy::Label;
using sy::Labels;

sy::EinsumEquation read(const Inference& inference, std::string_view equation) {
  try {
    return sy::EinsumEquation(equation);
  } catch (const sy::Failure& failure) {
    inference.fail(failure.what());
  }
}

/// What the letters and the ellipsis stand for, gathered from one input after the other.
struct Extents {
  std::map<Label, std::int64_t> letters;
  Dims ellipsis;
  bool ellipsis_known = true;
};

void bind_letter(const Inference& inference, Extents& extents, Label letter, std::int64_t extent) {
  const auto [position, fresh] = extents.letters.emplace(letter, extent);
  if (fresh) return;
  const auto both = broadcast_extent(position->second, extent);
  if (!both) {
    inference.mismatch(fmt::format("subscript \"{}\" stands for extents {} and {}",
                                   static_cast<char>(letter), position->second, extent));
  }
  position->second = *both;
}

void bind_term(const Inference& inference, Extents& extents, std::size_t input,
               const Labels& term) {
  const bool has_ellipsis = sy::has_label(term, sy::ellipsis);
  if (!inference.has_rank(input)) {
    extents.ellipsis_known = extents.ellipsis_known && !has_ellipsis;
    for (const Label label : term) {
      if (label != sy::ellipsis) bind_letter(inference, extents, label, kUnknown);
    }
    return;
  }
  const Dims& shape = inference.shape(input);
  const std::size_t letters = term.size() - (has_ellipsis ? 1 : 0);
  if (shape.size() < letters || (!has_ellipsis && shape.size() != letters)) {
    inference.mismatch(fmt::format("input {} of shape {} does not go with {} subscripts", input,
                                   describe(shape), letters));
  }
  std::size_t position = 0;
  for (const Label label : term) {
    if (label != sy::ellipsis) {
      bind_letter(inference, extents, label, shape[position++]);
      continue;
    }
    const std::size_t covered = shape.size() - letters;
    extents.ellipsis =
        broadcast(inference, extents.ellipsis, Dims(shape.span().subspan(position, covered)));
    position += covered;
  }
}

}  // namespace

void einsum_shape(Inference& inference) {
  const std::string_view text = inference.attributes().get_text("equation", "");
  const sy::EinsumEquation equation = read(inference, text);
  if (equation.terms().size() != inference.input_count()) {
    inference.fail(fmt::format("\"{}\" has {} terms, but the node has {} inputs", text,
                               equation.terms().size(), inference.input_count()));
  }
  Extents extents;
  for (std::size_t i = 0; i < equation.terms().size(); ++i) {
    bind_term(inference, extents, i, equation.terms()[i]);
  }
  Dims result;
  for (const Label label : equation.output()) {
    if (label != sy::ellipsis) {
      result.push_back(extents.letters.at(label));
      continue;
    }
    if (!extents.ellipsis_known) return;
    for (std::int64_t extent : extents.ellipsis) result.push_back(extent);
  }
  inference.set_shape(0, std::move(result));
}

}  // namespace switchyard
