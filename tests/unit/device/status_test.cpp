// What is said of a plugin's refusals, where the plugin itself says too little.
#include "device/status.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace switchyard {
namespace {

TEST(Status, OfARefusalIsNeverWithoutCodeAndSentence) {
  EXPECT_EQ(refusal_code(SY_REASON_DTYPE), "DTYPE");
  EXPECT_EQ(refusal_code(SY_REASON_NONE), "UNKNOWN");
  EXPECT_EQ(refusal_code(static_cast<sy_reason>(99)), "UNKNOWN");
  EXPECT_EQ(refusal_message("is too large"), "is too large");
  EXPECT_EQ(refusal_message(""), "the plugin gives no reason");
}

TEST(Status, OfARefusalSteersNoTerminal) {
  EXPECT_EQ(refusal_message("is \x1b[31mtoo\nlarge"), "is ?[31mtoo large");
}

TEST(Status, InvalidBlamesAUserOnlyForWhatUsersChoose) {
  const PluginError error;
  for (const char* call : {"open_device", "allocate", "copy", "prepare", "run", "wait"}) {
    EXPECT_EQ(error_from(SY_INVALID, error, "gpu:1", call).kind(), ErrorKind::invalid_argument)
        << call;
  }
  for (const char* call : {"create_stream", "supports", "map", "flush", "record_event"}) {
    EXPECT_EQ(error_from(SY_INVALID, error, "gpu:1", call).kind(), ErrorKind::plugin) << call;
  }
}

TEST(Status, OfALostPeerIsItsOwnKind) {
  EXPECT_TRUE(is_known(SY_PEER_LOST));
  EXPECT_FALSE(is_known(SY_PEER_LOST + 1));
  const Error error = error_from(SY_PEER_LOST, PluginError(), "gpu:1", "wait");
  EXPECT_EQ(error.kind(), ErrorKind::peer_lost);
  EXPECT_FALSE(error.is_retryable());
  EXPECT_EQ(error_from(SY_INVALID, PluginError(), "gpu:1", "enqueue of collectives").kind(),
            ErrorKind::invalid_argument);
}

TEST(Status, EndsAMessageThatFillsItsWholeSlot) {
  PluginError error;
  EXPECT_EQ(refusal_message(error), "the plugin gives no reason");
  std::fill(std::begin(error.message), std::end(error.message), 'x');
  EXPECT_EQ(refusal_message(error), std::string(sizeof(error.message), 'x'));
}

}  // namespace
}  // namespace switchyard
