#include "apple/sections.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace mps::apple {
namespace {

constexpr NSUInteger samples_in_buffer = 256;

id<MTLCounterSet> clock_of(id<MTLDevice> device) {
  if (![device supportsCounterSampling:MTLCounterSamplingPointAtStageBoundary]) return nil;
  for (id<MTLCounterSet> set in device.counterSets) {
    if ([set.name isEqualToString:MTLCommonCounterSetTimestamp]) return set;
  }
  return nil;
}

id<MTLCounterSampleBuffer> sample_buffer(id<MTLDevice> device, id<MTLCounterSet> clock) {
  MTLCounterSampleBufferDescriptor* descriptor = [MTLCounterSampleBufferDescriptor new];
  descriptor.counterSet = clock;
  descriptor.storageMode = MTLStorageModeShared;
  descriptor.sampleCount = samples_in_buffer;
  return [device newCounterSampleBufferWithDescriptor:descriptor error:nil];
}

// The two readings of a pass, or false where the device has lost one.
bool read_pass(id<MTLCounterSampleBuffer> samples, NSUInteger first, uint64_t (&ticks)[2]) {
  NSData* data = [samples resolveCounterRange:NSMakeRange(first, 2)];
  if (data.length != sizeof(ticks)) return false;
  std::memcpy(ticks, data.bytes, sizeof(ticks));
  return ticks[0] != MTLCounterErrorValue && ticks[1] != MTLCounterErrorValue;
}

}  // namespace

std::unique_ptr<Sections> Sections::make(id<MTLDevice> device) {
  id<MTLCounterSet> clock = clock_of(device);
  if (!clock) return nullptr;
  id<MTLBuffer> scratch = [device newBufferWithLength:4 options:MTLResourceStorageModePrivate];
  if (!scratch) return nullptr;
  return std::unique_ptr<Sections>(new Sections(device, clock, scratch));
}

Sections::Sections(id<MTLDevice> device, id<MTLCounterSet> clock, id<MTLBuffer> scratch)
    : device_(device), clock_(clock), scratch_(scratch), start_(now()) {}

Sections::Moment Sections::now() const {
  Moment moment{};
  [device_ sampleTimestamps:&moment.host gpuTimestamp:&moment.device];
  return moment;
}

void Sections::begin() { ++count_; }

const Sections::Pass* Sections::add_pass() {
  if (count_ == 0 || lost_) return nullptr;
  id<MTLCounterSampleBuffer> samples = passes_.empty() ? nil : passes_.back().samples;
  NSUInteger first = passes_.empty() ? 0 : passes_.back().first + 2;
  if (!samples || first + 2 > samples_in_buffer) {
    samples = sample_buffer(device_, clock_);
    first = 0;
  }
  lost_ = !samples;
  if (lost_) return nullptr;
  passes_.push_back({count_ - 1, samples, first});
  return &passes_.back();
}

MTLComputePassDescriptor* Sections::compute_pass() {
  const Pass* pass = add_pass();
  if (!pass) return nil;
  MTLComputePassDescriptor* descriptor = [MTLComputePassDescriptor computePassDescriptor];
  descriptor.sampleBufferAttachments[0].sampleBuffer = pass->samples;
  descriptor.sampleBufferAttachments[0].startOfEncoderSampleIndex = pass->first;
  descriptor.sampleBufferAttachments[0].endOfEncoderSampleIndex = pass->first + 1;
  return descriptor;
}

MTLBlitPassDescriptor* Sections::blit_pass() {
  const Pass* pass = add_pass();
  if (!pass) return nil;
  MTLBlitPassDescriptor* descriptor = [MTLBlitPassDescriptor blitPassDescriptor];
  descriptor.sampleBufferAttachments[0].sampleBuffer = pass->samples;
  descriptor.sampleBufferAttachments[0].startOfEncoderSampleIndex = pass->first;
  descriptor.sampleBufferAttachments[0].endOfEncoderSampleIndex = pass->first + 1;
  return descriptor;
}

// A device counts ticks of its own: two moments at which both clocks were read give their length.
std::vector<seam::Interval> Sections::read() const {
  if (lost_) return {};
  const Moment end = now();
  const double ticks = static_cast<double>(end.device) - static_cast<double>(start_.device);
  const double nanoseconds = static_cast<double>(end.host) - static_cast<double>(start_.host);
  const double seconds_a_tick = ticks > 0 ? nanoseconds / ticks * 1e-9 : 1e-9;
  const auto seconds = [&](uint64_t tick) {
    return static_cast<double>(start_.host) * 1e-9 +
           (static_cast<double>(tick) - static_cast<double>(start_.device)) * seconds_a_tick;
  };
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<seam::Interval> intervals(count_, {never, -never});
  for (const Pass& pass : passes_) {
    uint64_t at[2] = {};
    if (!read_pass(pass.samples, pass.first, at)) return {};
    seam::Interval& interval = intervals[pass.section];
    interval.begin = std::min(interval.begin, seconds(at[0]));
    interval.end = std::max(interval.end, seconds(at[1]));
  }
  for (seam::Interval& interval : intervals) {
    if (interval.begin > interval.end) interval = {};  // nothing ran in it
  }
  return intervals;
}

}  // namespace mps::apple
