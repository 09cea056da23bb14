// How a thread meets the others: it parks with a payload and a resolver; once all that take part
// are parked, the executor calls the resolver for all of them.
#pragma once
#include "software/shim/interface.h"
#include "software/shim/scalars.h"

// What the compilers' builtin for the position of a call gives back; there is no standard header
// here.
namespace std {
struct source_location {
  struct __impl {
    const char* _M_file_name;
    const char* _M_function_name;
    unsigned _M_line;
    unsigned _M_column;
  };
};
}  // namespace std

namespace msl {

// The group whose stack this is. Found by address and not by a thread-local variable: hundreds of
// libraries would use up the space for those.
inline __attribute__((always_inline)) Group* group() {
  const auto here = reinterpret_cast<unsigned long>(__builtin_frame_address(0));
  return *reinterpret_cast<Group**>((here & ~(stack_bytes - 1)) + group_slot);
}
inline __attribute__((always_inline)) unsigned lane() { return group()->current->lane; }

// Where the caller of the function with this default argument stands: the line, and the column to
// tell apart two calls on it.
inline unsigned site(
    const std::source_location::__impl* position =
        static_cast<const std::source_location::__impl*>(__builtin_source_location())) {
  return position->_M_line * 256u + (position->_M_column < 255u ? position->_M_column : 255u);
}

inline void park(Scope scope, unsigned site, Resolver resolver, void* payload) {
  Group* self = group();
  self->park(self, scope, site, resolver, payload);
}

template <class T>
inline T& payload(Lane* lane) {
  return *static_cast<T*>(lane->payload);
}

}  // namespace msl

namespace metal {

enum class mem_flags {
  mem_none = 0,
  mem_device = 1,
  mem_threadgroup = 2,
  mem_texture = 4,
  mem_threadgroup_imageblock = 8
};
inline mem_flags operator|(mem_flags a, mem_flags b) { return mem_flags(int(a) | int(b)); }

inline void threadgroup_barrier(mem_flags, unsigned site = msl::site()) {
  msl::park(msl::Scope::threadgroup, site, nullptr, nullptr);
}
inline void simdgroup_barrier(mem_flags, unsigned site = msl::site()) {
  msl::park(
      msl::Scope::simdgroup, site, [](msl::Lane* const*, unsigned) {}, nullptr);
}

}  // namespace metal
