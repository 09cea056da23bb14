// Numbers on the command line: all of the text, finite, and within the range.
#include "cli/arguments/number.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace switchyard::cli {
namespace {

using testing::HasSubstr;

/// What parsing "--n TEXT" says; empty if it takes the text.
template <typename Into, typename T = typename NumberIn<Into>::Type>
std::string refusal_of(const std::string& text, Range<std::type_identity_t<T>> range = {}) {
  CLI::App arguments;
  Into into{};
  add_number(arguments, "--n", into, range, "a number");
  try {
    std::vector<std::string> words{"--n=" + text};
    arguments.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return {};
}

template <typename T>
T number(const std::string& text) {
  return read_number("--n", text, Range<T>{});
}

TEST(Number, IsReadWhole) {
  EXPECT_EQ(number<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(number<std::int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(number<double>("1e-3"), 1e-3);
  EXPECT_EQ(number<double>("0"), 0);
  EXPECT_EQ(read_number("--n", "-5", Range<std::int64_t>{-5, 5}), -5);
}

TEST(Number, OfAnySeedIsOneOf64Bits) {
  using Seed = std::optional<std::uint64_t>;
  EXPECT_EQ(refusal_of<Seed>("7"), "");
  for (const char* text : {"-1", "18446744073709551616", "99999999999999999999999", "0x10", "1.5",
                           "1e3", " 1", "1 ", "seed"}) {
    EXPECT_EQ(refusal_of<Seed>(text),
              fmt::format("--n: '{}' is not an integer from 0 to 18446744073709551615", text));
  }
}

TEST(Number, OfAToleranceIsFiniteAndNotNegative) {
  using Tolerance = std::optional<double>;
  EXPECT_EQ(refusal_of<Tolerance>("1e-5"), "");
  for (const char* text :
       {"nan", "-nan", "inf", "-inf", "infinity", "1e400", "-1", "1,5", "1e-3x", "--", "."}) {
    EXPECT_EQ(refusal_of<Tolerance>(text),
              fmt::format("--n: '{}' is not a finite number of at least 0", text));
  }
}

TEST(Number, LiesWithinItsRange) {
  EXPECT_EQ(refusal_of<int>("255", {0, 255}), "");
  EXPECT_EQ(refusal_of<int>("256", {0, 255}), "--n: '256' is not an integer from 0 to 255");
  EXPECT_EQ(refusal_of<int>("4294967296", {0, 255}),
            "--n: '4294967296' is not an integer from 0 to 255");
  EXPECT_THAT(refusal_of<std::optional<double>>("0", {1e-12, 1e6}), HasSubstr("from 1e-12 to"));
}

}  // namespace
}  // namespace switchyard::cli
