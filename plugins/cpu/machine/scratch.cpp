#include "machine/scratch.hpp"

#include <algorithm>
#include <new>

#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

constexpr size_t alignment = 64;
constexpr size_t kept_at_most = size_t{16} << 20;  // a thread keeps no more than this between calls

void* take(size_t bytes) { return ::operator new(bytes, std::align_val_t(alignment)); }
void give_back(void* data) { ::operator delete(data, std::align_val_t(alignment)); }

// A block that is used from its start like a stack. What does not fit comes from the heap, and the
// block grows to what was wanted once it is empty again.
struct Block {
  char* data = nullptr;
  size_t size = 0;
  size_t used = 0;
  size_t wanted = 0;
  bool is_gone = false;  // its thread ends: destructors that compute take all from the heap

  void grow() {
    if (wanted <= size || is_gone) return;
    give_back(data);
    data = nullptr;
    size = 0;
    data = static_cast<char*>(take(wanted));
    size = wanted;
  }
};

thread_local constinit Block own_block;

struct BlockOwner {
  ~BlockOwner() {
    give_back(own_block.data);
    own_block = {.is_gone = true};
  }
};

Block& block() {
  static thread_local const BlockOwner owner;
  return own_block;
}

}  // namespace

ScratchBytes::ScratchBytes(size_t bytes) {
  Block& own = block();
  const size_t rounded = sy::ceil_div(std::max<size_t>(bytes, 1), alignment) * alignment;
  own.wanted = std::min(std::max(own.wanted, own.used + rounded), kept_at_most);
  if (own.used == 0) own.grow();
  if (own.used + rounded > own.size) {
    data_ = take(rounded);
    return;
  }
  data_ = own.data + own.used;
  taken_ = rounded;
  own.used += rounded;
}

ScratchBytes::~ScratchBytes() {
  if (taken_ == 0) {
    give_back(data_);
  } else {
    block().used -= taken_;
  }
}

}  // namespace cpu
