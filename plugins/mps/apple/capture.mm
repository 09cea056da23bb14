#include "apple/capture.hpp"

#include "apple/text.hpp"

namespace mps::apple {
namespace {

void require_path(const std::string& path) {
  constexpr std::string_view suffix = ".gputrace";
  if (path.size() <= suffix.size() || !path.ends_with(suffix)) {
    refuse("capture to '" + path + "': the name ends in .gputrace");
  }
  if ([NSFileManager.defaultManager fileExistsAtPath:ns_string(path)]) {
    refuse("capture to '" + path + "': the file is there already");
  }
}

}  // namespace

std::shared_ptr<void> capture(id<MTLDevice> device, const std::string& path) {
  require_path(path);
  MTLCaptureManager* manager = [MTLCaptureManager sharedCaptureManager];
  if (![manager supportsDestination:MTLCaptureDestinationGPUTraceDocument]) {
    refuse(seam::Fault::unsupported,
           "this process may not capture; start it with MTL_CAPTURE_ENABLED=1 in its environment");
  }
  if (manager.isCapturing) refuse("a capture is running; there is one at a time");
  MTLCaptureDescriptor* descriptor = [MTLCaptureDescriptor new];
  descriptor.captureObject = device;
  descriptor.destination = MTLCaptureDestinationGPUTraceDocument;
  descriptor.outputURL = [NSURL fileURLWithPath:ns_string(path)];
  NSError* error = nil;
  if (![manager startCaptureWithDescriptor:descriptor error:&error]) {
    refuse("capture to '" + path + "': " + describe(error));
  }
  const auto stop = [](void*) {
    @autoreleasepool {
      [[MTLCaptureManager sharedCaptureManager] stopCapture];
    }
  };
  return std::shared_ptr<void>((__bridge void*)manager, stop);
}

}  // namespace mps::apple
