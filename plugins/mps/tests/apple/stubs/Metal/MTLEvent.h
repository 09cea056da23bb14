// Events. Written for this project from the facts of
// https://developer.apple.com/documentation/metal/mtlsharedevent: names, types and versions.
#pragma once

#include <Foundation/Foundation.h>

#pragma clang assume_nonnull begin

@protocol MTLEvent <NSObject>
@end

@protocol MTLSharedEvent;
typedef void (^MTLSharedEventNotificationBlock)(id<MTLSharedEvent> event, uint64_t value);

@interface MTLSharedEventListener : NSObject
@end

@protocol MTLSharedEvent <MTLEvent>
@property(readwrite) uint64_t signaledValue API_AVAILABLE(macos(10.14));
- (void)notifyListener:(MTLSharedEventListener*)listener
               atValue:(uint64_t)value
                 block:(MTLSharedEventNotificationBlock)block API_AVAILABLE(macos(10.14));
@end

#pragma clang assume_nonnull end
