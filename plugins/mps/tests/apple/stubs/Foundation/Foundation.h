// What apple/ uses of Foundation, for type checks without Apple's SDK. Written for this project
// from the facts of https://developer.apple.com/documentation/foundation: names, types, versions.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define API_AVAILABLE(version) __attribute__((availability(version)))
#define macos(number) macos, introduced = number

typedef signed char BOOL;  // as on the target x86_64; arm64 has bool
#define YES __objc_yes
#define NO __objc_no
#define nil nullptr

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef NSUInteger NSStringEncoding;
typedef struct {
  NSUInteger location;
  NSUInteger length;
} NSRange;
static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length) {
  NSRange range = {location, length};
  return range;
}

#define NS_ENUM(type, name) \
  enum name : type name;    \
  enum name : type
#define NS_OPTIONS(type, name) \
  enum name : type name;       \
  enum name : type

#pragma clang assume_nonnull begin

@class NSString;

@protocol NSObject
- (BOOL)respondsToSelector:(SEL)selector API_AVAILABLE(macos(10.0));
@end

@protocol NSCopying
@end

__attribute__((objc_root_class))
@interface NSObject<NSObject>
+ (instancetype)new API_AVAILABLE(macos(10.0));
+ (instancetype)alloc API_AVAILABLE(macos(10.0));
- (instancetype)init API_AVAILABLE(macos(10.0));
@end

typedef struct {
  unsigned long state;
  id __unsafe_unretained _Nullable* _Nullable itemsPtr;
  unsigned long* _Nullable mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState*)state
                                  objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer
                                    count:(NSUInteger)count API_AVAILABLE(macos(10.5));
@end

enum : NSStringEncoding { NSUTF8StringEncoding = 4 };

@interface NSString : NSObject <NSCopying>
@property(readonly, nullable) const char* UTF8String API_AVAILABLE(macos(10.0));
- (nullable instancetype)initWithBytes:(const void*)bytes
                                length:(NSUInteger)length
                              encoding:(NSStringEncoding)encoding API_AVAILABLE(macos(10.0));
- (BOOL)isEqualToString:(NSString*)other API_AVAILABLE(macos(10.0));
@end

@interface NSNumber : NSObject <NSCopying>
@property(readonly) long long longLongValue API_AVAILABLE(macos(10.0));
+ (NSNumber*)numberWithInt:(int)value API_AVAILABLE(macos(10.0));
+ (NSNumber*)numberWithLongLong:(long long)value API_AVAILABLE(macos(10.0));
@end

@interface NSArray<__covariant ObjectType> : NSObject <NSFastEnumeration, NSCopying>
@property(readonly) NSUInteger count API_AVAILABLE(macos(10.0));
+ (instancetype)array API_AVAILABLE(macos(10.0));
+ (instancetype)arrayWithObjects:(const ObjectType _Nonnull[_Nullable])objects
                           count:(NSUInteger)count API_AVAILABLE(macos(10.0));
- (ObjectType)objectAtIndexedSubscript:(NSUInteger)index API_AVAILABLE(macos(10.8));
@end

@interface NSMutableArray<ObjectType> : NSArray <ObjectType>
+ (instancetype)arrayWithCapacity:(NSUInteger)capacity API_AVAILABLE(macos(10.0));
- (void)addObject:(ObjectType)object API_AVAILABLE(macos(10.0));
@end

@interface NSDictionary<KeyType, __covariant ObjectType> : NSObject <NSFastEnumeration, NSCopying>
+ (instancetype)dictionary API_AVAILABLE(macos(10.0));
@end

@interface NSMutableDictionary<KeyType, ObjectType> : NSDictionary <KeyType, ObjectType>
- (void)setObject:(nullable ObjectType)object
    forKeyedSubscript:(KeyType<NSCopying>)key API_AVAILABLE(macos(10.8));
@end

@interface NSData : NSObject
@property(readonly) NSUInteger length API_AVAILABLE(macos(10.0));
@property(readonly) const void* bytes API_AVAILABLE(macos(10.0));
+ (instancetype)dataWithBytes:(nullable const void*)bytes
                       length:(NSUInteger)length API_AVAILABLE(macos(10.0));
@end

@interface NSURL : NSObject
+ (NSURL*)fileURLWithPath:(NSString*)path API_AVAILABLE(macos(10.0));
@end

@interface NSError : NSObject
@property(readonly, copy) NSString* domain API_AVAILABLE(macos(10.2));
@property(readonly) NSInteger code API_AVAILABLE(macos(10.2));
@property(readonly, copy) NSString* localizedDescription API_AVAILABLE(macos(10.2));
@end

@interface NSException : NSObject
@property(readonly, copy) NSString* name API_AVAILABLE(macos(10.0));
@property(readonly, copy, nullable) NSString* reason API_AVAILABLE(macos(10.0));
@end

@interface NSFileManager : NSObject
@property(class, readonly, strong) NSFileManager* defaultManager API_AVAILABLE(macos(10.0));
- (BOOL)fileExistsAtPath:(NSString*)path API_AVAILABLE(macos(10.0));
@end

typedef struct {
  NSInteger majorVersion;
  NSInteger minorVersion;
  NSInteger patchVersion;
} NSOperatingSystemVersion;

@interface NSProcessInfo : NSObject
@property(class, readonly, strong) NSProcessInfo* processInfo API_AVAILABLE(macos(10.0));
@property(readonly, copy) NSString* operatingSystemVersionString API_AVAILABLE(macos(10.2));
@property(readonly) unsigned long long physicalMemory API_AVAILABLE(macos(10.5));
- (BOOL)isOperatingSystemAtLeastVersion:(NSOperatingSystemVersion)version
    API_AVAILABLE(macos(10.10));
@end

#pragma clang assume_nonnull end
