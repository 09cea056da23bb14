#include "programs/precedence.hpp"

namespace mps {

Precedence::Precedence(size_t count)
    : before_(count, Set((count + 63) / 64)), after_(count, Set((count + 63) / 64)) {}

void Precedence::add(size_t first, size_t second) {
  if (first == second || is_before(first, second)) return;
  for (size_t i = 0; i < before_.size(); ++i) {
    if (i != first && !has(before_[first], i)) continue;
    for (size_t word = 0; word < after_[i].size(); ++word) after_[i][word] |= after_[second][word];
    put(after_[i], second);
  }
  for (size_t i = 0; i < before_.size(); ++i) {
    if (i != second && !has(after_[second], i)) continue;
    for (size_t word = 0; word < before_[i].size(); ++word) {
      before_[i][word] |= before_[first][word];
    }
    put(before_[i], first);
  }
}

bool Precedence::meet(const Set& a, const Set& b) {
  for (size_t word = 0; word < a.size(); ++word) {
    if ((a[word] & b[word]) != 0) return true;
  }
  return false;
}

bool Precedence::has_between(size_t a, size_t b) const {
  return meet(after_[a], before_[b]) || meet(after_[b], before_[a]);
}

void Precedence::join(size_t kept, size_t gone) {
  const Set before = before_[gone];
  const Set after = after_[gone];
  for (size_t i = 0; i < before_.size(); ++i) {
    drop(before_[i], gone);
    drop(after_[i], gone);
  }
  before_[gone].assign(before.size(), 0);
  after_[gone].assign(after.size(), 0);
  for (size_t i = 0; i < before_.size(); ++i) {
    if (has(before, i)) add(i, kept);
    if (has(after, i)) add(kept, i);
  }
}

}  // namespace mps
