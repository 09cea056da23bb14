// plugin-api/switchyard-ops.md: its index is what the rows of the domain say. With
// SWITCHYARD_WRITE_DOCUMENTS=1 the index is written instead of compared.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "ops/row.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

constexpr const char* kFile = SWITCHYARD_SOURCE_DIR "/plugin-api/switchyard-ops.md";
constexpr std::string_view kBegin = "|---|---|---|\n", kEnd = "<!-- end -->";

std::string content() {
  std::ifstream file(kFile);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has_section(const std::string& document, std::string_view op) {
  return document.find(fmt::format("# {}\n", op)) != std::string::npos;
}

std::string anchor_of(std::string_view op) {
  std::string anchor(op);
  std::transform(anchor.begin(), anchor.end(), anchor.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return anchor;
}

std::string index_of(const std::string& document) {
  std::string lines;
  for (const Op& op : all_ops()) {
    if (op.row->domain != "switchyard") continue;
    const std::string name = has_section(document, op.name())
                                 ? fmt::format("[{}](#{})", op.name(), anchor_of(op.name()))
                                 : std::string(op.name());
    const bool has_body = !op.row->body.empty() || op.row->write_body;
    lines += fmt::format("| {} | {} | {} |\n", name, op.row->summary, has_body ? "yes" : "");
  }
  return lines;
}

TEST(OwnOps, EachHasASummary) {
  for (const Op& op : all_ops()) {
    EXPECT_TRUE(op.row->domain != "switchyard" || !op.row->summary.empty()) << op.name();
  }
}

TEST(OwnOps, DocumentListsThem) {
  std::string document = content();
  const std::size_t begin = document.find(kBegin) + kBegin.size();
  const std::size_t end = document.find(kEnd, begin);
  ASSERT_NE(end, std::string::npos) << kFile << " has no `" << kEnd << "` after its index";
  const std::string expected = index_of(document);
  if (std::getenv("SWITCHYARD_WRITE_DOCUMENTS")) {
    document.replace(begin, end - begin, expected);
    std::ofstream(kFile) << document;
    return;
  }
  EXPECT_EQ(document.substr(begin, end - begin), expected);
}

}  // namespace
}  // namespace switchyard
