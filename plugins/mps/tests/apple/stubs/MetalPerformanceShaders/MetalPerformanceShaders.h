// What apple/ uses of Metal Performance Shaders, for type checks without Apple's SDK. Written for
// this project from the facts of https://developer.apple.com/documentation/metalperformanceshaders:
// names, types and versions.
#pragma once

#include <Metal/Metal.h>

#pragma clang assume_nonnull begin

typedef NSArray<NSNumber*> MPSShape;

typedef NS_ENUM(uint32_t, MPSDataType) {
  MPSDataTypeFloat16 API_AVAILABLE(macos(10.13)) = 0x10000000 | 16,
  MPSDataTypeFloat32 API_AVAILABLE(macos(10.13)) = 0x10000000 | 32,
  MPSDataTypeInt8 API_AVAILABLE(macos(10.13)) = 0x20000000 | 8,
  MPSDataTypeInt16 API_AVAILABLE(macos(10.13)) = 0x20000000 | 16,
  MPSDataTypeInt32 API_AVAILABLE(macos(10.13)) = 0x20000000 | 32,
  MPSDataTypeInt64 API_AVAILABLE(macos(11.0)) = 0x20000000 | 64,
  MPSDataTypeUInt8 API_AVAILABLE(macos(10.13)) = 8,
  MPSDataTypeAlternateEncodingBit API_AVAILABLE(macos(12.0)) = 0x80000000,
  MPSDataTypeBool API_AVAILABLE(macos(12.0)) = 0x80000000 | 8,
  MPSDataTypeBFloat16 API_AVAILABLE(macos(14.0)) = 0x80000000 | 0x10000000 | 16,
};

@interface MPSCommandBuffer : NSObject <MTLCommandBuffer>
@property(readonly, nonnull, nonatomic) id<MTLCommandBuffer> rootCommandBuffer API_AVAILABLE(
    macos(11.0));
+ (instancetype)commandBufferFromCommandQueue:(id<MTLCommandQueue>)queue
    API_AVAILABLE(macos(10.15));
@end

#pragma clang assume_nonnull end
