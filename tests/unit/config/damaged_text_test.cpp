// Whatever the text, reading it ends in a configuration or in an Error(config): never in a crash,
// never in another exception.
#include <fstream>
#include <sstream>

#include "config/toml_reader.hpp"
#include "config_test_support.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

std::string sample() {
  std::ifstream file(std::string(SWITCHYARD_SOURCE_DIR) + "/config/pinned.toml");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str() +
         "[plugins.x.options]\ninline = {a = [1, -0.5e3, '''q''', \"\\u00e9\\n\"], b.c = true}\n"
         "hex = 0xff\ndate = 1979-05-27T07:32:00Z\n[[plugins.y.options.rows]]\nk = 1\n";
}

enum class Outcome { read, refused };

Outcome outcome_of(const std::string& text) {
  try {
    parse(text);
    return Outcome::read;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config) << error.what();
    EXPECT_EQ(std::string(error.what()).rfind("t.toml:", 0), 0u) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return Outcome::refused;
  }
}

TEST(DamagedText, EveryTruncationIsReadOrRefused) {
  const std::string text = sample();
  int read = 0;
  for (std::size_t length = 0; length <= text.size(); ++length) {
    if (outcome_of(text.substr(0, length)) == Outcome::read) ++read;
  }
  EXPECT_GT(read, 0);
  EXPECT_LT(read, static_cast<int>(text.size()));
}

TEST(DamagedText, EveryReplacedByteIsReadOrRefused) {
  const std::string text = sample();
  for (const char replacement : {'\0', '\x80', '[', '"', '=', '.', '\n', '9'}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      std::string damaged = text;
      damaged[at] = replacement;
      outcome_of(damaged);
    }
  }
}

TEST(DamagedText, DeepNestingIsReadOrRefused) {
  std::string keys = "plugins.a.options";
  for (int i = 0; i < 200; ++i) keys += ".k";
  outcome_of(keys + " = 1\n");
  EXPECT_EQ(outcome_of("[plugins.a.options]\nx = " + std::string(100000, '[')), Outcome::refused);
}

TEST(TomlReader, MentionsTablesBeforeWhatIsInThem) {
  const config::TomlText toml = config::read_toml("[b.z]\ny = 1\nx = 2\n[a]\n");
  ASSERT_FALSE(toml.problem.has_value());
  std::vector<std::string> keys;
  for (const config::Entry& entry : toml.entries) {
    keys.push_back(to_text(entry.path) + (entry.value ? "=" : ""));
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"b", "b.z", "b.z.y=", "b.z.x=", "a"}));
}

}  // namespace
}  // namespace switchyard
