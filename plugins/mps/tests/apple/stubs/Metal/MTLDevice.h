// Devices and captures. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/mtldevice and
// https://developer.apple.com/documentation/metal/mtlcapturemanager: names, types and versions.
#pragma once

#include <Metal/MTLCommandBuffer.h>

#pragma clang assume_nonnull begin

typedef NS_ENUM(NSInteger, MTLGPUFamily) {
  MTLGPUFamilyApple7 API_AVAILABLE(macos(10.15)) = 1007,
  MTLGPUFamilyMac2 API_AVAILABLE(macos(10.15)) = 2002,
  MTLGPUFamilyMetal3 API_AVAILABLE(macos(13.0)) = 5001,
};

@protocol MTLDevice <NSObject>
@property(readonly) NSString* name API_AVAILABLE(macos(10.11));
@property(readonly, getter=isLowPower) BOOL lowPower API_AVAILABLE(macos(10.11));
@property(readonly, getter=isRemovable) BOOL removable API_AVAILABLE(macos(10.13));
@property(readonly) BOOL hasUnifiedMemory API_AVAILABLE(macos(10.15));
@property(readonly) uint64_t recommendedMaxWorkingSetSize API_AVAILABLE(macos(10.12));
@property(readonly) NSUInteger currentAllocatedSize API_AVAILABLE(macos(10.13));
@property(readonly) NSUInteger maxBufferLength API_AVAILABLE(macos(10.14));
@property(readonly) NSUInteger maxThreadgroupMemoryLength API_AVAILABLE(macos(10.13));
@property(readonly) MTLSize maxThreadsPerThreadgroup API_AVAILABLE(macos(10.11));
@property(nullable, readonly) NSArray<id<MTLCounterSet>>* counterSets API_AVAILABLE(macos(10.15));
- (BOOL)supportsFamily:(MTLGPUFamily)family API_AVAILABLE(macos(10.15));
- (BOOL)supportsCounterSampling:(MTLCounterSamplingPoint)point API_AVAILABLE(macos(11.0));
- (nullable id<MTLCounterSampleBuffer>)
    newCounterSampleBufferWithDescriptor:(MTLCounterSampleBufferDescriptor*)descriptor
                                   error:(NSError* _Nullable* _Nullable)error
    API_AVAILABLE(macos(10.15));
- (void)sampleTimestamps:(MTLTimestamp*)cpuTimestamp
            gpuTimestamp:(MTLTimestamp*)gpuTimestamp API_AVAILABLE(macos(10.15));
- (nullable id<MTLBuffer>)newBufferWithLength:(NSUInteger)length
                                      options:(MTLResourceOptions)options
    API_AVAILABLE(macos(10.11));
- (MTLSizeAndAlign)heapBufferSizeAndAlignWithLength:(NSUInteger)length
                                            options:(MTLResourceOptions)options
    API_AVAILABLE(macos(10.13));
- (nullable id<MTLHeap>)newHeapWithDescriptor:(MTLHeapDescriptor*)descriptor
    API_AVAILABLE(macos(10.13));
- (nullable id<MTLLibrary>)newLibraryWithSource:(NSString*)source
                                        options:(nullable MTLCompileOptions*)options
                                          error:(NSError* _Nullable* _Nullable)error
    API_AVAILABLE(macos(10.11));
- (nullable id<MTLLibrary>)newLibraryWithURL:(NSURL*)url
                                       error:(NSError* _Nullable* _Nullable)error
    API_AVAILABLE(macos(10.13));
- (nullable id<MTLComputePipelineState>)
    newComputePipelineStateWithFunction:(id<MTLFunction>)function
                                  error:(NSError* _Nullable* _Nullable)error
    API_AVAILABLE(macos(10.11));
- (nullable id<MTLCommandQueue>)newCommandQueueWithMaxCommandBufferCount:(NSUInteger)count
    API_AVAILABLE(macos(10.11));
- (nullable id<MTLSharedEvent>)newSharedEvent API_AVAILABLE(macos(10.14));
@end

extern "C" NSArray<id<MTLDevice>>* MTLCopyAllDevices(void) __attribute__((ns_returns_retained))
API_AVAILABLE(macos(10.11));

typedef NS_ENUM(NSInteger, MTLCaptureDestination) {
  MTLCaptureDestinationGPUTraceDocument API_AVAILABLE(macos(10.15)) = 2,
};

@interface MTLCaptureDescriptor : NSObject
@property(nonatomic, strong, nullable) id captureObject API_AVAILABLE(macos(10.15));
@property(nonatomic) MTLCaptureDestination destination API_AVAILABLE(macos(10.15));
@property(nonatomic, copy, nullable) NSURL* outputURL API_AVAILABLE(macos(10.15));
@end

@interface MTLCaptureManager : NSObject
@property(readonly) BOOL isCapturing API_AVAILABLE(macos(10.13));
+ (MTLCaptureManager*)sharedCaptureManager API_AVAILABLE(macos(10.13));
- (BOOL)supportsDestination:(MTLCaptureDestination)destination API_AVAILABLE(macos(10.15));
- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor*)descriptor
                             error:(NSError* _Nullable* _Nullable)error API_AVAILABLE(macos(10.15));
- (void)stopCapture API_AVAILABLE(macos(10.13));
@end

#pragma clang assume_nonnull end
