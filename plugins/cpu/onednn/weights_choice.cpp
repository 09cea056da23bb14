#include "onednn/weights_choice.hpp"

#include "parallel.hpp"

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
  const int threads = small ? 1 : thread_count();
  const auto for_one = fast_for(fast, asked, 1);
  if (threads > 1) {
    for (const auto& layout : {fast_for(fast, asked, threads), for_one}) {
      if (layout && fast_for(fast, *layout, 1) && fast_for(fast, *layout, threads)) {
        return WeightsChoice{*layout, false};
      }
    }
  }
  if (!for_one) return std::nullopt;
  return WeightsChoice{*for_one, true};
}

}  // namespace cpu::onednn
