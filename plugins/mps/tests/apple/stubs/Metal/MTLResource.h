// Buffers and heaps. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/resource_fundamentals and
// https://developer.apple.com/documentation/metal/mtlheap: names, types and versions.
#pragma once

#include <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

@protocol MTLDevice;

typedef struct {
  NSUInteger width, height, depth;
} MTLSize;
static inline MTLSize MTLSizeMake(NSUInteger width, NSUInteger height, NSUInteger depth) {
  MTLSize size = {width, height, depth};
  return size;
}

typedef struct {
  NSUInteger size;
  NSUInteger align;
} MTLSizeAndAlign;

typedef NS_ENUM(NSUInteger, MTLStorageMode) {
  MTLStorageModeShared API_AVAILABLE(macos(10.11)) = 0,
  MTLStorageModePrivate API_AVAILABLE(macos(10.11)) = 2,
};

typedef NS_ENUM(NSUInteger, MTLHazardTrackingMode) {
  MTLHazardTrackingModeTracked API_AVAILABLE(macos(10.15)) = 2,
};

typedef NSUInteger MTLResourceOptions;
enum : NSUInteger {
  MTLResourceStorageModeShared API_AVAILABLE(macos(10.11)) = MTLStorageModeShared << 4,
  MTLResourceStorageModePrivate API_AVAILABLE(macos(10.11)) = MTLStorageModePrivate << 4,
  MTLResourceHazardTrackingModeTracked API_AVAILABLE(macos(10.15)) = MTLHazardTrackingModeTracked
                                                                     << 8,
};

@protocol MTLResource <NSObject>
@property(readonly) MTLStorageMode storageMode API_AVAILABLE(macos(10.11));
@end

@protocol MTLBuffer <MTLResource>
@property(readonly) NSUInteger length API_AVAILABLE(macos(10.11));
- (void*)contents API_AVAILABLE(macos(10.11));
@end

typedef NS_ENUM(NSInteger, MTLHeapType) {
  MTLHeapTypePlacement API_AVAILABLE(macos(10.15)) = 1,
};

@interface MTLHeapDescriptor : NSObject
@property(readwrite, nonatomic) NSUInteger size API_AVAILABLE(macos(10.13));
@property(readwrite, nonatomic) MTLStorageMode storageMode API_AVAILABLE(macos(10.13));
@property(readwrite, nonatomic) MTLHazardTrackingMode hazardTrackingMode API_AVAILABLE(macos(10.15))
    ;
@property(readwrite, nonatomic) MTLHeapType type API_AVAILABLE(macos(10.15));
@end

@protocol MTLHeap <NSObject>
@property(readonly) id<MTLDevice> device API_AVAILABLE(macos(10.13));
@property(readonly) NSUInteger size API_AVAILABLE(macos(10.13));
- (nullable id<MTLBuffer>)newBufferWithLength:(NSUInteger)length
                                      options:(MTLResourceOptions)options
                                       offset:(NSUInteger)offset API_AVAILABLE(macos(10.15));
@end

#pragma clang assume_nonnull end
