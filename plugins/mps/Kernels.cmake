# kernels/*.metal as texts in the plugin. Headers that they include are put in their places; the
# whole texts lie in ${kernel_texts}, too.

file(GLOB kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.metal)
file(GLOB kernel_headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.h)

add_executable(embed_kernels tools/embed_kernels.cpp)
switchyard_warnings(embed_kernels)

set(kernel_folder ${CMAKE_CURRENT_BINARY_DIR}/kernels)
file(MAKE_DIRECTORY ${kernel_folder})
set(kernel_texts "")
foreach(kernel IN LISTS kernels)
  get_filename_component(name ${kernel} NAME)
  list(APPEND kernel_texts ${kernel_folder}/${name})
endforeach()

set(kernel_sources ${CMAKE_CURRENT_BINARY_DIR}/kernel_sources.cpp)
add_custom_command(
  OUTPUT ${kernel_sources} ${kernel_texts}
  COMMAND embed_kernels ${kernel_folder} ${kernel_sources}
    ${CMAKE_CURRENT_SOURCE_DIR}/kernels/chain.h ${kernels}
  DEPENDS embed_kernels ${kernels} ${kernel_headers}
  COMMENT "Embedding the Metal kernels"
  VERBATIM)
target_sources(switchyard_mps_objects PRIVATE ${kernel_sources})
