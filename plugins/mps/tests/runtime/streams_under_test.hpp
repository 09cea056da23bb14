// Streams straight on a software device, and work whose effect is easy to see.
#pragma once

#include <gtest/gtest.h>
#include <switchyard/plugin.h>

#include <cstring>
#include <memory>
#include <vector>

#include "failure_of.hpp"
#include "software/test_device.hpp"
#include "software_device.hpp"

namespace mps::runtime_tests {

class StreamTest : public testing::Test {
 protected:
  static constexpr size_t words = 64;

  std::unique_ptr<Stream> make_stream(CommitPolicy policy = {}) {
    return std::make_unique<Stream>(*device_, memory_, memory_, policy);
  }

  // One operation that writes `value` to each byte of a word.
  uint64_t write(Stream& stream, uint8_t value, size_t word = 0, uint64_t bytes = 4) {
    return stream.record(bytes, [&] { stream.commands().fill(target_, word * 4, 4, value); });
  }
  // One operation that copies a word to another.
  uint64_t move(Stream& stream, size_t from, size_t to) {
    return stream.record(4, [&] { stream.commands().copy(target_, from * 4, target_, to * 4, 4); });
  }
  uint8_t read(size_t word = 0) const {
    return std::to_integer<uint8_t>(target_->host()[word * 4]);
  }

  // One operation that fails on the device, halfway through its command buffer.
  uint64_t fault(Stream& stream) {
    if (!diverging_) {
      diverging_ = software::test::pipeline_of(*device_, R"(
kernel void diverging(device uint* x [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  if (i < 16) threadgroup_barrier(mem_flags::mem_none);
  x[i] = 1;
}
)",
                                               "diverging");
    }
    const seam::Argument argument{0, scratch_, 0, {}};
    seam::Dispatch dispatch;
    dispatch.pipeline = diverging_.get();
    dispatch.arguments = {&argument, 1};
    dispatch.threads = dispatch.group = {32, 1, 1};
    return stream.record(4, [&] { stream.commands().dispatch(dispatch); });
  }

  const seam::Ref<seam::Device> device_ = software::backend(software::test::settings()).open(0);
  Allocator memory_{*device_, seam::StorageMode::shared, {}, [] {}};
  const seam::Ref<seam::Buffer> target_ = device_->buffer(words * 4, seam::StorageMode::shared);
  const seam::Ref<seam::Buffer> scratch_ = device_->buffer(256, seam::StorageMode::shared);
  seam::Ref<seam::Pipeline> diverging_;
};

}  // namespace mps::runtime_tests
