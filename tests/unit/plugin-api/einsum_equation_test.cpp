#include "switchyard/plugin/einsum_equation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

EinsumEquation::Bound bound(std::string_view equation,
                            const std::vector<std::vector<int64_t>>& shapes) {
  return EinsumEquation(equation).bind({shapes.begin(), shapes.end()});
}

TEST(PluginEinsum, ReadsTermsAndOutput) {
  const EinsumEquation equation(" i ...j , jK -> ...iK ");
  ASSERT_EQ(equation.terms().size(), 2u);
  EXPECT_THAT(equation.terms()[0], ElementsAre('i', ellipsis, 'j'));
  EXPECT_THAT(equation.terms()[1], ElementsAre('j', 'K'));
  EXPECT_THAT(equation.output(), ElementsAre(ellipsis, 'i', 'K'));
  EXPECT_TRUE(EinsumEquation("ii->").output().empty());
}

TEST(PluginEinsum, ImpliesTheOutput) {
  EXPECT_THAT(EinsumEquation("bj,Aj...").output(), ElementsAre(ellipsis, 'A', 'b'));
  EXPECT_TRUE(EinsumEquation("ii").output().empty());
  EXPECT_TRUE(EinsumEquation("").output().empty());
}

TEST(PluginEinsum, CountsAnEllipsisFromItsEnd) {
  const auto [inputs, output, extents] = bound("...i,...", {{7, 5, 2}, {1}});
  EXPECT_THAT(inputs[0], ElementsAre(first_of_ellipsis + 1, first_of_ellipsis, 'i'));
  EXPECT_THAT(inputs[1], ElementsAre(first_of_ellipsis));
  EXPECT_THAT(output, ElementsAre(first_of_ellipsis + 1, first_of_ellipsis, 'i'));
  EXPECT_EQ(extents.at(first_of_ellipsis), 5);
  EXPECT_EQ(extents.at(first_of_ellipsis + 1), 7);
}

TEST(PluginEinsum, RepeatsExtentsOfOne) {
  EXPECT_EQ(bound("i,i", {{1}, {0}}).extents.at('i'), 0);
  EXPECT_EQ(bound("ii,i", {{1, INT64_MAX}, {1}}).extents.at('i'), INT64_MAX);
}

std::string refusal(std::string_view equation, const std::vector<std::vector<int64_t>>& shapes) {
  try {
    bound(equation, shapes);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), SY_INVALID);
    return failure.what();
  }
  return "";
}

TEST(PluginEinsum, RefusesWhatIsMalformedOrDoesNotFit) {
  EXPECT_THAT(refusal("i1", {{1, 2}}), HasSubstr("\"i1\" is not a term"));
  EXPECT_THAT(refusal("i..", {{1}}), HasSubstr("is not a term"));
  EXPECT_THAT(refusal("...i...", {{1}}), HasSubstr("one \"...\""));
  EXPECT_THAT(refusal("i->j->k", {{1}}), HasSubstr("is not a term"));
  EXPECT_THAT(refusal("i->ii", {{1}}), HasSubstr("twice in its result"));
  EXPECT_THAT(refusal("i->j", {{1}}), HasSubstr("\"j\" of the result is in no input"));
  EXPECT_THAT(refusal("i", {{1}, {1}}), HasSubstr("1 terms for 2 inputs"));
  EXPECT_THAT(refusal("ij", {{1}}), HasSubstr("rank 1 does not go with 2 letters"));
  EXPECT_THAT(refusal("i", {{1, 2}}), HasSubstr("rank 2 does not go with 1 letters"));
  EXPECT_THAT(refusal("i,i", {{2}, {3}}), HasSubstr("extents 2 and 3"));
}

}  // namespace
}  // namespace sy
