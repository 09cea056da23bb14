#pragma once

#include <string_view>

#include "ops/row.hpp"

namespace switchyard::cli::conform {

/// What of NaN and the infinities an op's definition leaves open, so that right plugins differ.
struct OpenSpecials {
  enum class What { nothing, infinities, all };

  What what = What::nothing;
  std::string_view reason = {};
};

OpenSpecials open_specials_of(const Op& op);

}  // namespace switchyard::cli::conform
