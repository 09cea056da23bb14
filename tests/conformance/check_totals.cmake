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
#   NOT_RUN                      the ops that the device claims and no passed case runs: lines `OP: the test's
#                                file`, which has to name it. No op may lack a line, and no line an op.
#   OTHER_CASES                  if true, the lists were made for other cases: lines of SKIPS may explain
#                                none, and NOT_RUN may name ops that passed cases run
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
if(DEFINED NOT_RUN)
  file(STRINGS ${NOT_RUN} lines REGEX "^[A-Za-z0-9]+: ")
  set(known "")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([A-Za-z0-9]+): (.*)$" line "${line}")
    set(op ${CMAKE_MATCH_1})
    file(READ ${CMAKE_CURRENT_LIST_DIR}/../../${CMAKE_MATCH_2} test)
    if(NOT test MATCHES "\"${op}\"")
      string(APPEND wrong "${NOT_RUN}: ${CMAKE_MATCH_2} does not test ${op}\n")
    endif()
    list(APPEND known ${op})
  endforeach()
  string(JSON count LENGTH "${json}" not_run)
  set(not_run "")
  if(count GREATER 0)
    math(EXPR last "${count} - 1")
    foreach(i RANGE ${last})
      string(JSON op GET "${json}" not_run ${i})
      list(APPEND not_run ${op})
    endforeach()
  endif()
  set(surplus ${known})
  list(REMOVE_ITEM surplus "" ${not_run})
  list(REMOVE_ITEM not_run "" ${known})
  if(not_run)
    string(APPEND wrong "claimed, but no passed case runs them and ${NOT_RUN} names no test: ${not_run}\n")
  endif()
  if(surplus AND NOT OTHER_CASES)
    string(APPEND wrong "${NOT_RUN} names what passed cases run, or nobody claims: ${surplus}\n")
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
