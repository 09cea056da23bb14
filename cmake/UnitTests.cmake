# switchyard_unit_tests(TARGET FOLDER LIBRARY...): FOLDER's **/*_test.cpp as one program, each of
# its cases a test of ctest. Those named *_threads_test.cpp make a second program, TARGET_threads,
# whose cases carry the label `threads`: the thread sanitizer runs these.
# Does nothing while there are no sources.

function(switchyard_unit_tests target folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  set(threaded ${sources})
  list(FILTER threaded INCLUDE REGEX "_threads_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_threads_test\\.cpp$")
  switchyard_test_program(${target} unit "${folder}" "${sources}" "${ARGN}")
  switchyard_test_program(${target}_threads threads "${folder}" "${threaded}" "${ARGN}")
endfunction()

function(switchyard_test_program target label folder sources libraries)
  if(NOT sources)
    return()
  endif()
  add_executable(${target} ${sources})
  switchyard_warnings(${target})
  target_include_directories(${target} PRIVATE ${folder})
  target_compile_definitions(${target} PRIVATE
    SWITCHYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    SWITCHYARD_BUILD_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE ${libraries} GTest::gtest_main GTest::gmock)
  gtest_discover_tests(${target}
    DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS ${label})
endfunction()
