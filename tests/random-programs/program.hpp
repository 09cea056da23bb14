// A random program: the seed tells every step of it, whatever environment it runs in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "environment.hpp"

namespace switchyard::random_programs {

struct Shape {
  int threads = 1;
  int steps = 60;  // of each thread
};

/// What one thread of a program has read, in order, and the error that ended it early.
struct Outcome {
  std::vector<Floats> read;
  std::optional<Error> error;
};

/// Each thread takes steps of its own: makes tensors, computes on any device and stream, views,
/// writes in place, copies to and fro, lets go early, marks and waits, runs a model, asks for
/// gradients. All threads read a few tensors that they share.
std::vector<Outcome> run_program(const Environment& environment, std::uint64_t seed,
                                 const Shape& shape);

}  // namespace switchyard::random_programs
