#include "plugin_loader/watch/shared_text.hpp"

#include <gtest/gtest.h>

namespace switchyard::watch {
namespace {

TEST(SharedText, IsReadAsItWasWritten) {
  SharedText<40> shared;
  EXPECT_EQ(shared.read(), "");
  const std::string text = "0123456789abcdefghijklmnopqrstuvwxyzABCD";
  for (std::size_t size = text.size() + 1; size-- > 0;) {
    shared.write(std::string_view(text).substr(0, size));
    EXPECT_EQ(shared.read(), text.substr(0, size));
  }
}

TEST(SharedText, KeepsTheBeginningOfALongOne) {
  SharedText<8> shared;
  shared.write("12345678");
  EXPECT_EQ(shared.read(), "12345678");
  shared.write("123456789");
  EXPECT_EQ(shared.read(), "12345678...");
}

TEST(SharedText, IsNotCutWithinACharacter) {
  SharedText<8> shared;
  shared.write("123456\u00e4\u00e4");
  EXPECT_EQ(shared.read(), "123456\u00e4...") << "the cut is behind a character";
  shared.write("1234567\u00e4");
  EXPECT_EQ(shared.read(), "1234567...");
  shared.write("12345\u20ac\u20ac");
  EXPECT_EQ(shared.read(), "12345\u20ac...");
}

}  // namespace
}  // namespace switchyard::watch
