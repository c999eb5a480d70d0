# twofold_step(NAME PUBLIC libraries… PRIVATE libraries…): the static library twofold::NAME of all files in src/twofold/NAME.
set_property(GLOBAL PROPERTY TWOFOLD_STEPS "")

# With TWOFOLD_UNITY several files of a library are compiled as one: headers are read, and templates made, once for all of
# them. So names in the unnamed namespaces of one folder must differ (tests/layering/names_test.cpp).
function(twofold_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TWOFOLD_UNITY} UNITY_BUILD_BATCH_SIZE 10)
  # An included .cpp file counts as a header, in which types of unnamed namespaces would be a mistake.
  if(TWOFOLD_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

function(twofold_step name)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/twofold/${name}/*.cpp
                                    ${PROJECT_SOURCE_DIR}/src/twofold/${name}/*.h)
  add_library(twofold_${name} STATIC ${files})
  twofold_unity(twofold_${name})
  # Highway reads a file with vector loops once for every SIMD level, and nauty's header defines short words, so in a build of
  # several files at a time such a file stands alone.
  foreach(file ${files})
    file(STRINGS ${file} levels REGEX "hwy/foreach_target.h|nauty/nauty.h" LIMIT_COUNT 1)
    if(levels)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  add_library(twofold::${name} ALIAS twofold_${name})
  set_target_properties(twofold_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(twofold_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_link_libraries(twofold_${name} ${ARGN})
  target_compile_features(twofold_${name} PUBLIC cxx_std_17)
  # Fuzzing compiles what its targets link and no more: clang takes ten minutes for the vector loops alone.
  set_target_properties(twofold_${name} PROPERTIES EXCLUDE_FROM_ALL ${TWOFOLD_FUZZ})
  set_property(GLOBAL APPEND PROPERTY TWOFOLD_STEPS ${name})
endfunction()
