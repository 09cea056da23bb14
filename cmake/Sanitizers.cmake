# SWITCHYARD_SANITIZE applies to everything that is built, plugins included.

if(SWITCHYARD_SANITIZE STREQUAL "address")
  set(SWITCHYARD_SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
elseif(SWITCHYARD_SANITIZE STREQUAL "thread")
  set(SWITCHYARD_SANITIZER_FLAGS -fsanitize=thread)
elseif(SWITCHYARD_SANITIZE STREQUAL "fuzzer")
  # Every object counts what it runs, those of the plugins too; tests/fuzz links the engine that reads
  # the counters.
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SWITCHYARD_SANITIZE is 'fuzzer', which only clang has: use the preset fuzz.")
  endif()
  set(SWITCHYARD_SANITIZER_FLAGS -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all)
elseif(SWITCHYARD_SANITIZE)
  message(FATAL_ERROR "SWITCHYARD_SANITIZE is '${SWITCHYARD_SANITIZE}'; say 'address', 'thread', "
    "'fuzzer' or nothing.")
endif()

if(SWITCHYARD_SANITIZE STREQUAL "thread" AND SWITCHYARD_OPENMP)
  # libgomp is not instrumented, so that every parallel loop would be reported as a race.
  message(FATAL_ERROR "The thread sanitizer needs -DSWITCHYARD_OPENMP=OFF -DSWITCHYARD_ONEDNN=OFF.")
endif()

if(SWITCHYARD_SANITIZE)
  add_compile_options(${SWITCHYARD_SANITIZER_FLAGS} -fno-omit-frame-pointer)
  add_link_options(${SWITCHYARD_SANITIZER_FLAGS})
endif()
