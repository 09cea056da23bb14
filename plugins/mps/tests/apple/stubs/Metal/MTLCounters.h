// Times of passes. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/gpu_counters_and_counter_sample_buffers: names,
// types and versions.
#pragma once

#include <Metal/MTLResource.h>

#pragma clang assume_nonnull begin

typedef uint64_t MTLTimestamp;
typedef NSString* MTLCommonCounterSet;
extern MTLCommonCounterSet const MTLCommonCounterSetTimestamp API_AVAILABLE(macos(10.15));
#define MTLCounterErrorValue ((uint64_t)~0ULL)

typedef NS_ENUM(NSUInteger, MTLCounterSamplingPoint) {
  MTLCounterSamplingPointAtStageBoundary API_AVAILABLE(macos(11.0)) = 0,
};

@protocol MTLCounterSet <NSObject>
@property(readonly, copy) NSString* name API_AVAILABLE(macos(10.15));
@end

@interface MTLCounterSampleBufferDescriptor : NSObject
@property(readwrite, retain, nullable) id<MTLCounterSet> counterSet API_AVAILABLE(macos(10.15));
@property(readwrite, nonatomic) MTLStorageMode storageMode API_AVAILABLE(macos(10.15));
@property(readwrite, nonatomic) NSUInteger sampleCount API_AVAILABLE(macos(10.15));
@end

@protocol MTLCounterSampleBuffer <NSObject>
- (nullable NSData*)resolveCounterRange:(NSRange)range API_AVAILABLE(macos(10.15));
@end

@interface MTLComputePassSampleBufferAttachmentDescriptor : NSObject
@property(nullable, nonatomic, retain) id<MTLCounterSampleBuffer> sampleBuffer API_AVAILABLE(
    macos(11.0));
@property(nonatomic) NSUInteger startOfEncoderSampleIndex API_AVAILABLE(macos(11.0));
@property(nonatomic) NSUInteger endOfEncoderSampleIndex API_AVAILABLE(macos(11.0));
@end

@interface MTLComputePassSampleBufferAttachmentDescriptorArray : NSObject
- (MTLComputePassSampleBufferAttachmentDescriptor*)objectAtIndexedSubscript:(NSUInteger)index
    API_AVAILABLE(macos(11.0));
@end

@interface MTLComputePassDescriptor : NSObject
@property(readonly)
    MTLComputePassSampleBufferAttachmentDescriptorArray* sampleBufferAttachments API_AVAILABLE(
        macos(11.0));
+ (MTLComputePassDescriptor*)computePassDescriptor API_AVAILABLE(macos(11.0));
@end

@interface MTLBlitPassSampleBufferAttachmentDescriptor : NSObject
@property(nullable, nonatomic, retain) id<MTLCounterSampleBuffer> sampleBuffer API_AVAILABLE(
    macos(11.0));
@property(nonatomic) NSUInteger startOfEncoderSampleIndex API_AVAILABLE(macos(11.0));
@property(nonatomic) NSUInteger endOfEncoderSampleIndex API_AVAILABLE(macos(11.0));
@end

@interface MTLBlitPassSampleBufferAttachmentDescriptorArray : NSObject
- (MTLBlitPassSampleBufferAttachmentDescriptor*)objectAtIndexedSubscript:(NSUInteger)index
    API_AVAILABLE(macos(11.0));
@end

@interface MTLBlitPassDescriptor : NSObject
@property(readonly)
    MTLBlitPassSampleBufferAttachmentDescriptorArray* sampleBufferAttachments API_AVAILABLE(
        macos(11.0));
+ (MTLBlitPassDescriptor*)blitPassDescriptor API_AVAILABLE(macos(11.0));
@end

#pragma clang assume_nonnull end
