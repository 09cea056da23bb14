#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <switchyard/error.hpp>

namespace switchyard::fuzz {

/// Ends the process with a line: a finding that no sanitizer can see.
[[noreturn]] void report(const char* what, const char* detail);

/// What error.hpp promises of each error: one line that a terminal can show, of a length that a
/// person can read, and never a fault of the host's own. Reports whatever breaks it.
void judge(const Error& error);

/// Calls `body`; whether it succeeded. Errors are judged, any other exception is reported.
template <typename Body>
bool succeeds(const Body& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    judge(error);
  } catch (const std::exception& error) {
    report("an exception that is not an Error", error.what());
  }
  return false;
}

inline std::span<const std::byte> as_bytes(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

}  // namespace switchyard::fuzz
