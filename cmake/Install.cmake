# cmake --install: both programs, the headers, and find_package(twofold COMPONENTS core).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(steps GLOBAL PROPERTY TWOFOLD_STEPS)
set(targets ${steps})
list(TRANSFORM targets PREPEND twofold_)

# twofold::core is all steps that need no libtorch.
set(core_steps ${steps})
list(REMOVE_ITEM core_steps ops nn train)
list(TRANSFORM core_steps PREPEND twofold_)
add_library(twofold_core INTERFACE)
target_link_libraries(twofold_core INTERFACE ${core_steps})
set_target_properties(twofold_core PROPERTIES EXPORT_NAME core)

# twofold::learn is core and the steps that need libtorch.
if(TWOFOLD_LEARN)
  set(learn_steps ${steps})
  list(FILTER learn_steps INCLUDE REGEX "^(ops|nn|train)$")
  list(TRANSFORM learn_steps PREPEND twofold_)
  add_library(twofold_learn INTERFACE)
  target_link_libraries(twofold_learn INTERFACE ${learn_steps} twofold_core)
  set_target_properties(twofold_learn PROPERTIES EXPORT_NAME learn)
  list(APPEND targets twofold_learn)
endif()

install(TARGETS ${targets} twofold_core EXPORT twofoldTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS twofold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TWOFOLD_LEARN)
  install(TARGETS twofold-learn RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY src/twofold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/twofold)
install(EXPORT twofoldTargets NAMESPACE twofold:: DESTINATION ${package_folder})
configure_package_config_file(cmake/twofoldConfig.cmake.in ${PROJECT_BINARY_DIR}/twofoldConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twofoldConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twofoldConfig.cmake ${PROJECT_BINARY_DIR}/twofoldConfigVersion.cmake
              cmake/FindLibsvm.cmake
        DESTINATION ${package_folder})
