// The team, who uses it, and in which order.
//
// There is one team in the process: OpenMP's threads of the host thread that opens a region, and
// that host thread itself, as number 0. Host threads keep their own `team_size`, which the options
// of their device set, and `supply`; all share what `team()` guards: `rest`, the `shares` of the
// region that runs, and with them the right to open a region at all. So at most one region of ours,
// or one TeamTurn under which a library opens regions, lives at a time.
//
// Whoever finds the team busy, resting or without threads computes alone, with the same result, and
// waits for nobody: only a TeamTurn that says `always` waits for the lock, all others try it. So it
// must not be asked for by one who holds a lock that a body takes. Within a region, on any of its
// threads, `thread_count()` is 1: what a body opens runs on the body's own thread, so that regions
// do not nest and no thread waits for itself.
//
// The order within a region:
// 1. The caller takes the lock and writes `shares` and the Region, which lies on its stack.
// 2. OpenMP starts the threads, which orders these writes before what the threads read. From then
//    on only `next` of a share, and `failed`, change; pieces are taken by fetch_add, so that each
//    is run once, by whoever comes first. Relaxed order is enough: a piece's data pass through 2
//    and 3 alone, and which thread runs it must not show in the result.
// 3. All threads reach the end of the region, which orders what they wrote before what the caller
//    does next. Only then does it read `failure`, which the one thread that set `failed` has
//    written, give the time to `rest`, rethrow, and release the lock.
//
// A forked child has the parent's memory but none of its threads, and perhaps the lock of one who
// no longer lives: it asks `is_forked_child` before it touches the lock, and computes alone.
// The lock and the shares are never destroyed, since destructors of static objects compute too.
#include "machine/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#include <unistd.h>

#include "machine/held_signals.hpp"
#include "machine/team_rest.hpp"
#include "machine/thread_supply.hpp"
#endif

namespace cpu {
namespace {

thread_local int team_size = 1;
thread_local bool inside_region = false;

#ifdef SWITCHYARD_CPU_OPENMP

using Clock = std::chrono::steady_clock;

// Held by the host thread whose work the team does.
std::mutex& team() {
  static auto& mutex = *new std::mutex;
  return mutex;
}

TeamRest rest;  // guarded by team()

thread_local ThreadSupply supply;

// OpenMP's threads do not survive a fork; its regions in the child would wait for them for ever.
bool is_forked_child() {
  static std::atomic<pid_t> owner{0};
  const pid_t own = getpid();
  pid_t known = 0;
  return !owner.compare_exchange_strong(known, own) && known != own;
}

// More pieces than threads, so that a thread that the system held up does not keep the others
// waiting.
constexpr int pieces_per_thread = 4;
constexpr int pieces_per_grain = 4;

// The pieces that one thread begins with.
struct alignas(64) Share {
  std::atomic<int64_t> next{0};
  int64_t end = 0;
};

struct Region {
  int64_t count;
  int64_t pieces;
  detail::RangeFunction function;
  void* context;
  std::vector<Share>& shares;  // one for each thread
  std::atomic<bool> failed{false};
  std::exception_ptr failure{};

  void share_out() {
    const auto threads = static_cast<int64_t>(shares.size());
    for (int64_t i = 0; i < threads; ++i) {
      shares[static_cast<size_t>(i)].next.store(bound(i, pieces, threads));
      shares[static_cast<size_t>(i)].end = bound(i + 1, pieces, threads);
    }
  }

  // Its own pieces first, the same positions of a tensor from one region to the next: they are in
  // its cache. Then what the others have left. Returns how many it has done.
  int64_t work(size_t thread) noexcept {
    int64_t done = 0;
    for (size_t i = 0; i < shares.size(); ++i) {
      Share& share = shares[(thread + i) % shares.size()];
      while (share.next.load(std::memory_order_relaxed) < share.end) {
        const int64_t piece = share.next.fetch_add(1, std::memory_order_relaxed);
        if (piece >= share.end || failed.load(std::memory_order_relaxed)) break;
        run_piece(piece);
        ++done;
      }
    }
    return done;
  }

  void run_piece(int64_t piece) noexcept {
    try {
      function(context, bound(piece, count, pieces), bound(piece + 1, count, pieces));
    } catch (...) {
      if (!failed.exchange(true)) failure = std::current_exception();
    }
  }

  // Where part `part` of `parts` of so many begins.
  static int64_t bound(int64_t part, int64_t of, int64_t parts) {
    return of / parts * part + std::min(part, of % parts);
  }
};

// Always all of the team, however few the pieces: libgomp ends the threads that a region leaves out
// and makes them anew for the next one, which costs more than most regions.
void run_region(Region& region) {
  const auto start = Clock::now();
  auto done = start;
  int64_t own_pieces = 0;
#pragma omp parallel num_threads(team_size)
  {
    inside_region = true;
    if (omp_get_thread_num() != 0) HeldSignals::for_good();
    const int64_t pieces = region.work(static_cast<size_t>(omp_get_thread_num()));
    inside_region = false;
    if (omp_get_thread_num() == 0) {
      own_pieces = pieces;
      done = Clock::now();
    }
  }
  // A caller who has done none came late itself; the others were not slower than it alone.
  const auto end = Clock::now();
  const auto alone = own_pieces > 0 ? (done - start) * region.pieces / own_pieces : end - start;
  rest.note(end, alone, end - start);
  if (region.failure) std::rethrow_exception(region.failure);
}

#endif

}  // namespace

int thread_count() { return inside_region ? 1 : team_size; }

void set_thread_count(int threads) {
#ifdef SWITCHYARD_CPU_OPENMP
  team_size = std::max(1, threads);
#else
  static_cast<void>(threads);
#endif
}

void stop_threads() {
#ifdef SWITCHYARD_CPU_OPENMP
  if (is_forked_child()) return;
  const std::lock_guard turn(team());
  supply.forget();
  omp_pause_resource_all(omp_pause_soft);
#endif
}

TeamTurn::TeamTurn(bool always) {
#ifdef SWITCHYARD_CPU_OPENMP
  if (thread_count() > 1 && !is_forked_child()) {
    if (always) team().lock();
    taken_ = always || team().try_lock();
    const auto now = Clock::now();
    if (taken_ && !((always || rest.is_over(now)) && supply.suffices(team_size, now))) {
      team().unlock();
      taken_ = false;
    }
    if (taken_) threads_ = thread_count();
    counts_ = taken_ && !always;
  }
  if (omp_get_max_threads() != threads_) omp_set_num_threads(threads_);
#else
  static_cast<void>(always), static_cast<void>(taken_), static_cast<void>(counts_);
#endif
}

void TeamTurn::note([[maybe_unused]] std::chrono::steady_clock::duration alone,
                    [[maybe_unused]] std::chrono::steady_clock::duration taken) const {
#ifdef SWITCHYARD_CPU_OPENMP
  if (counts_) rest.note(Clock::now(), alone, taken);
#endif
}

TeamTurn::~TeamTurn() {
#ifdef SWITCHYARD_CPU_OPENMP
  if (taken_) team().unlock();
#endif
}

namespace detail {

void run_ranges(int64_t count, int64_t grain, RangeFunction function, void* context) {
#ifdef SWITCHYARD_CPU_OPENMP
  const int64_t threads = thread_count();
  if (threads > 1 && !is_forked_child()) {
    const std::unique_lock turn(team(), std::try_to_lock);
    const auto now = Clock::now();
    if (turn.owns_lock() && rest.is_over(now) && supply.suffices(team_size, now)) {
      const int64_t least = std::max<int64_t>(1, grain / pieces_per_grain);
      const int64_t pieces = std::min(count / least, threads * pieces_per_thread);
      static auto& shares =
          *new std::vector<Share>;  // guarded by team(); static destructors compute
      if (shares.size() != static_cast<size_t>(threads)) {
        shares = std::vector<Share>(static_cast<size_t>(threads));
      }
      Region region{count, pieces, function, context, shares};
      region.share_out();
      run_region(region);
      return;
    }
  }
#else
  static_cast<void>(grain);
#endif
  function(context, 0, count);
}

}  // namespace detail
}  // namespace cpu
