// The layout of weights that suits the team, and what a caller on its own makes of it.
#pragma once

#include <functional>
#include <optional>

#include "onednn/primitive.hpp"

namespace cpu::onednn {

struct WeightsChoice {
  Desc weights;
  bool alone;  // never on the team
};

// The layout of weights that oneDNN takes of those asked for, for the threads that are set; nothing
// if it has no fast code.
using FastWeights = std::function<std::optional<Desc>(const Desc& asked)>;

// Constants are packed once, as the team likes them best. `small` work never uses it, nor what
// oneDNN has fast code for one thread alone for. Nothing if it has none at all for `asked`.
std::optional<WeightsChoice> choose_weights(const Desc& asked, bool small, const FastWeights& fast);

// For TeamPrimitive: the primitive of a caller who finds the team busy. Where oneDNN has no fast
// code for one thread and the team's layout, it copies the weights in each run. `asked` is as
// above.
TeamPrimitive::Made made_for_one(const Desc& asked, const Desc& teams, const FastWeights& fast,
                                 const std::function<TeamPrimitive::Made(const Desc&)>& make);

}  // namespace cpu::onednn
