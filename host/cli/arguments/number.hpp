#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include <CLI/CLI.hpp>

#include <switchyard/error.hpp>

namespace switchyard::cli {

/// The numbers that an argument takes, both ends included.
template <typename T>
struct Range {
  T least = 0;
  T most = std::numeric_limits<T>::max();
};

/// The number that the whole text is: integers are decimal digits, with a sign at most, and
/// floating-point numbers are finite. Throws Error(invalid_argument) that names `flag`, the text
/// and the range where the text is no such number, or one outside of the range.
std::int64_t read_number(const std::string& flag, const std::string& text,
                         Range<std::int64_t> range);
std::uint64_t read_number(const std::string& flag, const std::string& text,
                          Range<std::uint64_t> range);
double read_number(const std::string& flag, const std::string& text, Range<double> range);

/// Of runs that are timed.
inline constexpr Range<int> kRepeats{1, 1000000};

/// The widest type of a number's kind: what it is read as.
template <typename T>
using Widest =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;

template <typename T>
struct NumberIn {
  using Type = T;
};
template <typename T>
struct NumberIn<std::optional<T>> {
  using Type = T;
};

/// Adds an option whose value is a number of that range. Every option that takes a number is added
/// by this, so that all refuse alike. `into`, a number or an optional one, must outlive the
/// parsing.
template <typename Into, typename T = typename NumberIn<Into>::Type>
CLI::Option* add_number(CLI::App& arguments, const std::string& flag, Into& into,
                        Range<std::type_identity_t<T>> range, const std::string& help) {
  const Range<Widest<T>> wide{range.least, range.most};
  const auto read = [&into, flag, wide](const std::string& text) {
    try {
      into = static_cast<T>(read_number(flag, text, wide));
    } catch (const Error& error) {
      throw CLI::ValidationError(std::string(error.what()));
    }
  };
  return arguments.add_option_function<std::string>(flag, read, help)->type_name("N");
}

}  // namespace switchyard::cli
