/// @file
/// Marks what the host library shows to programs: everything else has hidden visibility.
///
/// The functions take and return types of the C++ standard library, whose layout is that of the
/// compiler's mode. A program of another mode, or with headers of another version, does not link:
/// "undefined reference to switchyard_abi_0_1_libstdcxx_debug" says what it was compiled with.
#pragma once

#include <version>

#include <switchyard/version.hpp>

#define SWITCHYARD_API __attribute__((visibility("default")))

#if defined(_LIBCPP_VERSION)
#define SWITCHYARD_STANDARD_LIBRARY libcxx
#elif !defined(_GLIBCXX_USE_CXX11_ABI) || !_GLIBCXX_USE_CXX11_ABI
#define SWITCHYARD_STANDARD_LIBRARY libstdcxx_old_strings
#elif defined(_GLIBCXX_DEBUG)
#define SWITCHYARD_STANDARD_LIBRARY libstdcxx_debug
#else
#define SWITCHYARD_STANDARD_LIBRARY libstdcxx
#endif
#define SWITCHYARD_ABI_JOINED(major, minor, library) switchyard_abi_##major##_##minor##_##library
#define SWITCHYARD_ABI_NAMED(major, minor, library) SWITCHYARD_ABI_JOINED(major, minor, library)
#define SWITCHYARD_ABI                                                     \
  SWITCHYARD_ABI_NAMED(SWITCHYARD_VERSION_MAJOR, SWITCHYARD_VERSION_MINOR, \
                       SWITCHYARD_STANDARD_LIBRARY)

/// Named by what the library was compiled with; of no use but to be linked.
extern "C" SWITCHYARD_API const char SWITCHYARD_ABI;

namespace switchyard::detail {
[[gnu::used]] inline const char* const linked_abi = &SWITCHYARD_ABI;
}
