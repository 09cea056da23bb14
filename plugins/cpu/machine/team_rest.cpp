#include "machine/team_rest.hpp"

#include <algorithm>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr microseconds patience{500};  // threads that sleep wake in a fifth of it
constexpr milliseconds most_counted{2};
constexpr int rarity = 16;
constexpr int trust = 4 * rarity;
constexpr seconds longest{1};

}  // namespace

void TeamRest::note(Time now, Duration alone, Duration taken) {
  balance_ = std::min<Duration>(balance_ + alone - taken, most_credit);
  if (balance_ >= -patience) return;
  const Duration lost = length_ / trust - balance_;
  const bool again = length_ > Duration{} && now - until_ - lost < length_;
  const Duration paid = std::min<Duration>(lost, most_counted) * rarity;
  length_ = std::min<Duration>(std::max(paid, again ? 2 * length_ : Duration{}), longest);
  until_ = now + length_;
  balance_ = length_ / trust;
}

}  // namespace cpu
