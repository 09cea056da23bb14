// What a server says that has gone wrong: no answer makes the host read where it must not.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "plugin_loader/isolation/host_lane.hpp"
#include "plugin_loader/isolation/host_wire.hpp"

namespace switchyard::isolation {
namespace {

constexpr std::size_t kSharedBytes = std::size_t{64} << 20;

/// A message of these numbers.
class Written final : public Room {
 public:
  template <typename... Numbers>
  explicit Written(const Numbers&... numbers) {
    MessageWriter writer(*this);
    (writer.put(numbers), ...);
    size_ = writer.size();
  }
  void grow(std::size_t bytes, std::size_t) override {
    memory_.resize(bytes);
    data_ = memory_.data();
    bytes_ = bytes;
  }
  MessageReader reader() const { return {data_, size_}; }

 private:
  std::vector<std::byte> memory_;
  std::size_t size_ = 0;
};

TEST(Answers, EndWhereTheirBytesDo) {
  const Written message(std::uint32_t{1}, std::uint64_t{2});
  MessageReader reader = message.reader();
  EXPECT_EQ(reader.take<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.take<std::uint64_t>(), 2u);
  EXPECT_THROW(reader.take<std::uint8_t>(), BadMessage);
  EXPECT_THROW(message.reader().view_array(UINT64_MAX / 4, 8, 8), BadMessage);
}

TEST(Answers, HaveTextsThatEnd) {
  const Written endless(std::uint64_t{4}, std::uint32_t{0x41414141});
  const char* text = nullptr;
  EXPECT_THROW(AnswerReader(endless.reader()).given_text(text), BadMessage);
  const Written long_one(std::uint64_t{1} << 60);
  EXPECT_THROW(AnswerReader(long_one.reader()).given_text(text), BadMessage);
}

TEST(Answers, HaveNoMoreElementsThanBytes) {
  Scratch scratch;
  const Written many(std::uint32_t{0xffffffff}, std::uint64_t{0});
  const Written few(std::uint32_t{2}, std::uint64_t{0});  // of 56 bytes each
  const sy_claim* claims = nullptr;
  std::uint32_t count = 0;
  EXPECT_THROW(AnswerReader(many.reader(), &scratch).given_structs(claims, count), BadMessage);
  EXPECT_THROW(AnswerReader(few.reader(), &scratch).given_structs(claims, count), BadMessage);
}

/// What the host makes of a server that does this at its turn.
std::string refusal_of(const std::function<void(LaneState&)>& serve) {
  Arena arena(kSharedBytes);
  HostLane lane(arena);
  lane.post(Call::run, 0);
  serve(*const_cast<LaneState*>(lane.state()));
  try {
    while (!lane.await(std::chrono::nanoseconds{0}, std::chrono::seconds{1})) continue;
  } catch (const BadMessage& bad) {
    return bad.what();
  }
  return "";
}

TEST(Lanes, RefuseMessagesLargerThanTheirArea) {
  EXPECT_NE(refusal_of([](LaneState& lane) {
              lane.bytes = lane.answer_bytes + 1;
              give_turn(lane, lane.host_sleeps);
            }),
            "");
  EXPECT_NE(refusal_of([](LaneState& lane) {
              lane.bytes = lane.answer_bytes = UINT64_MAX;
              give_turn(lane, lane.host_sleeps);
            }),
            "")
      << "also where the server says that the area is larger";
}

TEST(Lanes, RefuseWhatIsNoHandover) {
  EXPECT_NE(refusal_of([](LaneState& lane) {
              lane.what = 99;
              give_turn(lane, lane.host_sleeps);
            }),
            "");
}

TEST(Lanes, RefuseATurnThatIsNotTheServers) {
  EXPECT_NE(refusal_of([](LaneState& lane) { lane.turn += 4; }), "");
}

// Whoever gives a call up in the middle leaves a server that waits for an answer.
TEST(Lanes, AreIdleOnceACallIsAnswered) {
  Arena arena(kSharedBytes);
  HostLane lane(arena);
  auto& state = *const_cast<LaneState*>(lane.state());
  EXPECT_TRUE(lane.is_idle());
  lane.post(Call::run, 0);
  for (const Handover handover : {Handover::log, Handover::answer}) {
    EXPECT_FALSE(lane.is_idle());
    state.what = static_cast<std::uint32_t>(handover);
    give_turn(state, state.host_sleeps);
    EXPECT_TRUE(lane.await(std::chrono::nanoseconds{0}, std::chrono::seconds{1}));
    if (handover == Handover::log) lane.reply(std::int32_t{SY_OK});
  }
  EXPECT_TRUE(lane.is_idle());
}

TEST(Lanes, RefuseToWidenBeyondAllBounds) {
  Arena arena(kSharedBytes);
  HostLane lane(arena);
  EXPECT_THROW(lane.widen(UINT64_MAX), BadMessage);
}

TEST(Lanes, WakeTheOneWhoSleeps) {
  Arena arena(kSharedBytes);
  HostLane lane(arena);
  auto& state = *const_cast<LaneState*>(lane.state());
  std::thread server([&] {
    for (int calls = 0; calls < 1000; ++calls) {
      std::uint32_t turn = state.turn.load();
      while (turn % 2 == 0) {
        turn = await_turn(state.turn, turn, state.server_sleeps, std::chrono::nanoseconds{0},
                          std::chrono::seconds{60});
      }
      state.bytes = 0;
      state.what = static_cast<std::uint32_t>(Handover::answer);
      give_turn(state, state.host_sleeps);
    }
  });
  for (int calls = 0; calls < 1000; ++calls) {
    lane.post(Call::run, 0);
    while (!lane.await(std::chrono::nanoseconds{0}, std::chrono::seconds{60})) continue;
    EXPECT_EQ(lane.handover(), Handover::answer);
  }
  server.join();
}

}  // namespace
}  // namespace switchyard::isolation
