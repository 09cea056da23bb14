// What a line is standardized by in the backward pass.
#pragma once

// A line's numbers are distances from its mean, which is rounded, less what it lacks, times a
// factor.
struct LineStatistics {
  float centre, rest, factor;
};

inline float standardized(float x, LineStatistics line) {
  return (x - line.centre - line.rest) * line.factor;
}
