# Metal's side of the mps plugin, on macOS: plugins/mps/CMakeLists.txt includes this once the
# plugin's targets are there. To CMake the sources are C++; clang takes their .mm for Objective-C++.
# So no further language is needed, here or where the objects are linked.
if(NOT APPLE)
  return()
endif()

file(GLOB_RECURSE switchyard_mps_apple_sources CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_LIST_DIR}/*.mm)
set_source_files_properties(${switchyard_mps_apple_sources} PROPERTIES
  LANGUAGE CXX
  COMPILE_OPTIONS "-fobjc-arc;-fblocks;-Wunguarded-availability")
target_sources(switchyard_mps_objects PRIVATE ${switchyard_mps_apple_sources})
target_link_libraries(switchyard_mps_objects PUBLIC
  objc
  "-framework Foundation"
  "-framework Metal"
  "-framework MetalPerformanceShaders"
  "-framework MetalPerformanceShadersGraph")

# Tests that need the software device.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../tests/apple/left-out left_out)
set_target_properties(switchyard_mps_objects PROPERTIES SWITCHYARD_TESTS_LEFT_OUT "${left_out}")
