# cli/build_commit.h, written anew at each build and only when it changes: the commit the program was built from.
add_custom_target(build_commit ALL
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DTARGET=${CMAKE_CURRENT_BINARY_DIR}/build_commit.h
          -P ${PROJECT_SOURCE_DIR}/cmake/write_build_commit.cmake
  BYPRODUCTS ${CMAKE_CURRENT_BINARY_DIR}/build_commit.h VERBATIM)
foreach(target twofold_cli twofold_shared)
  add_dependencies(${target} build_commit)
  target_compile_definitions(${target} PRIVATE TWOFOLD_VERSION="${PROJECT_VERSION}")
endforeach()
