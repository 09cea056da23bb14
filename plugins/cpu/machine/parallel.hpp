// The one team of threads. Small work runs on the caller's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace cpu {

// Threads that a parallel region of the calling thread may use; 1 inside of one.
int thread_count();

// For the calling thread, from now on: 1 until it is first called. Every entry that may compute
// calls it with its device's number.
void set_thread_count(int threads);

// Ends the threads that the calling thread's regions have started; the next region starts new ones.
// LLVM's OpenMP, which clang uses, keeps them asleep instead: it could only end those of the whole
// process.
void stop_threads();

// Lets a library that opens OpenMP regions of its own run on the team: while one lives, the calling
// thread's regions have `threads()` members. That is the team's size for the first who asks and 1
// for those who come while it is busy, inside of parallel_for, in a forked child, while it rests
// or the system lacks threads. With `always` those who come while it is busy wait, and it does not
// rest: for results that depend on the number of threads. Do not call parallel_for meanwhile.
class TeamTurn {
 public:
  explicit TeamTurn(bool always = false);
  ~TeamTurn();
  TeamTurn(const TeamTurn&) = delete;
  TeamTurn& operator=(const TeamTurn&) = delete;
  int threads() const { return threads_; }

  // Says how long work of this turn would have taken the caller alone, and how long it has taken.
  void note(std::chrono::steady_clock::duration alone,
            std::chrono::steady_clock::duration taken) const;

 private:
  int threads_ = 1;
  bool taken_ = false;
  bool counts_ = false;  // for the team's rest
};

namespace detail {
using RangeFunction = void (*)(void* context, int64_t begin, int64_t end);
void run_ranges(int64_t count, int64_t grain, RangeFunction function, void* context);
}  // namespace detail

// Calls `body(begin, end)` over [0, count) in pieces, on the team if there are more than `grain`
// items: as many as take one thread some 20 microseconds, which is what a region is worth. Pieces
// are a quarter of it, or larger. An exception in a piece is thrown again here, once all pieces
// have ended. The result of a reduction must not depend on how the range is cut.
template <typename Body>
void parallel_for(int64_t count, int64_t grain, Body&& body) {
  if (count <= grain) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  using Plain = std::remove_reference_t<Body>;
  detail::run_ranges(
      count, grain,
      [](void* context, int64_t begin, int64_t end) {
        (*static_cast<Plain*>(context))(begin, end);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace cpu
