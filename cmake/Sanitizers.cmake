# SWITCHYARD_SANITIZE applies to everything that is built, plugins included.

set(SWITCHYARD_FUZZ OFF)  # whether there are fuzz targets
set(SWITCHYARD_COVERAGE_FLAGS)  # of what a fuzz target is to explore
if(SWITCHYARD_SANITIZE STREQUAL "address")
  set(SWITCHYARD_SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # Apple's has no libFuzzer
    set(SWITCHYARD_FUZZ ON)
    set(SWITCHYARD_COVERAGE_FLAGS -fsanitize=fuzzer-no-link)
  endif()
elseif(SWITCHYARD_SANITIZE STREQUAL "thread")
  set(SWITCHYARD_SANITIZER_FLAGS -fsanitize=thread)
elseif(SWITCHYARD_SANITIZE)
  message(FATAL_ERROR "SWITCHYARD_SANITIZE is '${SWITCHYARD_SANITIZE}'; say 'address', 'thread' or "
    "nothing.")
endif()

if(SWITCHYARD_SANITIZE STREQUAL "thread" AND SWITCHYARD_OPENMP)
  # libgomp is not instrumented, so that every parallel loop would be reported as a race.
  message(FATAL_ERROR "The thread sanitizer needs -DSWITCHYARD_OPENMP=OFF -DSWITCHYARD_ONEDNN=OFF.")
endif()

if(SWITCHYARD_SANITIZE)
  add_compile_options(${SWITCHYARD_SANITIZER_FLAGS} -fno-omit-frame-pointer)
  add_link_options(${SWITCHYARD_SANITIZER_FLAGS})
  # Programs with so much debug information take the usual linker four times as long.
  find_program(SWITCHYARD_LLD ld.lld)
  if(SWITCHYARD_LLD AND NOT APPLE)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
