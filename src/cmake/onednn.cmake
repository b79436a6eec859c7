# SPDX-License-Identifier: Apache-2.0
# oneDNN's primitives, as Debian's libdnnl-dev has them: target iotadnn_onednn and IOTADNN_HAS_ONEDNN.
# Its own package file asks for OpenCL's headers, which nothing here needs.
set(IOTADNN_WITH_ONEDNN AUTO CACHE STRING "Use oneDNN's primitives: AUTO (where they are found), ON or OFF")
set_property(CACHE IOTADNN_WITH_ONEDNN PROPERTY STRINGS AUTO ON OFF)

set(IOTADNN_HAS_ONEDNN OFF)
if(IOTADNN_WITH_ONEDNN)
  find_path(IOTADNN_ONEDNN_INCLUDE dnnl.hpp)
  find_library(IOTADNN_ONEDNN_LIBRARY dnnl)
  mark_as_advanced(IOTADNN_ONEDNN_INCLUDE IOTADNN_ONEDNN_LIBRARY)
  if(IOTADNN_ONEDNN_INCLUDE AND IOTADNN_ONEDNN_LIBRARY)
    add_library(iotadnn_onednn INTERFACE)
    target_include_directories(iotadnn_onednn SYSTEM INTERFACE ${IOTADNN_ONEDNN_INCLUDE})
    target_link_libraries(iotadnn_onednn INTERFACE ${IOTADNN_ONEDNN_LIBRARY})
    set(IOTADNN_HAS_ONEDNN ON)
  elseif(NOT IOTADNN_WITH_ONEDNN STREQUAL "AUTO")
    message(FATAL_ERROR "IOTADNN_WITH_ONEDNN is ${IOTADNN_WITH_ONEDNN}, and dnnl.hpp or libdnnl is not "
      "found; install Debian's libdnnl-dev, or set it to OFF.")
  endif()
endif()

# The library itself uses them where they run on the threads that it runs on: Debian's oneDNN has
# OpenMP, which a sequential library does not start.
set(IOTADNN_HAS_PRIMITIVES OFF)
if(IOTADNN_HAS_ONEDNN AND IOTADNN_CPU_RUNTIME STREQUAL "OMP")
  set(IOTADNN_HAS_PRIMITIVES ON)
endif()
