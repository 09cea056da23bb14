# Runs `switchyard verify` on ONNX's backend tests and asserts its totals, which it prints.
#
#   SWITCHYARD, CONFIG, DEVICE   the program, its configuration, the device that is tested
#   DATA                         the folder of the backend tests
#   FOLDERS                      which of its folders, separated by commas; by default all with runnable cases
#   REPORT                       where to leave the JSON, for people
#   SKIPS                        what may be skipped, and why; the most skips stand in it as a comment
#                                `# at most N skips`. Without it every skip is allowed.
#   MIN_PASSED, MAX_FAILED       what must hold
#   MIN_FAILED                   for a plugin that has to fail
#
# Without DATA it prints "SKIPPED: ...", or fails if SWITCHYARD_REQUIRE_DATA is 1.
cmake_minimum_required(VERSION 3.22)

set(folders node pytorch-converted pytorch-operator simple)
if(DEFINED FOLDERS)
  string(REPLACE "," ";" folders ${FOLDERS})
endif()
if(NOT IS_DIRECTORY ${DATA}/node)
  set(missing "no backend tests in ${DATA}; apt-get install libonnx-testdata")
  if("$ENV{SWITCHYARD_REQUIRE_DATA}" STREQUAL "1")
    message(FATAL_ERROR "${missing}")
  endif()
  message(STATUS "SKIPPED: ${missing}")
  return()
endif()
list(TRANSFORM folders PREPEND ${DATA}/)

set(arguments --config ${CONFIG} --only ${DEVICE} --json)
if(SKIPS)
  file(STRINGS ${SKIPS} cap REGEX "^# at most [0-9]+ skips")
  string(REGEX MATCH "[0-9]+" cap "${cap}")
  if(cap STREQUAL "")
    message(FATAL_ERROR "${SKIPS}: has no line `# at most N skips`")
  endif()
  list(APPEND arguments --skips ${SKIPS} --max-skips ${cap})
endif()
execute_process(
  COMMAND ${SWITCHYARD} verify ${folders} ${arguments}
  OUTPUT_FILE ${REPORT}
  ERROR_VARIABLE errors
  RESULT_VARIABLE status)
file(READ ${REPORT} json)
foreach(total IN ITEMS passed failed skipped)
  string(JSON ${total} ERROR_VARIABLE broken GET "${json}" ${total})
  if(broken)
    message(FATAL_ERROR "verify gave no totals (exit code ${status}):\n${errors}")
  endif()
endforeach()
message(STATUS "${DEVICE}: ${passed} passed, ${failed} failed, ${skipped} skipped; ${REPORT}")

set(wrong "")
if(DEFINED MIN_PASSED AND passed LESS MIN_PASSED)
  string(APPEND wrong "fewer than ${MIN_PASSED} cases passed\n")
endif()
if(DEFINED MAX_FAILED AND failed GREATER MAX_FAILED)
  string(APPEND wrong "more than ${MAX_FAILED} cases failed\n")
endif()
if(DEFINED MIN_FAILED)
  if(failed LESS MIN_FAILED)
    string(APPEND wrong "fewer than ${MIN_FAILED} cases failed\n")
  endif()
  if(NOT status EQUAL 1)
    string(APPEND wrong "verify exited with ${status} rather than 1\n")
  endif()
elseif(NOT status EQUAL 0)
  string(APPEND wrong "verify exited with ${status}\n")
endif()
if(wrong)
  message(FATAL_ERROR "${wrong}${errors}")
endif()
