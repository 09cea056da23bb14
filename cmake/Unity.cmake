# switchyard_compile_together(TARGET): the files of a folder are compiled together, since most of the
# time of each alone goes into the headers and templates that they share. Which files meet depends on
# their names alone, so that a new file never makes two others meet. What a file keeps to itself (an
# unnamed namespace, a macro) needs a name of its own among the files that it meets.
# -DSWITCHYARD_UNITY=OFF compiles each file alone, which is sooner after a change to one of them.

option(SWITCHYARD_UNITY "Compile the files of a folder together" ON)

function(switchyard_compile_together target)
  if(NOT SWITCHYARD_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  # Highway includes such a file in itself, once for each processor.
  foreach(source IN LISTS sources)
    file(STRINGS ${source} included REGEX "foreach_target\\.h" LIMIT_COUNT 1)
    if(included)
      list(REMOVE_ITEM sources ${source})
    endif()
  endforeach()

  set(folders ${sources})
  list(TRANSFORM folders REPLACE "/[^/]+$" "")
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    set(files ${sources})
    list(FILTER files INCLUDE REGEX "^${folder}/[^/]+$")
    file(RELATIVE_PATH group ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${group} group)
    list(LENGTH files count)
    if(count LESS_EQUAL 16)
      set_source_files_properties(${files} PROPERTIES UNITY_GROUP ${group})
      continue()
    endif()
    foreach(letters a-d e-l m-r s-z)
      set(part ${files})
      list(FILTER part INCLUDE REGEX "/[${letters}][^/]*$")
      set_source_files_properties(${part} PROPERTIES UNITY_GROUP ${group}_${letters})
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # g++ takes the files that are compiled together for headers.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endfunction()
