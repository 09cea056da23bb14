#include "team_rest.hpp"

namespace cpu {

void TeamRest::note(Clock::duration worked, Clock::duration waited) {
  constexpr std::chrono::milliseconds patience{1};  // a thread that sleeps wakes in a tenth of it
  constexpr int rarity = 4;
  const bool late = waited > patience + worked;
  until_ = late ? Clock::now() + rarity * waited : Clock::time_point{};
}

}  // namespace cpu
