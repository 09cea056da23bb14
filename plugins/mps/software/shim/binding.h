// Binds what a dispatch gives to the parameters of a kernel. The translator says the attribute of
// each parameter, the compiler its type.
#pragma once
#include "software/shim/interface.h"
#include "software/shim/vectors.h"

namespace msl {

// A parameter that refers to memory.
template <class T>
struct Reference;
template <class T>
struct Reference<T*> {
  using Element = T;
  static constexpr bool whole = false;
  static T* from(void* memory) { return static_cast<T*>(memory); }
};
template <class T>
struct Reference<T&> {
  using Element = T;
  static constexpr bool whole = true;
  static T& from(void* memory) { return *static_cast<T*>(memory); }
};

template <class T>
constexpr bool is_writable = true;
template <class T>
constexpr bool is_writable<const T> = false;

template <class P>
constexpr Parameter describe_reference(Role role, unsigned short index) {
  using Element = typename Reference<P>::Element;
  return {role,  is_writable<Element>, Reference<P>::whole,
          index, sizeof(Element),      alignof(Element)};
}

template <int index>
struct buffer {
  template <class P>
  static P get(Group& group, Lane&) {
    return Reference<P>::from(group.buffers[index]);
  }
  template <class P>
  static constexpr Parameter describe() {
    return describe_reference<P>(Role::buffer, index);
  }
};

template <int index>
struct threadgroup_memory {
  template <class P>
  static P get(Group& group, Lane&) {
    return Reference<P>::from(group.group_memory[index]);
  }
  template <class P>
  static constexpr Parameter describe() {
    return describe_reference<P>(Role::group_memory, index);
  }
};

// A position or an extent: as many of the three as the parameter has.
template <class T>
struct Coordinates {
  static T from(const unsigned* values) { return T(values[0]); }
};
template <class T>
struct Coordinates<metal::vec<T, 2>> {
  static metal::vec<T, 2> from(const unsigned* values) { return {T(values[0]), T(values[1])}; }
};
template <class T>
struct Coordinates<metal::vec<T, 3>> {
  static metal::vec<T, 3> from(const unsigned* values) {
    return {T(values[0]), T(values[1]), T(values[2])};
  }
};

#define MSL_VALUE(attribute, expression)                                       \
  struct attribute {                                                           \
    template <class P>                                                         \
    static P get([[maybe_unused]] Group& group, [[maybe_unused]] Lane& lane) { \
      return expression;                                                       \
    }                                                                          \
    template <class P>                                                         \
    static constexpr Parameter describe() {                                    \
      return {Role::value, false, false, 0, 0, 0};                             \
    }                                                                          \
  };
MSL_VALUE(thread_position_in_grid, Coordinates<P>::from(lane.position_in_grid))
MSL_VALUE(thread_position_in_threadgroup, Coordinates<P>::from(lane.position))
MSL_VALUE(thread_index_in_threadgroup, P(lane.index))
MSL_VALUE(thread_index_in_simdgroup, P(lane.lane))
MSL_VALUE(simdgroup_index_in_threadgroup, P(lane.simdgroup))
MSL_VALUE(threadgroup_position_in_grid, Coordinates<P>::from(group.position))
MSL_VALUE(threads_per_threadgroup, Coordinates<P>::from(group.size))
MSL_VALUE(dispatch_threads_per_threadgroup, Coordinates<P>::from(group.full_size))
MSL_VALUE(threads_per_grid, Coordinates<P>::from(group.grid))
MSL_VALUE(threadgroups_per_grid, Coordinates<P>::from(group.count))
MSL_VALUE(simdgroups_per_threadgroup, P(group.simdgroups))
MSL_VALUE(threads_per_simdgroup, P(32))
#undef MSL_VALUE

inline void place(Lane& lane, const Group& group, unsigned x, unsigned y, unsigned z) {
  const unsigned position[3] = {x, y, z};
  for (int axis = 0; axis < 3; ++axis) {
    lane.position[axis] = position[axis];
    lane.position_in_grid[axis] = group.position[axis] * group.full_size[axis] + position[axis];
  }
  lane.index = (z * group.size[1] + y) * group.size[0] + x;
  lane.lane = static_cast<unsigned short>(lane.index % 32);
  lane.simdgroup = static_cast<unsigned short>(lane.index / 32);
}

template <class Signature, auto function, class... Bindings>
struct Entry;

template <class... P, void (*function)(P...), class... Bindings>
struct Entry<void (*)(P...), function, Bindings...> {
  static_assert(sizeof...(P) == sizeof...(Bindings));

  static constexpr Parameter parameters[] = {Bindings::template describe<P>()..., {}};
  static constexpr unsigned parameter_count = sizeof...(P);

  // The body of a stack: takes lanes until none is left to start.
  static void run_lanes(Group* group) {
    while (Lane* lane = group->next(group)) function(Bindings::template get<P>(*group, *lane)...);
  }

  // Without collectives threads are independent of each other.
  static void run_all(Group* group) {
    Lane lane{};
    for (unsigned z = 0; z < group->size[2]; ++z) {
      for (unsigned y = 0; y < group->size[1]; ++y) {
        for (unsigned i = 0; i < group->size[0]; ++i) {
          place(lane, *group, group->backwards ? group->size[0] - 1 - i : i, y, z);
          function(Bindings::template get<P>(*group, lane)...);
        }
      }
    }
  }
};

}  // namespace msl
