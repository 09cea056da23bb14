#include "plugin_loader/binary_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plugin_loader/fakes.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

// "" if loadable.
std::string reason_for(const std::string& content) {
  std::string reason;
  const auto* bytes = reinterpret_cast<const std::byte*>(content.data());
  const std::size_t head = std::min<std::size_t>(content.size(), 4096);
  return is_loadable({bytes, head}, content.size(), reason) ? "" : reason;
}

class BinaryFormat : public ::testing::Test {
 protected:
  const std::string library = read_file(fake_library("good"));

  std::string with_byte(std::size_t at, unsigned char value) const {
    std::string changed = library;
    changed[at] = static_cast<char>(value);
    return changed;
  }
};

TEST_F(BinaryFormat, TakesALibrary) { EXPECT_EQ(reason_for(library), ""); }

TEST_F(BinaryFormat, NamesTheForeignMachine) {
  constexpr unsigned char aarch64 = 183;
  constexpr unsigned char x86_64 = 62;
  const unsigned char other = static_cast<unsigned char>(library[18]) == x86_64 ? aarch64 : x86_64;
  EXPECT_THAT(reason_for(with_byte(18, other)),
              HasSubstr(other == aarch64 ? "is built for AArch64; this program runs on"
                                         : "is built for x86-64; this program runs on"));
  EXPECT_THAT(reason_for(with_byte(18, 250)), HasSubstr("another machine (number 250)"));
}

TEST_F(BinaryFormat, TellsBitsAndByteOrder) {
  EXPECT_THAT(reason_for(with_byte(4, 1)), HasSubstr("is built for 32-bit little-endian"));
  EXPECT_THAT(reason_for(with_byte(5, 2)), HasSubstr("another machine"));
}

TEST_F(BinaryFormat, TellsProgramsFromLibraries) {
  EXPECT_THAT(reason_for(with_byte(16, 2)), HasSubstr("not a shared library"));
}

TEST_F(BinaryFormat, RefusesALibraryCutAnywhere) {
  for (std::size_t size = 0; size < 64; ++size) {
    EXPECT_NE(reason_for(library.substr(0, size)), "") << size << " bytes";
  }
  for (const std::size_t size : {4096ul, library.size() / 2, library.size() - 1}) {
    EXPECT_THAT(reason_for(library.substr(0, size)), HasSubstr("is cut short")) << size;
  }
}

TEST_F(BinaryFormat, NamesOtherFiles) {
  EXPECT_EQ(reason_for(""), "is empty");
  EXPECT_THAT(reason_for("MZ\x90"), HasSubstr("Windows"));
  EXPECT_THAT(reason_for("!<arch>\n"), HasSubstr("static library"));
  EXPECT_THAT(reason_for("#!/bin/sh\n"), HasSubstr("script"));
  EXPECT_THAT(reason_for("hello\n"), HasSubstr("text file"));
  EXPECT_THAT(reason_for("version https://git-lfs.github.com/spec/v1"), HasSubstr("Git LFS"));
  EXPECT_THAT(reason_for("\xcf\xfa\xed\xfe    "), HasSubstr("Mach-O"));
  EXPECT_THAT(reason_for("\x01\x02\x03\xff"), HasSubstr("is not a shared library"));
}

}  // namespace
}  // namespace switchyard
