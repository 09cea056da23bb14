// The rule of <switchyard/tensor.hpp> for members: those that compute are free functions, too, with
// the tensor as their first argument.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "trace/timeline_events.hpp"

namespace switchyard {
namespace {

const std::filesystem::path kHeaders = SWITCHYARD_SOURCE_DIR "/host/include/switchyard";

/// Declarations on one line each: "NAME(parameters".
std::string without_line_breaks(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

/// "name(types and defaults of the parameters)" of all that `pattern` finds, without the first one
/// if that is skipped. Names of parameters may differ.
std::set<std::string> signatures(const std::string& text, const char* pattern, bool skips_first) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) {
    std::string parameters = (*it)[2];
    if (skips_first) {
      const std::size_t comma = parameters.find(", ");
      parameters = comma == std::string::npos ? "" : parameters.substr(comma + 2);
    }
    parameters = std::regex_replace(parameters, std::regex(" [a-z_0-9]+( = |,|$)"), "$1");
    // max() and min() of a tensor and a number would be two functions, were their dimension a Dim.
    parameters = std::regex_replace(parameters, std::regex("\\bDim\\b"), "std::int64_t");
    found.insert((*it)[1].str() + "(" + parameters + ")");
  }
  return found;
}

TEST(Members, ThatComputeAreFreeFunctions) {
  std::string functions;
  for (const auto& entry : std::filesystem::directory_iterator(kHeaders / "functions")) {
    functions += trace::content_of(entry.path());
  }
  const std::set<std::string> free =
      signatures(without_line_breaks(functions),
                 "(?:SWITCHYARD_API|\\[\\[nodiscard\\]\\]) [A-Za-z:<>0-9]+ ([a-z_0-9]+)"
                 "\\((const Tensor& [a-z]+[^;]*?)\\)(?:;| \\{)",
                 true);
  std::string members = trace::content_of(kHeaders / "tensor.hpp");
  const std::size_t views = members.find("/// @name Views");
  const std::size_t end = members.find("/// @name In place");
  ASSERT_NE(views, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  members = without_line_breaks(members.substr(views, end - views));
  // As members alone: the first two are reshape() and transpose(0, 1), the others take a list of
  // what brackets take, make new tensors, or would have the name of a namespace.
  const std::set<std::string> alone = {"view",     "t",        "index",     "index_put_", "trace",
                                       "new_ones", "new_full", "new_zeros", "new_empty"};
  int count = 0;
  for (const std::string& member : signatures(members,
                                              "(?:Tensor|ValuesAndIndices|std::vector<Tensor>) "
                                              "([a-z_0-9]+)\\(([^;]*?)\\)(?: const)?(?:;| \\{)",
                                              false)) {
    if (alone.count(member.substr(0, member.find('(')))) continue;
    EXPECT_TRUE(free.count(member)) << member << " is a member, but no free function";
    ++count;
  }
  EXPECT_GE(count, 50);
}

}  // namespace
}  // namespace switchyard
