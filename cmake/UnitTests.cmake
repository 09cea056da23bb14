# switchyard_unit_tests(TARGET FOLDER LIBRARY...): FOLDER's **/*_test.cpp as one program, each of
# its cases a test of ctest. Those named *_threads_test.cpp make a second program, TARGET_threads,
# whose cases carry the label `threads`: the thread sanitizer runs these, and the target
# `threads_tests` builds them all. FOLDER's other sources are part of both. What the first library's
# property SWITCHYARD_TESTS_LEFT_OUT, a pattern, matches is left out; its property
# SWITCHYARD_TESTS_OPTIMISATION is the level of the tests, without which it is -O0. Does nothing while
# there are no tests.

add_custom_target(threads_tests)

# A header rather than definitions for every source: only what includes it depends on where the
# checkout lies, so that a compiler cache serves the rest.
configure_file(${CMAKE_CURRENT_LIST_DIR}/test_folders.hpp.in
  ${PROJECT_BINARY_DIR}/generated/test_folders.hpp)

function(switchyard_unit_tests target folder)
  file(GLOB_RECURSE shared CONFIGURE_DEPENDS ${folder}/*.cpp)
  get_target_property(left_out ${ARGV2} SWITCHYARD_TESTS_LEFT_OUT)
  if(left_out)
    list(FILTER shared EXCLUDE REGEX "${left_out}")
  endif()
  set(tests ${shared})
  list(FILTER shared EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  set(threaded ${tests})
  list(FILTER threaded INCLUDE REGEX "_threads_test\\.cpp$")
  list(FILTER tests EXCLUDE REGEX "_threads_test\\.cpp$")
  switchyard_test_program(${target} unit "${folder}" "${tests}" "${shared}" "${ARGN}")
  switchyard_test_program(${target}_threads threads "${folder}" "${threaded}" "${shared}" "${ARGN}")
endfunction()

# How the tests of a library are compiled.
function(switchyard_test_options target library)
  switchyard_warnings(${target})
  # What is tested is optimised and watched for undefined behaviour; the tests themselves only have
  # to be built soon.
  get_target_property(optimisation ${library} SWITCHYARD_TESTS_OPTIMISATION)
  if(NOT optimisation)
    set(optimisation -O0)
  endif()
  # Calls are made for the error that they throw, too.
  target_compile_options(${target} PRIVATE ${optimisation} -Wno-unused-result)
  if(SWITCHYARD_SANITIZE STREQUAL "address")
    target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
  endif()
endfunction()

# LIBRARY_test_headers: headers that most tests of a library include, compiled once for all programs.
function(switchyard_test_headers library)
  if(TARGET ${library}_test_headers)
    return()
  endif()
  set(empty ${PROJECT_BINARY_DIR}/generated/${library}_test_headers.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_executable(${library}_test_headers EXCLUDE_FROM_ALL ${empty})
  target_precompile_headers(${library}_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
  switchyard_test_options(${library}_test_headers ${library})
  target_link_libraries(${library}_test_headers PRIVATE ${library} GTest::gtest_main GTest::gmock)
endfunction()

function(switchyard_test_program target label folder tests shared libraries)
  if(NOT tests)
    return()
  endif()
  add_executable(${target} ${tests} ${shared})
  if(label STREQUAL "threads")
    add_dependencies(threads_tests ${target})
  endif()
  list(GET libraries 0 library)
  switchyard_test_headers(${library})
  target_precompile_headers(${target} REUSE_FROM ${library}_test_headers)
  switchyard_test_options(${target} ${library})
  switchyard_compile_together(${target})
  target_include_directories(${target} PRIVATE ${folder}
    ${PROJECT_SOURCE_DIR}/tests/temporary-folder ${PROJECT_SOURCE_DIR}/tests/test-length
    ${PROJECT_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE ${libraries} GTest::gtest_main GTest::gmock)
  if(SWITCHYARD_TEST_SHARDS)
    switchyard_test_shards(${target} ${label})
  else()
    gtest_discover_tests(${target}
      NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
      PROPERTIES LABELS ${label})
  endif()
endfunction()

# A process takes longer to start than most cases to run, above all under the address sanitizer:
# where SWITCHYARD_TEST_SHARDS is ON, a test of ctest is every eighth case of a program,
# and says only what failed.
function(switchyard_test_shards target label)
  set(shards 8)
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${target}.${shard} COMMAND ${target})
    set_tests_properties(${target}.${shard} PROPERTIES
      LABELS ${label}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${shard};GTEST_BRIEF=1")
  endforeach()
endfunction()
