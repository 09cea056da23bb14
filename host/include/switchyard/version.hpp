/// @file
/// The version of these headers. While it is 0.x a program is built anew for each minor version:
/// the library's name holds it, libswitchyard.so.0.1, and headers of another one do not link.
#pragma once

#define SWITCHYARD_VERSION_MAJOR 0
#define SWITCHYARD_VERSION_MINOR 1
#define SWITCHYARD_VERSION_PATCH 0
