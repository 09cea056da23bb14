#include "config/suggestion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace switchyard::config {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? char(letter - 'A' + 'a') : letter;
}

bool is_same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

std::string nearest(std::string_view written, const std::vector<std::string>& candidates) {
  for (const std::string& candidate : candidates) {
    if (is_same_but_for_case(written, candidate)) return candidate;
  }
  std::size_t best = std::min<std::size_t>(3, written.size() / 2) + 1;
  std::string result;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(written, candidate);
    if (distance < best) {
      best = distance;
      result = candidate;
    }
  }
  return result;
}

std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates,
                         std::string_view quote) {
  const std::string found = nearest(written, candidates);
  return found.empty() ? "" : fmt::format("; did you mean {0}{1}{0}?", quote, found);
}

}  // namespace switchyard::config
