# switchyard_add_plugin(NAME SOURCE...)
#
# Makes the plugin NAME of the given sources, in this tree and, after find_package(switchyard),
# in any other:
#   switchyard_NAME_objects  the sources compiled; give it your libraries and include folders, and
#                            link a test with it to reach what the plugin hides
#   switchyard_NAME          the plugin, <build>/plugins/libswitchyard_NAME.so
#
# The plugin shows nothing but its entry, and binds its own symbols to itself: RTLD_LOCAL alone
# does not keep it from binding to symbols of the same name in the host.

include(GNUInstallDirs)

set(SWITCHYARD_PLUGIN_EXPORTS ${CMAKE_CURRENT_LIST_DIR}/plugin-exports.map)

function(switchyard_add_plugin name)
  add_library(switchyard_${name}_objects OBJECT ${ARGN})
  target_link_libraries(switchyard_${name}_objects PUBLIC switchyard::plugin_api)
  set_target_properties(switchyard_${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_CXX_COMPILER)
    target_compile_features(switchyard_${name}_objects PRIVATE cxx_std_20)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT APPLE)
    target_compile_options(switchyard_${name}_objects PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-gnu-unique>)
  endif()

  add_library(switchyard_${name} MODULE)
  target_link_libraries(switchyard_${name} PRIVATE switchyard_${name}_objects)
  set_target_properties(switchyard_${name} PROPERTIES
    PREFIX lib
    OUTPUT_NAME switchyard_${name}
    SUFFIX ${CMAKE_SHARED_LIBRARY_SUFFIX}
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/plugins)
  if(APPLE)
    target_link_options(switchyard_${name} PRIVATE -Wl,-exported_symbol,_switchyard_plugin_entry)
  else()
    target_link_options(switchyard_${name} PRIVATE
      -Wl,-Bsymbolic -Wl,--exclude-libs,ALL -Wl,--version-script=${SWITCHYARD_PLUGIN_EXPORTS})
    set_property(TARGET switchyard_${name} APPEND PROPERTY
      LINK_DEPENDS ${SWITCHYARD_PLUGIN_EXPORTS})
  endif()
  # A plugin that was not built is not installed: `./dev demo` builds those alone that it shows.
  install(TARGETS switchyard_${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/switchyard/plugins OPTIONAL)
endfunction()
