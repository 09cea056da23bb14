// The arguments of one dispatch, numbered as they are added.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "ops/building/elementwise.hpp"
#include "runtime/stream.hpp"

namespace mps {

class Arguments {
 public:
  Arguments& add(const Bound& bound) { return append(bound.argument); }
  Arguments& add(const Block& block) { return append({0, block.buffer, 0, {}}); }
  // Where the kernel reports what is wrong with its input; known when it is run.
  Arguments& add_faults() {
    faults_ = count_;
    return append({});
  }
  Arguments& add_bytes(std::span<const std::byte> bytes) { return append({0, nullptr, 0, bytes}); }
  // `value` is copied when it is run.
  template <typename T>
  Arguments& add_value(const T& value) {
    return add_bytes(std::as_bytes(std::span(&value, 1)));
  }
  template <typename T>
  Arguments& add_value(const T&& value) = delete;

  // Runs so many threads; none is not a dispatch.
  void run(Stream& stream, const seam::Pipeline& pipeline, uint32_t threads);
  // Runs groups of `size` threads each. Throws sy::unsupported beyond 2^32 - 1 threads.
  void run_groups(Stream& stream, const seam::Pipeline& pipeline, uint32_t groups, uint32_t size);

 private:
  Arguments& append(seam::Argument argument);
  void dispatch(Stream& stream, const seam::Pipeline& pipeline, uint32_t threads, uint32_t group);

  std::array<seam::Argument, 16> arguments_;
  uint32_t count_ = 0;
  std::optional<uint32_t> faults_;
};

}  // namespace mps
