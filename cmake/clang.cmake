# A toolchain file: the clang whose sanitizers and fuzzing engine are used. Debian 12 has 16, newer
# ones 19; `dev` installs them.
find_program(SWITCHYARD_CLANG NAMES clang-16 clang-19 clang REQUIRED)
find_program(SWITCHYARD_CLANGXX NAMES clang++-16 clang++-19 clang++ REQUIRED)
set(CMAKE_C_COMPILER ${SWITCHYARD_CLANG})
set(CMAKE_CXX_COMPILER ${SWITCHYARD_CLANGXX})
