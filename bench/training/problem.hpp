// What both sides train: the same shapes, first weights and data, from one formula.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace switchyard::bench {

constexpr int kAddsPerRun = 1000;
constexpr double kRate = 0.01;       // of gradient descent
constexpr double kAdamRate = 0.001;  // the default of both sides

constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kPixels = 28;  // of each side of a picture
constexpr std::int64_t kMlpBatch = 128, kMlpWidth = 512;
constexpr std::int64_t kLenetBatch = 64;
// The rows of as many pictures are the sequences of a transformer.
constexpr std::int64_t kEncoderBatch = 64, kEncoderWidth = 128, kEncoderHeads = 4;
constexpr std::int64_t kEncoderInner = 512;

/// Steps go round so many batches of labels for the same pictures. That no network can please all
/// of them keeps gradients from vanishing into denormal numbers, however long a race lasts.
constexpr int kLabelBatches = 8;

/// A number of [0, 1) for each position of each stream: splitmix64.
inline float uniform(std::uint64_t stream, std::uint64_t position) {
  std::uint64_t bits = (stream << 40) + (position + 1) * 0x9e3779b97f4a7c15ull;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  bits ^= bits >> 31;
  return static_cast<float>(bits >> 40) * 0x1p-24f;
}

inline std::vector<float> pictures(std::int64_t batch) {
  std::vector<float> values(static_cast<std::size_t>(batch * kPixels * kPixels));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = uniform(1, i);
  return values;
}

inline std::vector<std::int64_t> labels(std::int64_t batch, int number) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(batch));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float random = uniform(2 + static_cast<std::uint64_t>(number), i);
    values[i] = static_cast<std::int64_t>(random * static_cast<float>(kClasses));
  }
  return values;
}

/// Parameter `number` of a network, of a layer whose outputs see `fan_in` numbers each.
inline std::vector<float> first_values(int number, std::int64_t size, std::int64_t fan_in) {
  const float bound = 1 / std::sqrt(static_cast<float>(fan_in));
  std::vector<float> values(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (2 * uniform(100 + static_cast<std::uint64_t>(number), i) - 1) * bound;
  }
  return values;
}

}  // namespace switchyard::bench
