#pragma once

#include <new>
#include <stdexcept>
#include <string_view>

namespace switchyard {

/// Throws Error(out_of_memory), which names the work that needs more memory than there is.
[[noreturn]] void throw_beyond_memory(std::string_view work);

/// Calls `body`. What the standard library throws for want of memory, also for a size that no
/// memory could have, becomes Error(out_of_memory): an untrusted file may name any size.
template <typename Body>
auto within_memory(std::string_view work, const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    throw_beyond_memory(work);
  } catch (const std::length_error&) {
    throw_beyond_memory(work);
  }
}

}  // namespace switchyard
