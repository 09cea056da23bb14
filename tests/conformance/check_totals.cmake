# Runs `switchyard verify` on ONNX's backend tests and asserts its totals, which it prints.
#
#   SWITCHYARD, CONFIG, DEVICE   the program, its configuration, the device that is tested
#   DATA                         the folder of the backend tests
#   CHECKOUT                     in place of it, the environment variable that names a checkout of ONNX
#   OPTIONS                      further options of verify, separated by commas
#   FOLDERS                      which of its folders, separated by commas; by default all with runnable cases
#   REPORT                       where to leave the JSON, for people
#   SKIPS                        what may be skipped, and why: lists, separated by commas. Where it is one,
#                                the most skips stand in it as a comment `# at most N skips`. Without it
#                                every skip is allowed.
#   MIN_PASSED, MAX_FAILED       what must hold
#   TESTS                        the folder of the plugin's own tests: one of them has to name each op that the
#                                device claims and no passed case runs
#   OTHER_CASES                  if true, the lists were made for other cases: lines of SKIPS may explain none
#   CORRECTED                    if that file is there: the cases of `node` whose expected outputs a later
#                                ONNX corrected, lines `NAME: what`. They are left out, and none may pass.
#   MIN_FAILED                   for a plugin that has to fail
#
# Without DATA it prints "SKIPPED: ...", or fails if SWITCHYARD_REQUIRE_DATA is 1.
cmake_minimum_required(VERSION 3.22)

set(folders node pytorch-converted pytorch-operator simple)
if(DEFINED FOLDERS)
  string(REPLACE "," ";" folders ${FOLDERS})
endif()
if(DEFINED CHECKOUT)
  if("$ENV{${CHECKOUT}}" STREQUAL "")
    message(STATUS "SKIPPED: ${CHECKOUT} names no checkout of ONNX")
    return()
  endif()
  set(DATA $ENV{${CHECKOUT}}/onnx/backend/test/data)
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
if(DEFINED OPTIONS)
  string(REPLACE "," ";" options ${OPTIONS})
  list(APPEND arguments ${options})
endif()
if(SKIPS)
  string(REPLACE "," ";" lists ${SKIPS})
  list(LENGTH lists count)
  if(count EQUAL 1)
    file(STRINGS ${SKIPS} cap REGEX "^# at most [0-9]+ skips")
    string(REGEX MATCH "[0-9]+" cap "${cap}")
    if(cap STREQUAL "")
      message(FATAL_ERROR "${SKIPS}: has no line `# at most N skips`")
    endif()
    list(APPEND arguments --max-skips ${cap})
  else()
    execute_process(COMMAND ${CMAKE_COMMAND} -E cat ${lists}
      OUTPUT_FILE ${REPORT}.skips COMMAND_ERROR_IS_FATAL ANY)
    set(SKIPS ${REPORT}.skips)
  endif()
  list(APPEND arguments --skips ${SKIPS})
  if(OTHER_CASES)
    list(APPEND arguments --allow-unused-skips)
  endif()
endif()

set(wrong "")
set(corrected "")
if(DEFINED CORRECTED AND EXISTS ${CORRECTED})
  file(STRINGS ${CORRECTED} lines REGEX "^test_")
  list(TRANSFORM lines REPLACE ":.*" "" OUTPUT_VARIABLE corrected)
  list(TRANSFORM corrected PREPEND ${DATA}/node/)
  file(GLOB cases ${DATA}/node/*)
  list(REMOVE_ITEM cases ${corrected})
  list(REMOVE_ITEM folders ${DATA}/node)
  list(APPEND folders ${cases})
  execute_process(
    COMMAND ${SWITCHYARD} verify ${corrected} --config ${CONFIG} --only ${DEVICE} --list
    OUTPUT_VARIABLE corrected_results)
  if(corrected_results MATCHES "(^|\n)pass " OR NOT corrected_results MATCHES "\n0 passed")
    string(APPEND wrong "cases of ${CORRECTED} pass, or are not there:\n${corrected_results}")
  endif()
  list(LENGTH corrected count)
  message(STATUS "${count} cases left out, whose outputs ONNX corrected: ${CORRECTED}")
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

if(DEFINED MIN_PASSED AND passed LESS MIN_PASSED)
  string(APPEND wrong "fewer than ${MIN_PASSED} cases passed\n")
endif()
if(DEFINED MAX_FAILED AND failed GREATER MAX_FAILED)
  string(APPEND wrong "more than ${MAX_FAILED} cases failed\n")
endif()
if(DEFINED TESTS)
  file(GLOB_RECURSE files ${TESTS}/*.cpp)
  set(tests "")
  foreach(file IN LISTS files)
    file(READ ${file} text)
    string(APPEND tests "${text}")
  endforeach()
  string(JSON count LENGTH "${json}" not_run)
  set(untested "")
  foreach(i RANGE ${count})
    if(i LESS count)
      string(JSON op GET "${json}" not_run ${i})
      string(FIND "${tests}" "\"${op}\"" found)
      if(found EQUAL -1)
        list(APPEND untested ${op})
      endif()
    endif()
  endforeach()
  message(STATUS "${count} claimed ops are run by no passed case, and by tests in ${TESTS} alone")
  if(untested)
    string(APPEND wrong "claimed, but no passed case runs them and no test in ${TESTS} names them: ${untested}\n")
  endif()
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
