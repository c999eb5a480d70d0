# cmake --install: the program, man pages, completions, the headers, find_package(twofold COMPONENTS core learn torch), pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(steps GLOBAL PROPERTY TWOFOLD_STEPS)
set(targets ${steps})
list(TRANSFORM targets PREPEND twofold_)

# twofold::core is all steps but training, twofold::learn that too; twofold::torch, where it is built, is the step that needs libtorch.
set(learn_steps ${steps})
list(REMOVE_ITEM learn_steps torch)
list(TRANSFORM learn_steps PREPEND twofold_)
set(core_steps ${learn_steps})
list(REMOVE_ITEM core_steps twofold_train)
foreach(component core learn)
  add_library(twofold_${component} INTERFACE)
  target_link_libraries(twofold_${component} INTERFACE ${${component}_steps})
  set_target_properties(twofold_${component} PROPERTIES EXPORT_NAME ${component})
endforeach()

install(TARGETS ${targets} twofold_core twofold_learn EXPORT twofoldTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS twofold RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TWOFOLD_TORCH)
  install(TARGETS twofold-torch RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY src/twofold DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN torch EXCLUDE)
if(TWOFOLD_TORCH)
  install(DIRECTORY src/twofold/torch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/twofold FILES_MATCHING PATTERN "*.h")
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/twofold)
install(EXPORT twofoldTargets NAMESPACE twofold:: DESTINATION ${package_folder})
configure_package_config_file(cmake/twofoldConfig.cmake.in ${PROJECT_BINARY_DIR}/twofoldConfig.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twofoldConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twofoldConfig.cmake ${PROJECT_BINARY_DIR}/twofoldConfigVersion.cmake
              cmake/FindLibsvm.cmake cmake/FindNauty.cmake
        DESTINATION ${package_folder})

# twofold.pc: all of twofold::learn for those who do not use CMake; a static library comes before those it uses.
set(pkg_config_libraries "")
foreach(step ${steps})
  if("twofold_${step}" IN_LIST learn_steps)
    string(PREPEND pkg_config_libraries "-ltwofold_${step} ")
  endif()
endforeach()
configure_file(cmake/twofold.pc.in ${PROJECT_BINARY_DIR}/twofold.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/twofold.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Man pages and completions are made by the program itself, of the declarations of its options.
set(described ${PROJECT_BINARY_DIR}/described)
add_custom_command(OUTPUT ${described}/stamp
  COMMAND ${CMAKE_COMMAND} -E make_directory ${described}
  COMMAND twofold man -o ${described}/man1 > ${described}/stamp.log
  COMMAND twofold completion bash > ${described}/twofold.bash
  COMMAND twofold completion zsh > ${described}/_twofold
  COMMAND twofold completion fish > ${described}/twofold.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${described}/stamp
  DEPENDS twofold VERBATIM)
add_custom_target(described ALL DEPENDS ${described}/stamp)
install(DIRECTORY ${described}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
install(FILES ${described}/twofold.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME twofold)
install(FILES ${described}/_twofold DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${described}/twofold.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# cpack: one Debian package with all of it (./dev package).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME twofold)
set(CPACK_PACKAGE_CONTACT "The twofold authors <twofold@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Tells graphs apart beyond the 1-WL test, exactly; trains the 2-WL-GNN, its relatives and graph kernels on an
ordinary CPU, evaluates them by nested cross-validation and shows why they decide. The program twofold, the C++ library with
headers for CMake and pkg-config, man pages and shell completion.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What only the modules of RDKit and MPI link is recommended: CPack's own search for libraries goes through a script that leaves it out.
file(WRITE ${PROJECT_BINARY_DIR}/CPackShlibdeps.cmake "set(SHLIBDEPS_EXECUTABLE \"${PROJECT_SOURCE_DIR}/cmake/shlibdeps\")\n")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_BINARY_DIR}/CPackShlibdeps.cmake)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "graphviz, gnuplot-nox | gnuplot, librsvg2-bin, ca-certificates")
if(TARGET twofold_rdkit)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", librdkit1")
endif()
if(TARGET twofold_mpi)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libopenmpi3")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, libfmt-dev, nlohmann-json3-dev, libarchive-dev, libcurl4-openssl-dev, zlib1g-dev, libhwy-dev, libsvm-dev, libnauty2-dev, libtomlplusplus-dev")
include(CPack)
