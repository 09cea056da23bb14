# Metal's backend of the mps plugin, on macOS: plugins/mps/CMakeLists.txt includes this once the
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

# Libraries of the kernels, where Xcode has its Metal compiler; the plugin compiles what is missing.
set(compile_kernels ${CMAKE_CURRENT_LIST_DIR}/compile-kernels)
set(compiled_kernels ${CMAKE_BINARY_DIR}/plugins/mps-kernels)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/compiled-kernels
  COMMAND ${compile_kernels} ${kernel_folder} ${compiled_kernels}
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_CURRENT_BINARY_DIR}/compiled-kernels
  DEPENDS ${compile_kernels} ${kernel_texts}
  COMMENT "Compiling the Metal kernels"
  VERBATIM)
add_custom_target(switchyard_mps_kernels DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/compiled-kernels)
add_dependencies(switchyard_mps switchyard_mps_kernels)
install(DIRECTORY ${compiled_kernels} DESTINATION ${SWITCHYARD_PLUGIN_INSTALL_DIR} OPTIONAL)

# Tests that need the software device.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../tests/apple/left-out left_out)
set_target_properties(switchyard_mps_objects PROPERTIES SWITCHYARD_TESTS_LEFT_OUT "${left_out}")
