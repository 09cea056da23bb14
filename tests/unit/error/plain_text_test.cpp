// What reaches a terminal, a log or an Error holds nothing that could steer a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "error/plain_text.hpp"

namespace switchyard {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(PlainText, KeepsWhatPeopleWrite) {
  for (const char* text :
       {"", "a b", "Größe 10 µm → 日本 🙂", "layer/0:weight'\"\\", "one\ntwo\tthree"}) {
    EXPECT_EQ(plain_text(text), text);
  }
}

TEST(PlainText, ReplacesControlCharacters) {
  EXPECT_EQ(plain_text("g\x1b[31m red"), "g?[31m red");
  EXPECT_EQ(plain_text(std::string_view("a\0b\x07\x7f\r", 6)), "a?b???");
  EXPECT_EQ(plain_text("c1 \xc2\x9b"
                       "31m"),
            "c1 ?31m")
      << "CSI in one character";
}

TEST(PlainText, ReplacesWhatTurnsTheDirectionOfWriting) {
  EXPECT_EQ(plain_text("a\u202eb\u2066c\u200f"), "a?b?c?");
}

TEST(PlainText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(plain_text("a\xff\x80z"), "a??z");
  EXPECT_EQ(plain_text("cut \xe2\x82"), "cut ??");
  EXPECT_EQ(plain_text("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80"), "?? ??? ????");
}

TEST(PlainLine, IsOneLine) { EXPECT_EQ(plain_line("a\nb\r\nc\td"), "a b  c d"); }

TEST(PlainLine, LosesItsMiddleWhenItIsLong) {
  EXPECT_EQ(plain_line(std::string(kLongestLine, 'a')), std::string(kLongestLine, 'a'));
  std::string text = "where: " + std::string(200'000, 'a') + "; how to fix it";
  EXPECT_THAT(plain_line(text), StartsWith("where: aaa"));
  EXPECT_THAT(plain_line(text), HasSubstr("a ... a"));
  EXPECT_THAT(plain_line(text), EndsWith("aaa; how to fix it"));
  EXPECT_LE(plain_line(text).size(), kLongestLine);
  for (const char* unit : {"ä", "日", "🙂", "\x80"}) {
    text.clear();
    while (text.size() < 3 * kLongestLine) text += unit;
    for (int shift = 0; shift < 4; ++shift) {
      const std::string line = plain_line(std::string(static_cast<std::size_t>(shift), '-') + text);
      EXPECT_LE(line.size(), kLongestLine);
      if (unit[0] == '\x80') continue;
      EXPECT_EQ(line.find('?'), std::string::npos) << "no character is cut";
    }
  }
}

TEST(ErrorText, IsOnePlainLine) {
  const Error error(ErrorKind::model, "node '\x1b]0;title\x07': one\ntwo");
  EXPECT_STREQ(error.what(), "node '?]0;title?': one two");
  EXPECT_LE(std::string(Error(ErrorKind::model, std::string(1'000'000, 'x')).what()).size(),
            kLongestLine);
}

}  // namespace
}  // namespace switchyard
