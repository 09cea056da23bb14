#include "onednn/weights_choice.hpp"

#include "machine/parallel.hpp"

namespace cpu::onednn {
namespace {

std::optional<Desc> fast_for(const FastWeights& fast, const Desc& asked, int threads) {
  set_threads(threads);
  try {
    return fast(asked);
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<WeightsChoice> choose_weights(const Desc& asked, bool small,
                                            const FastWeights& fast) {
  if (!small && thread_count() > 1) {
    if (const auto layout = fast_for(fast, asked, thread_count())) {
      return WeightsChoice{*layout, false};
    }
  }
  const auto layout = fast_for(fast, asked, 1);
  if (!layout) return std::nullopt;
  return WeightsChoice{*layout, true};
}

TeamPrimitive::Made made_for_one(const Desc& asked, const Desc& teams, const FastWeights& fast,
                                 const std::function<TeamPrimitive::Made(const Desc&)>& make) {
  if (fast_for(fast, teams, 1)) return make(teams);
  const auto own = fast_for(fast, asked, 1);
  if (!own) return make(teams);
  TeamPrimitive::Made made = make(*own);
  made.weights = std::make_shared<const Reorder>(teams, *own);
  made.weight_bytes = own->get_size();
  return made;
}

}  // namespace cpu::onednn
