#pragma once

#include <span>
#include <string>
#include <vector>

namespace switchyard::cli::conform {

/// A case as it is listed.
struct ListedCase {
  std::string name;
  std::string proves;
};

using Cases = std::span<const ListedCase>;

/// The cases in their order, parted into those that may share a child: all of one op, while each
/// other case is by itself.
std::vector<Cases> groups_of(Cases cases);

}  // namespace switchyard::cli::conform
