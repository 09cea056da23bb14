#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <switchyard/error.hpp>

namespace switchyard::fuzz {

/// Ends the process with a line: a finding that no sanitizer can see.
[[noreturn]] void report(std::string_view what, std::string_view detail);

/// What error.hpp promises of each error: one line that a terminal can show, of a length that a
/// person can read, and never a fault of the host's own. Reports whatever breaks it.
void judge(const Error& error);

enum class Ending {
  result,
  refusal,
  out_of_means,  // the memory or the time of the limits: another call may get by with them
};

/// Calls `body`; how it ended. Errors are judged, any other exception is reported. `said`, if
/// given, gets the error's words.
template <typename Body>
Ending ending_of(const Body& body, std::string* said = nullptr) {
  try {
    body();
    return Ending::result;
  } catch (const Error& error) {
    judge(error);
    if (said) *said = error.what();
    const bool lacks_means =
        error.kind() == ErrorKind::out_of_memory || error.kind() == ErrorKind::deadline;
    return lacks_means ? Ending::out_of_means : Ending::refusal;
  } catch (const std::exception& error) {
    report("an exception that is not an Error", error.what());
  }
}

template <typename Body>
bool succeeds(const Body& body) {
  return ending_of(body) == Ending::result;
}

inline std::span<const std::byte> as_bytes(const std::uint8_t* data, std::size_t size) {
  return std::as_bytes(std::span(data, size));
}

}  // namespace switchyard::fuzz
