// <metal_atomic>: relaxed order alone, as in Metal. Groups may run on two threads at once, so these
// are real atomics.
#pragma once
#include "software/shim/scalars.h"

namespace metal {

enum memory_order { memory_order_relaxed };

template <class T>
struct atomic {
  T value;
};
typedef atomic<int> atomic_int;
typedef atomic<uint> atomic_uint;
typedef atomic<float> atomic_float;
typedef atomic<bool> atomic_bool;
typedef atomic<ulong> atomic_ulong;

template <class T>
inline T atomic_load_explicit(const volatile atomic<T>* object, memory_order) {
  T result;
  __atomic_load(const_cast<T*>(&object->value), &result, __ATOMIC_RELAXED);
  return result;
}

template <class T>
inline void atomic_store_explicit(volatile atomic<T>* object, as<T> value, memory_order) {
  __atomic_store(const_cast<T*>(&object->value), &value, __ATOMIC_RELAXED);
}

template <class T>
inline T atomic_exchange_explicit(volatile atomic<T>* object, as<T> value, memory_order) {
  T result;
  __atomic_exchange(const_cast<T*>(&object->value), &value, &result, __ATOMIC_RELAXED);
  return result;
}

template <class T>
inline bool atomic_compare_exchange_weak_explicit(volatile atomic<T>* object, T* expected,
                                                  as<T> desired, memory_order, memory_order) {
  return __atomic_compare_exchange(const_cast<T*>(&object->value), expected, &desired, true,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Replaces the value by change(value); returns the old one.
template <class T, class F>
inline T atomic_change(volatile atomic<T>* object, F change) {
  T old = atomic_load_explicit(object, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(object, &old, change(old), memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
  return old;
}

#define MSL_ATOMIC_CHANGE(name, expression)                                          \
  template <class T>                                                                 \
  inline T atomic_fetch_##name##_explicit(volatile atomic<T>* object, as<T> operand, \
                                          memory_order) {                            \
    return atomic_change(object, [operand](T old) { return T(expression); });        \
  }
MSL_ATOMIC_CHANGE(add, old + operand)
MSL_ATOMIC_CHANGE(sub, old - operand)
MSL_ATOMIC_CHANGE(and, old& operand)
MSL_ATOMIC_CHANGE(or, old | operand)
MSL_ATOMIC_CHANGE(xor, old ^ operand)
MSL_ATOMIC_CHANGE(min, operand < old ? operand : old)
MSL_ATOMIC_CHANGE(max, old < operand ? operand : old)
#undef MSL_ATOMIC_CHANGE

}  // namespace metal
