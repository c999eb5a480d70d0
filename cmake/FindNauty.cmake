# Nauty::Nauty: the header <nauty/nauty.h> and the library nauty.
find_path(NAUTY_INCLUDE_DIR nauty/nauty.h)
find_library(NAUTY_LIBRARY nauty)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nauty REQUIRED_VARS NAUTY_LIBRARY NAUTY_INCLUDE_DIR)
if(Nauty_FOUND AND NOT TARGET Nauty::Nauty)
  add_library(Nauty::Nauty UNKNOWN IMPORTED)
  set_target_properties(Nauty::Nauty PROPERTIES IMPORTED_LOCATION ${NAUTY_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${NAUTY_INCLUDE_DIR})
endif()
