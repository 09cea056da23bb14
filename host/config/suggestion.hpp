#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace switchyard::config {

/// How many letters must be added, dropped, replaced or swapped with a neighbour to turn one text
/// into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to what was written, one that differs in case alone before all others, the
/// first of several; "" if none is near enough to have been meant: half of the letters may differ,
/// and three at most.
std::string nearest(std::string_view written, const std::vector<std::string>& candidates);

/// "; did you mean TEXT?" with the nearest candidate in the given quotes, or "".
std::string did_you_mean(std::string_view written, const std::vector<std::string>& candidates,
                         std::string_view quote = "\"");

}  // namespace switchyard::config
