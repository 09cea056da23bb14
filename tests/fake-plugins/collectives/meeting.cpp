#include "meeting.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <string_view>
#include <thread>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace collective {
namespace {

constexpr std::string_view id_mark = "late";
constexpr size_t id_random_bytes = 12;
constexpr int32_t being_written = -1;  // of Header::failed
constexpr std::chrono::milliseconds look_around{1};

std::string name_of(const Id& id) {
  if (!std::equal(id_mark.begin(), id_mark.end(), id.begin() + id_random_bytes)) {
    throw sy::invalid("this is not an id that this plugin made");
  }
  std::string name = "/sy-";
  for (size_t i = 0; i < id_random_bytes; ++i) {
    name += "0123456789abcdef"[id[i] >> 4U];
    name += "0123456789abcdef"[id[i] & 15U];
  }
  return name;
}

uint32_t checked_count(uint32_t rank, uint32_t count) {
  if (count == 0 || count > Meeting::most_ranks) {
    throw sy::invalid("a communicator has 1 to ", Meeting::most_ranks, " ranks, not ", count);
  }
  if (rank >= count) throw sy::invalid("rank ", rank, " of ", count, ", which count from 0");
  return count;
}

enum SeatState : uint32_t { seat_free, seat_taken, seat_left };

}  // namespace

struct alignas(64) Meeting::Seat {
  std::atomic<uint32_t> state;  // SeatState
  std::atomic<uint64_t> step;
  Call call;
};

struct alignas(64) Meeting::Header {
  std::atomic<uint32_t> count;  // that the first to come has named
  std::atomic<uint32_t> joined;
  std::atomic<int32_t> failed;  // 0, being_written, or a status
  char message[400];
};

static_assert(std::atomic<uint64_t>::is_always_lock_free, "the ranks share no locks");

std::string rank_text(uint32_t rank) { return sy::text("rank ", rank); }

std::string text_of(const Call& call) {
  constexpr std::array kinds = {"nothing",   "all_reduce", "all_gather", "reduce_scatter",
                                "broadcast", "send",       "receive"};
  constexpr std::array reductions = {"", " sum", " product", " minimum", " maximum", " average"};
  std::string text = sy::text(kinds.at(static_cast<size_t>(call.kind)),
                              reductions.at(static_cast<size_t>(call.reduction)), " of ",
                              call.count, " ", sy::dtype_name(call.dtype));
  if (call.kind == SY_BROADCAST) text += sy::text(" from rank ", call.root);
  return text;
}

Id new_id() {
  std::random_device random;
  Id id = {};
  for (size_t i = 0; i < id_random_bytes; ++i) id[i] = static_cast<uint8_t>(random());
  std::copy(id_mark.begin(), id_mark.end(), id.begin() + id_random_bytes);
  return id;
}

Meeting::Meeting(const Id& id, uint32_t rank, uint32_t count, std::chrono::milliseconds timeout)
    : rank_(rank),
      count_(checked_count(rank, count)),
      timeout_(timeout),
      file_(name_of(id), size_of(count)) {
  uint32_t named = 0;
  if (!header().count.compare_exchange_strong(named, count) && named != count) {
    fail(SY_INVALID, sy::text("one rank says that there are ", named, " ranks, and rank ", rank,
                              " that there are ", count));
  }
  check();
  take_seat();
}

void Meeting::take_seat() {
  uint32_t state = seat_free;
  if (!seat(rank_).state.compare_exchange_strong(state, seat_taken)) {
    fail(SY_INVALID, sy::text("rank ", rank_, " joins twice"));
    check();
  }
  file_.hold(rank_);
  if (header().joined.fetch_add(1) + 1 == count_) file_.remove_name();
}

// Who leaves before all are there uses the id up.
Meeting::~Meeting() {
  if (header().joined.load() < count_) {
    fail(SY_PEER_LOST, rank_text(rank_) + " has left before all had come");
    file_.remove_name();
  }
  seat(rank_).state.store(seat_left, std::memory_order_release);
}

// Who fails when all have come is missed in a collective, and not here.
void Meeting::wait_for_all() {
  const auto start = std::chrono::steady_clock::now();
  while (header().joined.load(std::memory_order_acquire) < count_) {
    check();
    const bool is_late = std::chrono::steady_clock::now() - start > timeout_;
    if (timeout_.count() != 0 && is_late) {
      fail(SY_PEER_LOST, sy::text("of ", count_, " ranks ", header().joined.load(),
                                  " have come within ", timeout_.count(), " ms"));
    }
    std::this_thread::sleep_for(look_around);
  }
}

uint64_t Meeting::step(uint32_t rank) const {
  return seat(rank).step.load(std::memory_order_acquire);
}
void Meeting::set_step(uint64_t step) { seat(rank_).step.store(step, std::memory_order_release); }
Call& Meeting::call(uint32_t rank) const { return seat(rank).call; }

bool Meeting::is_lost(uint32_t rank) const {
  if (rank == rank_) return false;
  return seat(rank).state.load(std::memory_order_acquire) == seat_left || !file_.is_held(rank);
}

void Meeting::fail(sy_status status, const std::string& message) {
  int32_t none = 0;
  if (!header().failed.compare_exchange_strong(none, being_written)) return;
  sy::write_text(header().message, sizeof(header().message), message);
  header().failed.store(status, std::memory_order_release);
}

void Meeting::check() const {
  const int32_t failed = header().failed.load(std::memory_order_acquire);
  if (failed == 0) return;
  if (failed == being_written) {
    throw sy::Failure(SY_PEER_LOST, SY_REASON_NONE, "another rank has failed just now");
  }
  throw sy::Failure(failed, SY_REASON_NONE, header().message);
}

// The header, the seats, the mailboxes, the lanes from each to each.
Meeting::Header& Meeting::header() const { return *reinterpret_cast<Header*>(file_.bytes()); }
Meeting::Seat& Meeting::seat(uint32_t rank) const {
  return reinterpret_cast<Seat*>(file_.bytes() + sizeof(Header))[rank];
}
char* Meeting::behind_seats() const {
  return file_.bytes() + sizeof(Header) + count_ * sizeof(Seat);
}
char* Meeting::mailbox(uint32_t rank) const { return behind_seats() + rank * mailbox_bytes; }
Meeting::Lane& Meeting::lane(uint32_t from, uint32_t to) const {
  auto* lanes = reinterpret_cast<Lane*>(behind_seats() + count_ * mailbox_bytes);
  return lanes[from * count_ + to];
}
size_t Meeting::size_of(uint32_t count) {
  return sizeof(Header) + count * (sizeof(Seat) + mailbox_bytes) +
         size_t{count} * count * sizeof(Lane);
}

}  // namespace collective
