#include "shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "switchyard/plugin/guard.hpp"

namespace collective {
namespace {

// Beyond what a rank may take to make the memory as large as it is to be.
constexpr std::chrono::seconds longest_making{10};

[[noreturn]] void fail(const char* what, const std::string& name) {
  const int number = errno;
  throw sy::Failure(number == ENOMEM || number == ENOSPC ? SY_OUT_OF_MEMORY : SY_BUG,
                    SY_REASON_NONE, sy::text(what, " ", name, ": ", std::strerror(number)));
}

#ifdef F_OFD_SETLK
struct flock lock_of(uint32_t mark) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = mark;
  lock.l_len = 1;
  return lock;
}
#endif

}  // namespace

SharedFile::SharedFile(std::string name, size_t size) : name_(std::move(name)), size_(size) {
  const auto end = std::chrono::steady_clock::now() + longest_making;
  while (!try_open()) {
    if (std::chrono::steady_clock::now() > end) {
      throw sy::Failure(SY_PEER_LOST, SY_REASON_NONE,
                        "a rank ended while it made the memory of the communicator");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  map();
}

// False where another has just made it, and it has no size yet, or it has just been removed.
bool SharedFile::try_open() {
  descriptor_ = shm_open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) {
    if (ftruncate(descriptor_, static_cast<off_t>(size_)) == 0) return true;
    shm_unlink(name_.c_str());
    close(descriptor_);
    fail("cannot make", name_);
  }
  if (errno != EEXIST) fail("cannot make", name_);
  descriptor_ = shm_open(name_.c_str(), O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ < 0) {
    if (errno == ENOENT) return false;
    fail("cannot open", name_);
  }
  struct stat about = {};
  if (fstat(descriptor_, &about) == 0 && about.st_size > 0) {
    size_ = static_cast<size_t>(about.st_size);
    return true;
  }
  close(descriptor_);
  return false;
}

void SharedFile::map() {
  void* mapped = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (mapped == MAP_FAILED) {
    close(descriptor_);
    fail("cannot map", name_);
  }
  bytes_ = static_cast<char*>(mapped);
}

SharedFile::~SharedFile() {
  munmap(bytes_, size_);
  close(descriptor_);
}

void SharedFile::remove_name() { shm_unlink(name_.c_str()); }

// Where the system has no such locks, only the time limit tells of a process that has ended.
void SharedFile::hold([[maybe_unused]] uint32_t mark) {
#ifdef F_OFD_SETLK
  struct flock lock = lock_of(mark);
  if (fcntl(descriptor_, F_OFD_SETLK, &lock) != 0) fail("cannot lock", name_);
#endif
}

bool SharedFile::is_held([[maybe_unused]] uint32_t mark) const {
#ifdef F_OFD_SETLK
  struct flock lock = lock_of(mark);
  return fcntl(descriptor_, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
#else
  return true;
#endif
}

}  // namespace collective
