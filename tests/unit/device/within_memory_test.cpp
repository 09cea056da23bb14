// What the standard library throws for want of memory is an Error.
#include "device/within_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>
#include <vector>

namespace switchyard {
namespace {

using testing::StartsWith;

Error error_of_size(std::size_t size) {
  try {
    within_memory("running the model", [size] { return std::vector<char>().reserve(size); });
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::internal, "no error"};
}

TEST(WithinMemory, ASizeThatNoVectorHasIsAnError) {
  const Error error = error_of_size(~std::size_t{0});
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), StartsWith("running the model: takes more memory than there is"));
}

TEST(WithinMemory, AnAllocationThatFailsIsAnError) {
  const auto fail = []() -> int { throw std::bad_alloc(); };
  EXPECT_THROW(within_memory("planning", fail), Error);
}

TEST(WithinMemory, GivesWhatItsBodyGives) {
  EXPECT_EQ(within_memory("counting", [] { return 3; }), 3);
}

}  // namespace
}  // namespace switchyard
