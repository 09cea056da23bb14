#pragma once

/// Marks what libswitchyard exports; everything else in it is hidden.
#if defined(_WIN32)
#define SWITCHYARD_API
#else
#define SWITCHYARD_API __attribute__((visibility("default")))
#endif
