# Libsvm::Libsvm: the header <svm.h>, which Debian keeps in a folder libsvm, and the library svm.
find_path(LIBSVM_INCLUDE_DIR svm.h PATH_SUFFIXES libsvm)
find_library(LIBSVM_LIBRARY svm)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Libsvm REQUIRED_VARS LIBSVM_LIBRARY LIBSVM_INCLUDE_DIR)
if(Libsvm_FOUND AND NOT TARGET Libsvm::Libsvm)
  add_library(Libsvm::Libsvm UNKNOWN IMPORTED)
  set_target_properties(Libsvm::Libsvm PROPERTIES IMPORTED_LOCATION ${LIBSVM_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${LIBSVM_INCLUDE_DIR})
endif()
