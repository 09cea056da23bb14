#include "software/executor/executor.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <numeric>
#include <random>
#include <thread>

#include "software/executor/group_runner.hpp"

namespace mps::software {
namespace {

// The groups of a dispatch, each taken once; where the order is shuffled they are visited in steps
// that have no factor in common with their number.
class Groups {
  static constexpr uint64_t most_step = 65536;  // keeps products within 64 bits

 public:
  Groups(const Call& call, Order order, std::mt19937_64& random)
      : reverse_(order == Order::reverse) {
    for (int axis = 0; axis < 3; ++axis) {
      count_[axis] = (call.threads[axis] - 1) / call.group[axis] + 1;
    }
    total_ = uint64_t{count_[0]} * count_[1] * count_[2];
    if (order != Order::shuffled) return;
    first_ = random() % total_;
    step_ = random() % std::min(total_, most_step);
    while (std::gcd(step_, total_) != 1) step_ = (step_ + 1) % total_;
  }

  uint64_t total() const { return total_; }

  bool take(std::array<uint32_t, 3>& position) {
    const uint64_t taken = taken_.fetch_add(1, std::memory_order_relaxed);
    if (taken >= total_) return false;
    uint64_t index = (taken * step_ + first_) % total_;
    if (reverse_) index = total_ - 1 - index;
    position = {static_cast<uint32_t>(index % count_[0]),
                static_cast<uint32_t>(index / count_[0] % count_[1]),
                static_cast<uint32_t>(index / count_[0] / count_[1])};
    return true;
  }

  void stop() { taken_.store(total_, std::memory_order_relaxed); }

 private:
  bool reverse_;
  std::array<uint32_t, 3> count_{};
  uint64_t total_ = 0;
  uint64_t first_ = 0;
  uint64_t step_ = 1;
  std::atomic<uint64_t> taken_{0};
};

void work(GroupRunner& runner, const Call& call, Groups& groups, std::exception_ptr& failure) {
  try {
    runner.begin(call);
    for (std::array<uint32_t, 3> position; groups.take(position);) runner.run(position);
  } catch (...) {
    failure = std::current_exception();
    groups.stop();
  }
}

}  // namespace

Executor::Executor(const Settings& settings)
    : order_(settings.order), seed_(settings.seed), threads_(settings.threads) {
  runners_.resize(threads_);
}

Executor::~Executor() = default;

void Executor::run(const Call& call) {
  std::mt19937_64 random(seed_++);
  Groups groups(call, order_, random);
  const unsigned used = groups.total() > 1 ? threads_ : 1;
  for (auto& runner : runners_) {
    if (!runner) runner = std::make_unique<GroupRunner>(order_, seed_++);
  }
  std::vector<std::exception_ptr> failures(used);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < used; ++i) {
    others.emplace_back([&, i] { work(*runners_[i], call, groups, failures[i]); });
  }
  work(*runners_[0], call, groups, failures[0]);
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures) {
    if (!failure) continue;
    for (auto& runner : runners_) runner.reset();
    std::rethrow_exception(failure);
  }
}

}  // namespace mps::software
