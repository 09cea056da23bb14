#include "plugin_loader/isolation/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <string>
#include <system_error>

namespace switchyard::isolation {
namespace {

constexpr std::size_t kLeast = std::size_t{64} << 20;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

#ifdef __linux__

int new_descriptor() { return ::memfd_create("switchyard", MFD_CLOEXEC | MFD_ALLOW_SEALING); }

// Whoever holds the descriptor could cut the memory short under the feet of the other.
bool fix_size(int descriptor) {
  return ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

void give_back(int descriptor, std::size_t offset, std::size_t bytes) {
  ::fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(bytes));
}

#else

// A name that is taken away at once. The size of such an object is set once and for all.
int new_descriptor() {
  static std::atomic<unsigned> count{0};
  for (int attempts = 0; attempts < 100; ++attempts) {
    const std::string name =
        "/switchyard." + std::to_string(::getpid()) + "." + std::to_string(count.fetch_add(1));
    const int descriptor = ::shm_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return -1;
    ::shm_unlink(name.c_str());
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
  }
  return -1;
}

bool fix_size(int) { return true; }

void give_back(int, std::size_t, std::size_t) {}

#endif

void* map(int descriptor, void* wish, std::size_t bytes) {
  void* pointer =
      ::mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
#ifdef MADV_DONTDUMP
  if (pointer != MAP_FAILED) ::madvise(pointer, bytes, MADV_DONTDUMP);
#endif
#ifdef MADV_HUGEPAGE
  if (pointer != MAP_FAILED) ::madvise(pointer, bytes, MADV_HUGEPAGE);  // only a hint
#endif
  return pointer;
}

// Where programs, their libraries and their heaps never lie, so that the other process has the room
// too: the next part of the range, and after its end the first again, whose memory may have ended.
// A system that has no such addresses, or none that are free, chooses others.
void* map_new(int descriptor, std::size_t bytes) {
  constexpr std::uintptr_t kFirst = 0x2000'0000'0000, kRange = 0x3000'0000'0000;
  constexpr int kAttempts = 64;
  static std::atomic<std::uintptr_t> next{0};
  for (int attempts = 0; attempts < kAttempts; ++attempts) {
    const std::uintptr_t offset = next.fetch_add(bytes) % kRange;
    if (bytes > kRange - offset) continue;
    void* const wish = reinterpret_cast<void*>(kFirst + offset);
    void* const pointer = map(descriptor, wish, bytes);
    if (pointer == wish || pointer == MAP_FAILED) return pointer;
    ::munmap(pointer, bytes);
  }
  return map(descriptor, nullptr, bytes);
}

std::size_t largest_file() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<std::size_t>(limit.rlim_cur);
}

}  // namespace

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

SharedMemory::SharedMemory(std::size_t bytes) : process_(::getpid()) {
  const std::size_t limit = largest_file();  // to go beyond it is a signal
  for (bytes_ = bytes; bytes_ >= kLeast; bytes_ /= 2) {
    if (bytes_ > limit) continue;
    descriptor_ = new_descriptor();
    if (descriptor_ < 0) fail("making shared memory");
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes_)) == 0 && fix_size(descriptor_)) {
      void* pointer = map_new(descriptor_, bytes_);
      if (pointer != MAP_FAILED) {
        begin_ = static_cast<std::byte*>(pointer);
        return;
      }
    }
    const int failure = errno;
    ::close(descriptor_);
    errno = failure;
  }
  if (limit < kLeast) errno = EFBIG;
  fail("making shared memory");
}

SharedMemory::SharedMemory(int descriptor, std::uint64_t address, std::size_t bytes)
    : descriptor_(descriptor), bytes_(bytes), process_(::getpid()) {
  void* wish = reinterpret_cast<void*>(address);
  void* pointer = map(descriptor, wish, bytes);
  if (pointer == wish) {
    begin_ = static_cast<std::byte*>(pointer);
    return;
  }
  const int failure = pointer == MAP_FAILED ? errno : EEXIST;
  if (pointer != MAP_FAILED) ::munmap(pointer, bytes);
  ::close(descriptor);
  errno = failure;
  fail("showing shared memory at its addresses");
}

SharedMemory::~SharedMemory() {
  ::munmap(begin_, bytes_);
  ::close(descriptor_);
}

bool SharedMemory::holds(const void* pointer, std::size_t bytes) const noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(pointer);
  const auto begin = reinterpret_cast<std::uintptr_t>(begin_);
  return first >= begin && first - begin <= bytes_ && bytes <= bytes_ - (first - begin);
}

void SharedMemory::discard(std::byte* first, std::size_t bytes) noexcept {
  if (::getpid() != process_) return;
  give_back(descriptor_, static_cast<std::size_t>(first - begin_), bytes);
}

}  // namespace switchyard::isolation
