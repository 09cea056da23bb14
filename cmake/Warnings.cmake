# switchyard_warnings(TARGET): the warnings that every source of the project is built with.

# Rows of tables and C structs leave their last fields to the defaults: that is not a mistake.
set(SWITCHYARD_WARNINGS -Wall -Wextra -Wpedantic -Wno-missing-field-initializers
  -Werror=return-type -Werror=uninitialized)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # To g++ this is a part of `uninitialized`; with sanitizers or -O3 it reports its own library.
  list(APPEND SWITCHYARD_WARNINGS -Wno-error=maybe-uninitialized)
  # g++ 14 and newer take functions of vectors that they have merged for mistakes.
  list(APPEND SWITCHYARD_WARNINGS -Wno-free-nonheap-object)
endif()
if(SWITCHYARD_WERROR)
  list(APPEND SWITCHYARD_WARNINGS -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports these of code in its own standard library, depending on the optimiser's mood.
    list(APPEND SWITCHYARD_WARNINGS
      -Wno-error=array-bounds -Wno-error=maybe-uninitialized -Wno-error=restrict
      -Wno-error=stringop-overflow -Wno-error=stringop-overread)
  endif()
endif()

function(switchyard_warnings target)
  target_compile_options(${target} PRIVATE ${SWITCHYARD_WARNINGS})
endfunction()
