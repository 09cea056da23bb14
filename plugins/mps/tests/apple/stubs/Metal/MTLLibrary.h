// Kernels. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/mtllibrary: names, types and versions.
#pragma once

#include <Metal/MTLResource.h>

#pragma clang assume_nonnull begin

typedef NS_ENUM(NSUInteger, MTLLanguageVersion) {
  MTLLanguageVersion2_4 API_AVAILABLE(macos(12.0)) = (2 << 16) + 4,
  MTLLanguageVersion3_0 API_AVAILABLE(macos(13.0)) = (3 << 16) + 0,
  MTLLanguageVersion3_1 API_AVAILABLE(macos(14.0)) = (3 << 16) + 1,
};

typedef NS_ENUM(NSUInteger, MTLDataType) {
  MTLDataTypeFloat API_AVAILABLE(macos(10.11)) = 3,
  MTLDataTypeInt API_AVAILABLE(macos(10.11)) = 29,
  MTLDataTypeUInt API_AVAILABLE(macos(10.11)) = 33,
  MTLDataTypeBool API_AVAILABLE(macos(10.11)) = 53,
};

@interface MTLCompileOptions : NSObject
@property(readwrite, nonatomic) BOOL fastMathEnabled API_AVAILABLE(macos(10.11));
@property(readwrite, nonatomic) MTLLanguageVersion languageVersion API_AVAILABLE(macos(10.11));
@end

@interface MTLFunctionConstantValues : NSObject
- (void)setConstantValue:(const void*)value
                    type:(MTLDataType)type
                 atIndex:(NSUInteger)index API_AVAILABLE(macos(10.12));
@end

@protocol MTLFunction <NSObject>
@end

@protocol MTLComputePipelineState <NSObject>
@property(readonly) NSUInteger maxTotalThreadsPerThreadgroup API_AVAILABLE(macos(10.11));
@property(readonly) NSUInteger threadExecutionWidth API_AVAILABLE(macos(10.11));
@property(readonly) NSUInteger staticThreadgroupMemoryLength API_AVAILABLE(macos(10.13));
@end

@protocol MTLLibrary <NSObject>
@property(nullable, copy, atomic) NSString* label API_AVAILABLE(macos(10.11));
@property(readonly) id<MTLDevice> device API_AVAILABLE(macos(10.11));
@property(readonly) NSArray<NSString*>* functionNames API_AVAILABLE(macos(10.11));
- (nullable id<MTLFunction>)newFunctionWithName:(NSString*)name
                                 constantValues:(MTLFunctionConstantValues*)values
                                          error:(NSError* _Nullable* _Nullable)error
    API_AVAILABLE(macos(10.12));
@end

#pragma clang assume_nonnull end
