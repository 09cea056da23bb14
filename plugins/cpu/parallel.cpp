#include "parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "attendance.hpp"

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#endif

namespace cpu {
namespace {

std::mutex team;        // held by the host thread whose work the team does
Attendance attendance;  // guarded by `team`
thread_local int team_size = 1;
thread_local bool inside_region = false;

#ifdef SWITCHYARD_CPU_OPENMP

// More pieces than threads, so that a thread that the system held up does not keep the others
// waiting.
constexpr int pieces_per_thread = 4;

struct Region {
  int64_t count;
  int64_t pieces;
  detail::RangeFunction function;
  void* context;
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure{};

  void work() noexcept {
    for (;;) {
      const int64_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= pieces || failed.load(std::memory_order_relaxed)) return;
      try {
        function(context, bound(piece), bound(piece + 1));
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    }
  }

  int64_t bound(int64_t piece) const {
    return count / pieces * piece + std::min(piece, count % pieces);
  }
};

void run_region(Region& region, int threads) {
  const auto start = Attendance::Clock::now();
  auto done = start;
#pragma omp parallel num_threads(threads)
  {
    inside_region = true;
    region.work();
    inside_region = false;
    if (omp_get_thread_num() == 0) done = Attendance::Clock::now();
  }
  attendance.note(done - start, Attendance::Clock::now() - done);
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

void dismiss_team() {
#ifdef SWITCHYARD_CPU_OPENMP
  const std::lock_guard turn(team);
  omp_pause_resource_all(omp_pause_soft);
#endif
}

TeamTurn::TeamTurn(bool always) {
  if (thread_count() > 1) {
    if (always) team.lock();
    taken_ = always || team.try_lock();
  }
  const bool whole = taken_ && (always || attendance.is_prompt(thread_count()));
  threads_ = whole ? thread_count() : 1;
#ifdef SWITCHYARD_CPU_OPENMP
  if (omp_get_max_threads() != threads_) omp_set_num_threads(threads_);
#endif
}

TeamTurn::~TeamTurn() {
  if (taken_) team.unlock();
}

namespace detail {

void run_ranges(int64_t count, int64_t grain, RangeFunction function, void* context) {
#ifdef SWITCHYARD_CPU_OPENMP
  const int64_t fitting = count / std::max<int64_t>(grain, 1);
  const int threads = static_cast<int>(std::min<int64_t>(thread_count(), fitting));
  if (threads > 1) {
    const std::unique_lock turn(team, std::try_to_lock);
    if (turn.owns_lock() && attendance.is_prompt(thread_count())) {
      const int64_t pieces = std::min<int64_t>(fitting, int64_t{threads} * pieces_per_thread);
      Region region{count, pieces, function, context};
      run_region(region, threads);
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
