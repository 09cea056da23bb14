// A short text that would take much memory is refused at its position, before it does.
#include <gmock/gmock.h>

#include "config/toml_size.hpp"
#include "config_test_support.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

std::string dotted(std::size_t parts, const std::string& part = "a") {
  std::string key = part;
  for (std::size_t i = 1; i < parts; ++i) key += "." + part;
  return key;
}

TEST(TomlSize, RefusesKeysOfManyParts) {
  EXPECT_EQ(parse_error("x = 1\n" + dotted(20'000) + " = 1\n"),
            "t.toml:2:32: a key has more than 16 parts; no key of a configuration is that deep");
  EXPECT_THAT(parse_error("[" + dotted(17) + "]"), HasSubstr("t.toml:1:33: a key has more than"));
  EXPECT_THAT(parse_error("x = { " + dotted(17, "'a b'") + " = 1 }"), HasSubstr("16 parts"));
  EXPECT_THAT(parse_error(dotted(17, "\"a\\\"b\"") + " = 1"), HasSubstr("16 parts"));
  EXPECT_THAT(parse_error(dotted(17, " a ") + " = 1"), HasSubstr("16 parts"));
}

TEST(TomlSize, RefusesTablesOfManyLevels) {
  std::string nested = "[" + dotted(10) + "]\n";
  for (int i = 0; i < 10; ++i) nested += "b = { ";
  EXPECT_THAT(parse_error(nested + "c = 1" + std::string(10, '}')), HasSubstr("16 parts"));
}

TEST(TomlSize, RefusesLongKeysAndManyOfThem) {
  EXPECT_THAT(parse_error("[plugins.a.options]\n" + std::string(600, 'k') + " = 1\n"),
              HasSubstr("t.toml:2:1: a key has more than 512 bytes"));
  std::string text = "[plugins.a.options]\n";
  for (int i = 0; i < 5000; ++i) text += "k" + std::to_string(i) + " = 1\n";
  EXPECT_THAT(parse_error(text), HasSubstr("the text has more than 4096 keys"));
}

TEST(TomlSize, TakesDotsForWhatTheyAre) {
  const std::string dots(100, '.');
  const std::string text = "[plugins.a.options]  # " + dots + "\nb = '" + dots + "'\nc = \"\\\"" +
                           dots + "\"\nd = '''\n" + dots + "'''\ne = \"\"\"\n'\"" + dots +
                           "\"\"\"\nf = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, "
                           "1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]\n";
  EXPECT_EQ(parse(text).plugins[0].options.size(), 5u);
}

}  // namespace
}  // namespace switchyard
