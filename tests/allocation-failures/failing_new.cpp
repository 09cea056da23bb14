#include "failing_new.hpp"

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif

#include <cstdlib>
#include <new>

namespace switchyard::allocation_failures {
namespace {

constexpr int kMostFrames = 48;

struct State {
  bool counts = false;
  bool has_failed = false;
  std::uint64_t left = 0;
  int frame_count = 0;
  void* frames[kMostFrames] = {};
};

thread_local State state;

void note_place() {
#if __has_include(<execinfo.h>)
  state.frame_count = backtrace(state.frames, kMostFrames);
#endif
}

// Whether this allocation is the one that fails.
bool fails_now() noexcept {
  if (!state.counts || state.has_failed) return false;
  if (state.left-- > 0) return false;
  state.has_failed = true;
  state.counts = false;  // looking for the place allocates
  note_place();
  state.counts = true;
  return true;
}

void* take(std::size_t bytes) noexcept {
  if (fails_now()) return nullptr;
  return std::malloc(bytes == 0 ? 1 : bytes);
}

void* take_aligned(std::size_t bytes, std::align_val_t alignment) noexcept {
  if (fails_now()) return nullptr;
  const auto step = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(step, (bytes + step - 1) / step * step + (bytes == 0 ? step : 0));
}

void* given(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

FailingAllocation::FailingAllocation(std::uint64_t failing) {
  state = State();
  state.left = failing;
  state.counts = true;
}

FailingAllocation::~FailingAllocation() { state.counts = false; }

bool FailingAllocation::has_failed() { return state.has_failed; }

void FailingAllocation::print_place() {
#if __has_include(<execinfo.h>)
  backtrace_symbols_fd(state.frames, state.frame_count, 2);
#endif
}

}  // namespace switchyard::allocation_failures

namespace allocation = switchyard::allocation_failures;

void* operator new(std::size_t bytes) { return allocation::given(allocation::take(bytes)); }
void* operator new[](std::size_t bytes) { return allocation::given(allocation::take(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocation::given(allocation::take_aligned(bytes, alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return allocation::given(allocation::take_aligned(bytes, alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocation::take(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocation::take(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocation::take_aligned(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment,
                     const std::nothrow_t&) noexcept {
  return allocation::take_aligned(bytes, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
