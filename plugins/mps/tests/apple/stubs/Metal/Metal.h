// What apple/ uses of Metal, for type checks without Apple's SDK.
#pragma once

#include <Metal/MTLCommandBuffer.h>
#include <Metal/MTLCounters.h>
#include <Metal/MTLDevice.h>
#include <Metal/MTLEvent.h>
#include <Metal/MTLLibrary.h>
#include <Metal/MTLResource.h>
