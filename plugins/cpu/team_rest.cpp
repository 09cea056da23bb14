#include "team_rest.hpp"

#include <algorithm>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr microseconds patience{500};  // threads that sleep wake in a fifth of it
constexpr int rarity = 16;
constexpr seconds longest{1};

}  // namespace

void TeamRest::note(Time now, Duration alone, Duration taken) {
  balance_ = std::min<Duration>(balance_ + alone - taken, most_credit);
  if (balance_ >= -patience) return;
  const bool again = length_ > Duration{} && now - until_ < length_;
  const Duration paid = std::min(-balance_, Duration(longest)) * rarity;
  length_ = std::min<Duration>(std::max(paid, again ? 2 * length_ : Duration{}), longest);
  until_ = now + length_;
  balance_ = {};
}

}  // namespace cpu
