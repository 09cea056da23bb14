# cmake -DFILE=... -DPATHS="a/b;c/0" -P json.cmake: fails unless FILE is JSON that has each path.
file(READ ${FILE} text)
foreach(path IN LISTS PATHS)
  string(REPLACE "/" ";" keys ${path})
  string(JSON value ERROR_VARIABLE problem GET "${text}" ${keys})
  if(problem)
    message(FATAL_ERROR "${path}: ${problem}")
  endif()
endforeach()
