// Times of parts of a command buffer: Metal samples its clock where a pass begins and ends.
#pragma once

#include <memory>
#include <vector>

#include "apple/frameworks.hpp"
#include "seam/seam.hpp"

namespace mps::apple {

class Sections {
 public:
  // Null where the device cannot sample its clock at the ends of passes.
  static std::unique_ptr<Sections> make(id<MTLDevice> device);

  void begin();
  // Descriptors of passes that count to the current section. Nil before the first one, and where
  // Metal has no room for more samples: then no section is timed.
  MTLComputePassDescriptor* compute_pass();
  MTLBlitPassDescriptor* blit_pass();
  // Four bytes that a timed pass may write.
  id<MTLBuffer> scratch() const { return scratch_; }
  // Once the passes are done.
  std::vector<seam::Interval> read() const;

 private:
  struct Pass {
    size_t section;
    id<MTLCounterSampleBuffer> samples;
    NSUInteger first;  // the second follows
  };
  struct Moment {
    MTLTimestamp host;
    MTLTimestamp device;
  };

  Sections(id<MTLDevice> device, id<MTLCounterSet> clock, id<MTLBuffer> scratch);
  Moment now() const;
  const Pass* add_pass();

  id<MTLDevice> device_;
  id<MTLCounterSet> clock_;
  id<MTLBuffer> scratch_;
  Moment start_;
  std::vector<Pass> passes_;
  size_t count_ = 0;
  bool lost_ = false;
};

}  // namespace mps::apple
