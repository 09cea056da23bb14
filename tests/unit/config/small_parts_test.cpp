// Device names, sizes, edit distances, and the schema as a table.
#include <set>

#include "config/byte_size.hpp"
#include "config/device_name.hpp"
#include "config/key_match.hpp"
#include "config/schema.hpp"
#include "config/suggestion.hpp"
#include "config/toml_reader.hpp"
#include "config_test_support.hpp"

namespace switchyard {
namespace {

TEST(DeviceName, ReadsNameAndIndex) {
  EXPECT_EQ(parse_device_name("a"), (DeviceName{"a", 0}));
  EXPECT_EQ(parse_device_name("my-gpu_2:17"), (DeviceName{"my-gpu_2", 17}));
  EXPECT_EQ(to_text(DeviceName{"a", 3}), "a:3");
  for (const char* wrong : {"", ":", ":1", "a:", "a:b", "a:-1", "a:+1", "a:1 ", "a:1:2", "a b",
                            "a/b", "a:99999999999"}) {
    EXPECT_EQ(parse_device_name(wrong), std::nullopt) << wrong;
  }
}

TEST(ByteSize, CountsIn1024sAnd1000s) {
  const std::pair<const char*, std::uint64_t> sizes[] = {
      {"0", 0},
      {"17", 17},
      {"17B", 17},
      {"1KiB", 1024},
      {"2 GiB", 1u << 31},
      {"1.5MiB", 1572864},
      {"1KB", 1000},
      {"0.5GB", 500000000},
      {"1TiB", 1ull << 40},
      {"9223372036854775807", 9223372036854775807ull}};
  for (const auto& [text, bytes] : sizes) EXPECT_EQ(config::parse_byte_size(text), bytes) << text;
  for (const char* wrong :
       {"", "GiB", "-1", "1gib", "1.GiB", ".", "1..5GiB", "1 2", "1  GiB", "9223372036854775808",
        "9999999TiB", "1GiB ", "0.12345678901GiB", "0.5", "1.5", "1.5B", "0.4B", "0.0001KiB"}) {
    EXPECT_EQ(config::parse_byte_size(wrong), std::nullopt) << wrong;
  }
}

TEST(Suggestion, CountsEdits) {
  EXPECT_EQ(config::edit_distance("", ""), 0u);
  EXPECT_EQ(config::edit_distance("", "abc"), 3u);
  EXPECT_EQ(config::edit_distance("order", "order"), 0u);
  EXPECT_EQ(config::edit_distance("odrer", "order"), 1u);
  EXPECT_EQ(config::edit_distance("libary", "library"), 1u);
  EXPECT_EQ(config::edit_distance("kitten", "sitting"), 3u);
}

TEST(Suggestion, PrefersTheSameNameInOtherCase) {
  EXPECT_EQ(config::nearest("relu", {"Celu", "Elu", "Relu"}), "Relu");
  EXPECT_EQ(config::nearest("nonmaxsuppression", {"NonZero", "NonMaxSuppression"}),
            "NonMaxSuppression");
}

TEST(Suggestion, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(config::nearest("wran", {"allow", "warn", "deny"}), "warn");
  EXPECT_EQ(config::nearest("loud", {"trace", "debug", "off"}), "");
  EXPECT_EQ(config::nearest("x", {"a"}), "");
  EXPECT_EQ(config::nearest("abc", {}), "");
}

TEST(Schema, IsWellFormed) {
  std::set<std::string_view> keys;
  for (const config::KeyRow& row : config::schema()) {
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_NE(row.apply, nullptr) << row.key;
    EXPECT_FALSE(row.summary.empty()) << row.key;
    EXPECT_EQ(config::match(config::path_of(row, "a")).row, &row) << row.key;
    if (row.default_text.empty()) continue;
    EXPECT_FALSE(config::read_toml("x = " + std::string(row.default_text)).problem.has_value())
        << row.key;
  }
}

}  // namespace
}  // namespace switchyard
