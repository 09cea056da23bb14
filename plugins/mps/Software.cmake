# The software Metal device: kernels/*.metal translated to C++ and compiled into the plugin, and the
# headers for those that are given at run time.

set(here ${CMAKE_CURRENT_SOURCE_DIR})

add_executable(mps_translate tools/mps_translate.cpp
  software/compile/files.cpp software/compile/preprocess.cpp software/compile/process.cpp)
file(GLOB translator CONFIGURE_DEPENDS ${here}/software/translator/*.cpp)
target_sources(mps_translate PRIVATE ${translator})
target_include_directories(mps_translate PRIVATE ${here})
switchyard_warnings(mps_translate)

# Each header after those that it includes.
set(shim interface scalars limits vectors math atomics collectives simdgroup simdgroup_matrix
  binding metal)
list(TRANSFORM shim PREPEND ${here}/software/shim/)
list(TRANSFORM shim APPEND .h)
set(shim_text ${CMAKE_CURRENT_BINARY_DIR}/shim_text.cpp)
add_custom_command(
  OUTPUT ${shim_text}
  COMMAND mps_translate shim ${shim_text} ${shim}
  DEPENDS mps_translate ${shim}
  COMMENT "Embedding the headers for kernels"
  VERBATIM)

set(translated "")
set(kernel_declarations "")
set(kernel_rows "")
set(kernel_number 0)
foreach(text IN LISTS kernel_texts)
  get_filename_component(name ${text} NAME_WE)
  string(MAKE_C_IDENTIFIER msl_library_${name} symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/kernels/${name}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND mps_translate library ${CMAKE_CXX_COMPILER} ${text} ${symbol} ${output}
    DEPENDS mps_translate ${text}
    COMMENT "Translating ${name}.metal"
    VERBATIM)
  list(APPEND translated ${output})
  string(APPEND kernel_declarations "extern \"C\" const msl::Library ${symbol};\n")
  string(APPEND kernel_rows "    {kernel_sources()[${kernel_number}].text, &${symbol}},\n")
  math(EXPR kernel_number "${kernel_number} + 1")
endforeach()
set_source_files_properties(${translated} PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON
  COMPILE_OPTIONS "-w;-fwrapv;-fno-strict-aliasing;-fno-math-errno;-fvisibility=hidden")

set(compiled_in ${CMAKE_CURRENT_BINARY_DIR}/compiled_in.cpp)
file(CONFIGURE OUTPUT ${compiled_in} @ONLY CONTENT [[
#include "software/compiled_in.hpp"

#include "kernels/sources.hpp"

@kernel_declarations@
namespace mps::software {

std::span<const CompiledIn> compiled_in() {
  static const CompiledIn all[] = {
@kernel_rows@  };
  return all;
}

}  // namespace mps::software
]])

target_sources(switchyard_mps_objects PRIVATE ${shim_text} ${translated} ${compiled_in})
target_link_libraries(switchyard_mps_objects PUBLIC Boost::context ${CMAKE_DL_LIBS})
string(REPLACE ";" " " compiler_flags "${SWITCHYARD_SANITIZER_FLAGS}")
set_source_files_properties(${here}/software/compile/compiler.cpp PROPERTIES COMPILE_DEFINITIONS
  "MPS_COMPILER=\"${CMAKE_CXX_COMPILER}\";MPS_COMPILER_FLAGS=\"${compiler_flags}\"")
target_compile_definitions(switchyard_mps_objects PRIVATE SWITCHYARD_MPS_SOFTWARE=1)

# A program of its own.
set_target_properties(switchyard_mps_objects PROPERTIES SWITCHYARD_TESTS_LEFT_OUT "/tests/barriers/")
