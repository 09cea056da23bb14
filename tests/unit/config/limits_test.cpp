// [limits]: what a model may ask for.
#include <gmock/gmock.h>

#include "config_test_support.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

TEST(Limits, HaveDefaultsThatAPlainConfigAgreesWith) {
  const LimitsConfig parsed = parse(two_plugins).limits;
  const LimitsConfig plain;
  EXPECT_EQ(parsed.nodes, plain.nodes);
  EXPECT_EQ(parsed.depth, plain.depth);
  EXPECT_EQ(parsed.value_bytes, plain.value_bytes);
  EXPECT_EQ(parsed.iterations, plain.iterations);
}

TEST(Limits, AreReadFromTheText) {
  const LimitsConfig limits =
      parse(
          "[plugins.a]\n[limits]\nnodes = 10\ndepth = 3\nvalue_bytes = \"2KiB\"\niterations = 7\n")
          .limits;
  EXPECT_EQ(limits.nodes, 10);
  EXPECT_EQ(limits.depth, 3);
  EXPECT_EQ(limits.value_bytes, 2048u);
  EXPECT_EQ(limits.iterations, 7);
}

TEST(Limits, TakeIntegersInTheirRange) {
  const auto error = [](const std::string& line) {
    return parse_error("[plugins.a]\n[limits]\n" + line + "\n");
  };
  EXPECT_THAT(error("nodes = 0"),
              HasSubstr("t.toml:3:9: key 'limits.nodes' cannot be 0; it takes"));
  EXPECT_THAT(error("nodes = \"many\""), HasSubstr("it takes an integer"));
  EXPECT_THAT(error("iterations = 1.5"), HasSubstr("it takes an integer"));
  EXPECT_THAT(error("depth = 129"), HasSubstr("it takes a number from 1 to 128"));
}

}  // namespace
}  // namespace switchyard
