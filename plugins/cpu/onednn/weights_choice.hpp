// The layout of weights that suits the team and a caller on its own alike.
#pragma once

#include <functional>
#include <optional>

#include "onednn/primitive.hpp"

namespace cpu::onednn {

struct WeightsChoice {
  Desc weights;
  bool alone;  // never on the team
};

// The layout of weights that oneDNN takes of those asked for, for so many threads; nothing if it
// has no fast code.
using FastWeights = std::function<std::optional<Desc>(const Desc& asked)>;

// The weights lie in one layout for the team and for a caller who comes while it is busy: a layout
// must be fast for both, or else nobody uses the team. `small` work never does. Nothing if oneDNN
// has no fast code for `asked`.
std::optional<WeightsChoice> choose_weights(const Desc& asked, bool small, const FastWeights& fast);

}  // namespace cpu::onednn
