# Toolchain: from Linux, with Debian's clang and lld, to macOS 12.3.
#
#   cmake -S . -B build/macos -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/macos-cross.cmake \
#     -DMACOS_SDK=FOLDER -DSWITCHYARD_ONNX=OFF -DSWITCHYARD_OPENMP=OFF -DSWITCHYARD_ONEDNN=OFF \
#     -DSWITCHYARD_LAPACK=OFF
#
#   MACOS_SDK       a macOS SDK, 13 or later, that you hold under Apple's terms; the environment may
#                   name it too. None comes with this project.
#   MACOS_ARCH      arm64 (default) or x86_64
#   MACOS_LLVM      the version of clang and lld: 16 by default
#   MACOS_LIBCXX    the folder of libc++'s headers: Debian's of that clang by default
#   MACOS_PACKAGES  a prefix with Boost, fmt, spdlog, toml++ and Highway, built for macOS
#
# plugins/mps/apple/README.md says which targets can be built so.

set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_VERSION 21.4.0)  # Darwin 21.4 is macOS 12.3

if(NOT MACOS_SDK)
  set(MACOS_SDK "$ENV{MACOS_SDK}")
endif()
if(NOT MACOS_SDK OR NOT EXISTS "${MACOS_SDK}/usr/include")
  message(FATAL_ERROR "MACOS_SDK is '${MACOS_SDK}', where there is no usr/include; give the folder "
    "of a macOS SDK with -DMACOS_SDK=FOLDER.")
endif()
set(MACOS_SDK "${MACOS_SDK}" CACHE PATH "A macOS SDK")
set(MACOS_ARCH arm64 CACHE STRING "arm64 or x86_64")
set(MACOS_LLVM 16 CACHE STRING "The version of clang and lld")

# clang takes the libc++ beside itself before the SDK's, and says nothing: the choice is made here.
set(MACOS_LIBCXX /usr/lib/llvm-${MACOS_LLVM}/include/c++/v1 CACHE PATH "libc++'s headers")
if(NOT EXISTS "${MACOS_LIBCXX}/vector")
  message(FATAL_ERROR "MACOS_LIBCXX is '${MACOS_LIBCXX}', where there are no headers of libc++; "
    "install libc++-${MACOS_LLVM}-dev or name another folder.")
endif()
set(MACOS_PACKAGES "" CACHE PATH "A prefix with packages for macOS")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MACOS_SDK MACOS_ARCH MACOS_LLVM MACOS_LIBCXX)

set(CMAKE_SYSTEM_PROCESSOR ${MACOS_ARCH})
set(CMAKE_OSX_SYSROOT "${MACOS_SDK}" CACHE PATH "")
set(CMAKE_OSX_ARCHITECTURES ${MACOS_ARCH} CACHE STRING "")
set(CMAKE_OSX_DEPLOYMENT_TARGET 12.3 CACHE STRING "")

set(CMAKE_C_COMPILER /usr/bin/clang-${MACOS_LLVM})
set(CMAKE_C_COMPILER_TARGET ${MACOS_ARCH}-apple-macosx12.3)
foreach(language CXX OBJCXX)
  set(CMAKE_${language}_COMPILER /usr/bin/clang++-${MACOS_LLVM})
  set(CMAKE_${language}_COMPILER_TARGET ${MACOS_ARCH}-apple-macosx12.3)
  set(CMAKE_${language}_FLAGS_INIT "-stdlib=libc++ -stdlib++-isystem ${MACOS_LIBCXX}")
endforeach()
find_program(CMAKE_AR NAMES llvm-ar-${MACOS_LLVM} REQUIRED)
find_program(CMAKE_RANLIB NAMES llvm-ranlib-${MACOS_LLVM} REQUIRED)
find_program(CMAKE_INSTALL_NAME_TOOL NAMES llvm-install-name-tool-${MACOS_LLVM} REQUIRED)

# `-fuse-ld=lld-16` would start lld under a name that it does not know for macOS's linker, and fail;
# a folder says which one.
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT
    "-fuse-ld=lld -B/usr/lib/llvm-${MACOS_LLVM}/bin")
endforeach()

set(CMAKE_FIND_ROOT_PATH "${MACOS_SDK}" "${MACOS_PACKAGES}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
