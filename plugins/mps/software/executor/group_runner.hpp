// Runs threadgroups of a dispatch, one after the other, on the calling thread. Each thread of a
// group runs until it meets the others: at a SIMD-group function those of its SIMD group, at a
// barrier all.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "software/executor/call.hpp"
#include "software/executor/fiber.hpp"
#include "software/executor/group_memory.hpp"

namespace mps::software {

class GroupRunner : private msl::Group {
 public:
  GroupRunner(Order order, uint64_t seed);

  // On the thread that is going to run the groups.
  void begin(const Call& call);
  // Throws KernelFault.
  void run(const std::array<uint32_t, 3>& group_position);

 private:
  enum class Progress : uint8_t { fresh, ready, at_simd, at_barrier, done };
  struct Thread {
    msl::Lane lane;
    Progress progress = Progress::fresh;
    Fiber* fiber = nullptr;
    unsigned site = 0;
    msl::Resolver resolver = nullptr;
  };
  // Positions in `order_`, and numbers of threads: SIMD group s has 32 s to 32 s + 32.
  struct Part {
    uint32_t begin;
    uint32_t end;
  };

  static void* on_variable(msl::Group* group, unsigned slot, unsigned long bytes, unsigned long);
  static void on_park(msl::Group* group, msl::Scope scope, unsigned site, msl::Resolver resolver,
                      void* payload);
  static msl::Lane* on_next(msl::Group* group);

  void place_threads();
  void arrange();
  void run_collectives();
  void start(Part simdgroup);
  void advance(Part simdgroup);
  bool resolve(Part simdgroup);
  // False once all are done.
  bool pass_barrier();
  void enter(Fiber* fiber, Thread* thread);
  void end_early(std::string why);
  void check() const;
  Fiber* idle_fiber();
  Thread& thread_of(msl::Lane* lane) { return threads_[lane->index]; }
  Part part(uint32_t simdgroup) const;

  const Order scheduling_;
  std::mt19937_64 random_;
  const Call* call_ = nullptr;
  GroupMemory memory_;
  std::vector<Thread> threads_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> simdgroup_order_;
  uint32_t next_fresh_ = 0;
  uint32_t end_fresh_ = 0;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
  Fiber* running_ = nullptr;
  std::optional<std::string> fault_;
};

}  // namespace mps::software
