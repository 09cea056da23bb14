#include "software/executor/group_runner.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "switchyard/plugin/division.hpp"

namespace mps::software {
namespace {

constexpr unsigned sites_a_line = 256;  // as msl::site() counts

std::string line_of(unsigned site) { return "line " + std::to_string(site / sites_a_line); }

}  // namespace

GroupRunner::GroupRunner(Order order, uint64_t seed)
    : msl::Group{}, scheduling_(order), random_(seed) {
  variable = &on_variable;
  park = &on_park;
  next = &on_next;
}

void GroupRunner::begin(const Call& call) {
  call_ = &call;
  if (call.set_constants) call.set_constants(call.constants);
  buffers = call.buffers.data();
  group_memory = memory_.begin(call.group_memory);
  fault_.reset();
  for (int axis = 0; axis < 3; ++axis) {
    full_size[axis] = call.group[axis];
    grid[axis] = call.threads[axis];
    count[axis] = (call.threads[axis] - 1) / call.group[axis] + 1;
  }
}

void GroupRunner::run(const std::array<uint32_t, 3>& group_position) {
  for (int axis = 0; axis < 3; ++axis) {
    position[axis] = group_position[axis];
    const uint32_t first = group_position[axis] * full_size[axis];
    size[axis] = std::min(full_size[axis], grid[axis] - first);
  }
  threads = size[0] * size[1] * size[2];
  simdgroups = sy::ceil_div(threads, simd_width);
  backwards =
      scheduling_ == Order::reverse || (scheduling_ == Order::shuffled && (random_() & 1) != 0);
  if (!call_->kernel->collective) return call_->kernel->run(this);
  run_collectives();
}

void GroupRunner::run_collectives() {
  memory_.poison();
  place_threads();
  arrange();
  for (bool first = true;; first = false) {
    if (scheduling_ == Order::shuffled) {
      std::shuffle(simdgroup_order_.begin(), simdgroup_order_.end(), random_);
    }
    for (const uint32_t simdgroup : simdgroup_order_) {
      if (first) start(part(simdgroup));
      advance(part(simdgroup));
    }
    if (!pass_barrier()) return;
  }
}

void GroupRunner::place_threads() {
  threads_.assign(threads, {});
  uint32_t index = 0;
  for (uint32_t z = 0; z < size[2]; ++z) {
    for (uint32_t y = 0; y < size[1]; ++y) {
      for (uint32_t x = 0; x < size[0]; ++x, ++index) {
        const std::array<uint32_t, 3> within{x, y, z};
        msl::Lane& lane = threads_[index].lane;
        for (int axis = 0; axis < 3; ++axis) {
          lane.position[axis] = within[axis];
          lane.position_in_grid[axis] = position[axis] * full_size[axis] + within[axis];
        }
        lane.index = index;
        lane.lane = static_cast<unsigned short>(index % simd_width);
        lane.simdgroup = static_cast<unsigned short>(index / simd_width);
      }
    }
  }
}

void GroupRunner::arrange() {
  order_.resize(threads);
  std::iota(order_.begin(), order_.end(), 0u);
  simdgroup_order_.resize(simdgroups);
  std::iota(simdgroup_order_.begin(), simdgroup_order_.end(), 0u);
  if (scheduling_ == Order::reverse) {
    std::reverse(simdgroup_order_.begin(), simdgroup_order_.end());
  }
  for (uint32_t simdgroup = 0; simdgroup < simdgroups; ++simdgroup) {
    const auto begin = order_.begin() + part(simdgroup).begin;
    const auto end = order_.begin() + part(simdgroup).end;
    if (scheduling_ == Order::reverse) std::reverse(begin, end);
    if (scheduling_ == Order::shuffled) std::shuffle(begin, end, random_);
  }
}

GroupRunner::Part GroupRunner::part(uint32_t simdgroup) const {
  const uint32_t begin = simdgroup * simd_width;
  return {begin, std::min(threads, begin + simd_width)};
}

// A fiber goes on to the next thread as long as none parks, so there are only as many fibers as
// parked threads.
void GroupRunner::start(Part simdgroup) {
  next_fresh_ = simdgroup.begin;
  end_fresh_ = simdgroup.end;
  while (next_fresh_ < end_fresh_) enter(idle_fiber(), nullptr);
}

// Until each thread of the SIMD group is at a barrier or done.
void GroupRunner::advance(Part simdgroup) {
  do {
    for (uint32_t i = simdgroup.begin; i < simdgroup.end; ++i) {
      Thread& thread = threads_[order_[i]];
      if (thread.progress == Progress::ready) enter(thread.fiber, &thread);
    }
  } while (resolve(simdgroup));
}

// Of diverged threads those go on that stand first in the source. False if none waits.
bool GroupRunner::resolve(Part simdgroup) {
  unsigned first = ~0u;
  for (uint32_t i = simdgroup.begin; i < simdgroup.end; ++i) {
    if (threads_[i].progress == Progress::at_simd) first = std::min(first, threads_[i].site);
  }
  std::array<msl::Lane*, simd_width> lanes{};
  uint32_t active = 0;
  msl::Resolver resolver = nullptr;
  for (uint32_t i = simdgroup.begin; i < simdgroup.end; ++i) {
    Thread& thread = threads_[i];
    if (thread.progress != Progress::at_simd || thread.site != first) continue;
    thread.progress = Progress::ready;
    resolver = thread.resolver;
    lanes[active++] = &thread.lane;
  }
  if (active == 0) return false;
  resolver(lanes.data(), active);
  return true;
}

bool GroupRunner::pass_barrier() {
  uint32_t waiting = 0;
  unsigned first = 0, last = 0;
  for (const Thread& thread : threads_) {
    if (thread.progress == Progress::done) continue;
    first = waiting == 0 ? thread.site : std::min(first, thread.site);
    last = std::max(last, thread.site);
    ++waiting;
  }
  if (waiting == 0) return false;
  const std::string what =
      std::string(call_->kernel->name) + ": threadgroup_barrier at " + line_of(first);
  if (waiting < threads) {
    throw KernelFault(what + " is not reached by all threads: " + std::to_string(waiting) +
                      " wait, " + std::to_string(threads - waiting) + " have returned");
  }
  if (first != last) {
    throw KernelFault(what + " is not reached by all threads: others wait at " + line_of(last));
  }
  for (Thread& thread : threads_) thread.progress = Progress::ready;
  return true;
}

void GroupRunner::enter(Fiber* fiber, Thread* thread) {
  running_ = fiber;
  current = thread ? &thread->lane : nullptr;
  fiber->enter();
  check();
}

void GroupRunner::check() const {
  if (fault_) throw KernelFault(*fault_);
}

Fiber* GroupRunner::idle_fiber() {
  if (idle_.empty()) {
    const auto body = [this](Fiber& self) {
      for (;;) {
        call_->kernel->run(this);
        idle_.push_back(&self);
        self.leave();
      }
    };
    auto* const group = static_cast<msl::Group*>(this);
    fibers_.push_back(std::make_unique<Fiber>(group, fibers_.size(), body));
    return fibers_.back().get();
  }
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

// On the fiber of the thread that cannot go on; it is never entered again.
void GroupRunner::end_early(std::string why) {
  fault_ = std::move(why);
  running_->leave();
}

void* GroupRunner::on_variable(msl::Group* group, unsigned slot, unsigned long bytes,
                               unsigned long) {
  auto& self = static_cast<GroupRunner&>(*group);
  void* const memory = self.memory_.variable(slot, bytes);
  if (!memory) {
    self.end_early(std::string(self.call_->kernel->name) + ": " +
                   std::to_string(self.memory_.bytes() + bytes) +
                   " bytes of threadgroup memory, the most is " + std::to_string(max_group_memory));
  }
  return memory;
}

void GroupRunner::on_park(msl::Group* group, msl::Scope scope, unsigned site,
                          msl::Resolver resolver, void* payload) {
  auto& self = static_cast<GroupRunner&>(*group);
  Thread& thread = self.thread_of(self.current);
  thread.lane.payload = payload;
  thread.site = site;
  thread.resolver = resolver;
  thread.progress = scope == msl::Scope::threadgroup ? Progress::at_barrier : Progress::at_simd;
  thread.fiber = self.running_;
  self.running_->leave();
}

msl::Lane* GroupRunner::on_next(msl::Group* group) {
  auto& self = static_cast<GroupRunner&>(*group);
  if (self.current) self.thread_of(self.current).progress = Progress::done;
  self.current = nullptr;
  if (self.next_fresh_ == self.end_fresh_) return nullptr;
  Thread& thread = self.threads_[self.order_[self.next_fresh_++]];
  thread.progress = Progress::ready;
  self.current = &thread.lane;
  return self.current;
}

}  // namespace mps::software
