# How every file of twofold is compiled.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Nobody who only types cmake -B build wants the slow loops of a build without a type.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo, Debug, or None for flags of your own" FORCE)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(TWOFOLD_WERROR)
  add_compile_options(-Werror)
endif()

# libtorch's and our own parallel loops are silently serial in a file compiled without OpenMP, so all have it.
# clang, used for fuzzing alone, would need a second OpenMP runtime; there the loops are meant to be serial.
# ThreadSanitizer does not understand libgomp; for it base/parallel.h starts threads itself.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  add_compile_options(-fopenmp)
  add_link_options(-fopenmp)
endif()

# Paths in messages and debug information start at the project, wherever it was built.
add_compile_options(-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
