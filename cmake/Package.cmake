# What `find_package(switchyard)` finds after an install: switchyard::host, switchyard::plugin_api
# and switchyard_add_plugin().

include(CMakePackageConfigHelpers)

set(SWITCHYARD_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/switchyard)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/switchyard-config.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/switchyard-config.cmake
  INSTALL_DESTINATION ${SWITCHYARD_PACKAGE_DIR}
  PATH_VARS CMAKE_INSTALL_LIBDIR)

# In 0.x any minor version may change the C ABI.
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/switchyard-config-version.cmake
  COMPATIBILITY SameMinorVersion)

install(EXPORT switchyard-targets
  NAMESPACE switchyard::
  DESTINATION ${SWITCHYARD_PACKAGE_DIR})
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/switchyard-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/switchyard-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/SwitchyardAddPlugin.cmake
  ${CMAKE_CURRENT_LIST_DIR}/plugin-exports.map
  DESTINATION ${SWITCHYARD_PACKAGE_DIR})

# The documents that headers, --help and messages name, under the paths that they name them by.
foreach(document IN ITEMS README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md LICENSE
    VERSIONS.md bench/README.md config/README.md plugin-api/README.md
    plugin-api/CHANGELOG.md plugin-api/CONFORMANCE.md plugin-api/switchyard-ops.md
    host/GETTING_STARTED.md host/cli/README.md host/cli/JSON.md host/cli/VERIFY.md
    plugins/mps/OPTIONS.md plugins/mps/apple/FIRST_RUN.md)
  get_filename_component(folder ${document} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${document}
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/switchyard/${folder})
endforeach()
