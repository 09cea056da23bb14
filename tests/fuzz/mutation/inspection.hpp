#pragma once

#include <cstddef>
#include <span>

namespace switchyard::fuzz {

/// What a model's bytes say of how it may be run and judged; nothing set where they are no model.
struct ModelTraits {
  bool loops = false;   // may run for ever
  bool random = false;  // two runs may differ
};

ModelTraits traits_of(std::span<const std::byte> bytes);

}  // namespace switchyard::fuzz
