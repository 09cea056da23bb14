// Apple's frameworks, and what this folder asks of the compiler.
#pragma once

#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <MetalPerformanceShaders/MetalPerformanceShaders.h>
#import <MetalPerformanceShadersGraph/MetalPerformanceShadersGraph.h>

#if !__has_feature(objc_arc)
#error "apple/ needs automatic reference counting: compile it with -fobjc-arc"
#endif
