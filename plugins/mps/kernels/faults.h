// What kernels report of their input, as runtime/fault_record.cpp reads it.
#pragma once

struct Faults {
  uint kind;
  uint bound;
  long value;
};

// `index` from the end where negative; beyond the axis it is reported, and element 0 stands for it.
inline uint position_on_axis(long index, uint extent, device Faults* faults) {
  const long position = index < 0 ? index + long(extent) : index;
  if (position >= 0 && position < long(extent)) return uint(position);
  faults->value = index;
  faults->bound = extent;
  faults->kind = 1;
  return 0;
}

// How many steps a sequence has: beyond `steps` it is reported, and has all of them.
inline uint length_within(int length, uint steps, device Faults* faults) {
  if (length >= 0 && uint(length) <= steps) return uint(length);
  faults->value = length;
  faults->bound = steps;
  faults->kind = 2;
  return steps;
}
