#include "plugin_loader/sha256.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace switchyard {
namespace {

std::string sum_of(const std::string& text) {
  Sha256 sum;
  sum.update(text.data(), text.size());
  return sum.finish();
}

// FIPS 180-4's examples.
TEST(Sha256, AgreesWithTheStandard) {
  EXPECT_EQ(sum_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sum_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnTheCutsOfItsInput) {
  for (const std::size_t size : {55u, 56u, 63u, 64u, 65u, 119u, 120u, 128u, 1000u}) {
    const std::string text(size, 'x');
    for (const std::size_t piece : {1u, 7u, 64u, 100u}) {
      Sha256 sum;
      for (std::size_t at = 0; at < size; at += piece) {
        sum.update(text.data() + at, std::min(piece, size - at));
      }
      EXPECT_EQ(sum.finish(), sum_of(text)) << size << " bytes by " << piece;
    }
  }
}

}  // namespace
}  // namespace switchyard
