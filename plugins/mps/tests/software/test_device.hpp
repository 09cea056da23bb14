// A software device and short ways to run kernels on it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "seam/seam.hpp"
#include "software/backend.hpp"

namespace mps::software::test {

// With a cache folder of this build's, so that kernels are compiled once.
Settings settings();
seam::Ref<seam::Device> open(const Settings& settings = test::settings());

template <typename T>
seam::Ref<seam::Buffer> buffer_of(seam::Device& device, const std::vector<T>& values) {
  auto buffer = device.buffer(values.size() * sizeof(T), seam::StorageMode::shared);
  std::copy(values.begin(), values.end(), reinterpret_cast<T*>(buffer->host()));
  return buffer;
}

template <typename T>
std::vector<T> values_of(const seam::Buffer& buffer) {
  const T* const first = reinterpret_cast<const T*>(buffer.host());
  return {first, first + buffer.size() / sizeof(T)};
}

// The bytes of a value, for Argument::bytes.
template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

// `text` with the headers of Metal before it; its first line is line 1.
seam::Ref<seam::Pipeline> pipeline_of(seam::Device& device, std::string_view text,
                                      std::string_view function,
                                      const seam::Constants& constants = {});

struct Outcome {
  seam::State state = seam::State::recording;
  std::string message;
};

// One dispatch, waited for.
Outcome run(seam::Device& device, const seam::Dispatch& dispatch);

// What `action` throws, or "nothing".
template <typename Action>
std::string failure_of(Action action, seam::Fault fault = seam::Fault::invalid) {
  try {
    action();
  } catch (const seam::Failure& failure) {
    return failure.fault() == fault ? failure.what()
                                    : std::string("another fault: ") + failure.what();
  }
  return "nothing";
}

}  // namespace mps::software::test
