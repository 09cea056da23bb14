#include "plugin_loader/isolation/host_lane.hpp"

#include <algorithm>
#include <new>

namespace switchyard::isolation {
namespace {

constexpr std::size_t kStateBytes = 256;
constexpr std::size_t kRequestBytes = 24 << 10;
constexpr std::size_t kAnswerBytes = (64 << 10) - kStateBytes - kRequestBytes;
constexpr std::uint64_t kMostAnswerBytes = std::uint64_t{256} << 20;
static_assert(sizeof(LaneState) <= kStateBytes);

}  // namespace

RequestRoom::RequestRoom(Arena& arena, std::byte* own, std::size_t bytes)
    : arena_(arena), own_(own), own_bytes_(bytes) {
  data_ = own;
  bytes_ = bytes;
}

void RequestRoom::grow(std::size_t bytes, std::size_t written) {
  ArenaBlock larger(arena_, std::max(bytes, 2 * bytes_));
  std::memcpy(larger.data(), data_, written);
  block_ = std::move(larger);
  data_ = block_.data();
  bytes_ = block_.bytes();
}

void RequestRoom::shrink() noexcept {
  if (data_ == own_) return;
  block_ = ArenaBlock();
  data_ = own_;
  bytes_ = own_bytes_;
}

HostLane::HostLane(Arena& arena)
    : arena_(arena),
      block_(arena, kStateBytes + kRequestBytes + kAnswerBytes),
      state_(new (block_.data()) LaneState),
      request_(arena, block_.data() + kStateBytes, kRequestBytes),
      answer_(block_.data() + kStateBytes + kRequestBytes),
      answer_bytes_(kAnswerBytes) {
  state_->answer = reinterpret_cast<std::uint64_t>(answer_);
  state_->answer_bytes = answer_bytes_;
}

void HostLane::post(Call call, std::size_t bytes) noexcept {
  state_->what.store(static_cast<std::uint32_t>(call), std::memory_order_relaxed);
  state_->request = reinterpret_cast<std::uint64_t>(request_.data());
  state_->request_bytes = bytes;
  is_idle_ = false;
  give_turn();
}

void HostLane::give_turn() noexcept {
  given_ = isolation::give_turn(*state_, state_->server_sleeps);
}

bool HostLane::await(std::chrono::nanoseconds spin, std::chrono::nanoseconds limit) {
  const std::uint32_t turn = await_turn(state_->turn, given_, state_->host_sleeps, spin, limit);
  if (turn == given_) return false;
  if (turn != given_ + 1) throw BadMessage("it has taken a turn that was not its own");
  const std::uint32_t what = state_->what.load(std::memory_order_relaxed);
  const std::uint64_t bytes = state_->bytes.load(std::memory_order_relaxed);
  if (what > static_cast<std::uint32_t>(Handover::room) || bytes > answer_bytes_) {
    throw BadMessage("a message is larger than its area, or of no known kind");
  }
  handover_ = static_cast<Handover>(what);
  copied_ = static_cast<std::size_t>(bytes);
  if (copy_.size() < copied_) copy_.resize(copied_);
  if (copied_ > 0) std::memcpy(copy_.data(), answer_, copied_);
  is_idle_ = handover_ == Handover::answer;
  return true;
}

void HostLane::widen(std::uint64_t bytes) {
  if (bytes > kMostAnswerBytes) throw BadMessage("an answer is larger than any that there is");
  wide_answer_ = ArenaBlock(arena_, static_cast<std::size_t>(bytes));
  answer_ = wide_answer_.data();
  answer_bytes_ = wide_answer_.bytes();
  state_->answer = reinterpret_cast<std::uint64_t>(answer_);
  state_->answer_bytes = answer_bytes_;
  give_turn();
}

void HostLane::finish() noexcept {
  request_.shrink();
  if (wide_answer_.data() == nullptr) return;
  wide_answer_ = ArenaBlock();
  copy_ = {};
  answer_ = block_.data() + kStateBytes + kRequestBytes;
  answer_bytes_ = kAnswerBytes;
  state_->answer = reinterpret_cast<std::uint64_t>(answer_);
  state_->answer_bytes = answer_bytes_;
}

}  // namespace switchyard::isolation
