// Queues, command buffers and encoders. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/mtlcommandbuffer and the pages beside it: names,
// types and versions.
#pragma once

#include <Metal/MTLCounters.h>
#include <Metal/MTLEvent.h>
#include <Metal/MTLLibrary.h>

#pragma clang assume_nonnull begin

@protocol MTLCommandBuffer;
typedef void (^MTLCommandBufferHandler)(id<MTLCommandBuffer> buffer);

typedef NS_ENUM(NSUInteger, MTLCommandBufferStatus) {
  MTLCommandBufferStatusCompleted API_AVAILABLE(macos(10.11)) = 4,
  MTLCommandBufferStatusError API_AVAILABLE(macos(10.11)) = 5,
};

@protocol MTLCommandEncoder <NSObject>
- (void)endEncoding API_AVAILABLE(macos(10.11));
@end

@protocol MTLComputeCommandEncoder <MTLCommandEncoder>
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state API_AVAILABLE(macos(10.11));
- (void)setBuffer:(nullable id<MTLBuffer>)buffer
           offset:(NSUInteger)offset
          atIndex:(NSUInteger)index API_AVAILABLE(macos(10.11));
- (void)setBytes:(const void*)bytes
          length:(NSUInteger)length
         atIndex:(NSUInteger)index API_AVAILABLE(macos(10.11));
- (void)setThreadgroupMemoryLength:(NSUInteger)length
                           atIndex:(NSUInteger)index API_AVAILABLE(macos(10.11));
- (void)dispatchThreads:(MTLSize)threads
    threadsPerThreadgroup:(MTLSize)threadsPerThreadgroup API_AVAILABLE(macos(10.13));
@end

@protocol MTLBlitCommandEncoder <MTLCommandEncoder>
- (void)copyFromBuffer:(id<MTLBuffer>)source
          sourceOffset:(NSUInteger)sourceOffset
              toBuffer:(id<MTLBuffer>)destination
     destinationOffset:(NSUInteger)destinationOffset
                  size:(NSUInteger)size API_AVAILABLE(macos(10.11));
- (void)fillBuffer:(id<MTLBuffer>)buffer
             range:(NSRange)range
             value:(uint8_t)value API_AVAILABLE(macos(10.11));
@end

@protocol MTLCommandBuffer <NSObject>
@property(readonly) id<MTLDevice> device API_AVAILABLE(macos(10.11));
@property(readonly) MTLCommandBufferStatus status API_AVAILABLE(macos(10.11));
@property(nullable, readonly) NSError* error API_AVAILABLE(macos(10.11));
@property(readonly) double GPUStartTime API_AVAILABLE(macos(10.15));
@property(readonly) double GPUEndTime API_AVAILABLE(macos(10.15));
- (void)addCompletedHandler:(MTLCommandBufferHandler)block API_AVAILABLE(macos(10.11));
- (void)commit API_AVAILABLE(macos(10.11));
- (nullable id<MTLComputeCommandEncoder>)computeCommandEncoder API_AVAILABLE(macos(10.11));
- (nullable id<MTLComputeCommandEncoder>)computeCommandEncoderWithDescriptor:
    (MTLComputePassDescriptor*)descriptor API_AVAILABLE(macos(11.0));
- (nullable id<MTLBlitCommandEncoder>)blitCommandEncoder API_AVAILABLE(macos(10.11));
- (nullable id<MTLBlitCommandEncoder>)blitCommandEncoderWithDescriptor:
    (MTLBlitPassDescriptor*)descriptor API_AVAILABLE(macos(11.0));
- (void)encodeWaitForEvent:(id<MTLEvent>)event value:(uint64_t)value API_AVAILABLE(macos(10.14));
- (void)encodeSignalEvent:(id<MTLEvent>)event value:(uint64_t)value API_AVAILABLE(macos(10.14));
@end

@protocol MTLCommandQueue <NSObject>
@property(nullable, copy, atomic) NSString* label API_AVAILABLE(macos(10.11));
- (nullable id<MTLCommandBuffer>)commandBuffer API_AVAILABLE(macos(10.11));
@end

#pragma clang assume_nonnull end
