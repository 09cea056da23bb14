# Finds the packages that the build needs. CONTRIBUTING.md lists their Debian and Homebrew names;
# `./dev` installs them.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost CONFIG REQUIRED)
if(NOT APPLE)
  find_package(Boost CONFIG REQUIRED COMPONENTS context)  # the software Metal device
endif()
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

if(SWITCHYARD_ONNX)
  find_package(CLI11 REQUIRED)
  find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp REQUIRED)  # headers alone
endif()

if(SWITCHYARD_OPENMP)
  find_package(OpenMP COMPONENTS CXX)
  if(NOT OpenMP_CXX_FOUND)
    message(FATAL_ERROR "This compiler has no OpenMP. Install it (for clang: libomp) or say "
      "-DSWITCHYARD_OPENMP=OFF -DSWITCHYARD_ONEDNN=OFF; then every kernel runs on one thread.")
  endif()
endif()

find_package(hwy REQUIRED)

# oneDNN's own package file asks for OpenCL's headers, which its library does not need.
if(SWITCHYARD_ONEDNN)
  find_path(DNNL_INCLUDE_DIR oneapi/dnnl/dnnl.hpp REQUIRED)
  find_library(DNNL_LIBRARY dnnl REQUIRED)
  if(NOT TARGET switchyard_onednn)
    add_library(switchyard_onednn UNKNOWN IMPORTED)
    set_target_properties(switchyard_onednn PROPERTIES
      IMPORTED_LOCATION ${DNNL_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${DNNL_INCLUDE_DIR})
  endif()
endif()

# Any with integers of 32 bits: the reference's, OpenBLAS, on macOS Accelerate.
if(SWITCHYARD_LAPACK)
  find_package(LAPACK)
  if(NOT TARGET LAPACK::LAPACK)
    message(FATAL_ERROR "There is no LAPACK here. Install it (on Debian: liblapack-dev) or say "
      "-DSWITCHYARD_LAPACK=OFF; then no device solves, inverts or factors matrices.")
  endif()
endif()

if(SWITCHYARD_TESTS)
  find_package(GTest REQUIRED)
  # A second opinion on op schemas, function bodies and files; without it these tests are left out.
  find_package(Protobuf QUIET)
  find_package(ONNX QUIET)
  if(TARGET ONNX::onnx)  # from 1.17 on; that of 1.20 names no library that it needs
    set(SWITCHYARD_ONNX_LIBRARY ONNX::onnx ONNX::onnx_proto protobuf::libprotobuf)
  elseif(TARGET onnx)
    set(SWITCHYARD_ONNX_LIBRARY onnx)
  elseif(ONNX_FOUND)
    message(FATAL_ERROR "ONNX ${ONNX_VERSION} is here, but neither as ONNX::onnx nor as onnx; give "
      "cmake/ThirdParty.cmake its name, or -DCMAKE_DISABLE_FIND_PACKAGE_ONNX=ON to do without.")
  endif()
endif()
if(SWITCHYARD_BENCH)
  find_package(benchmark REQUIRED)
endif()
