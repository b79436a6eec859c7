# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, library, CMake package and pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/iotadnn)
set(package_files ${PROJECT_BINARY_DIR}/package)

set(headers_without "")
if(NOT IOTADNN_BUILD_MODELS)
  set(headers_without PATTERN models.hpp EXCLUDE)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/iotadnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" ${headers_without})
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/iotadnn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(TARGETS iotadnn iotadnn_compat EXPORT iotadnn-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT iotadnn-targets NAMESPACE iotadnn:: DESTINATION ${package_dir})

# The library of models and the command have dependencies that the core has not: targets of their own,
# which find_package(iotadnn COMPONENTS models) brings.
if(IOTADNN_BUILD_MODELS)
  install(TARGETS iotadnn_frontends iotadnn_models EXPORT iotadnn-models-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT iotadnn-models-targets NAMESPACE iotadnn:: DESTINATION ${package_dir})
  if(TARGET iotadnn_command)
    install(TARGETS iotadnn_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endif()

# A static library leaves the threading runtime, oneDNN and the C++ library to whoever links it.
set(IOTADNN_NEEDS_OPENMP FALSE)
set(IOTADNN_PC_LIBS_PRIVATE "")
if(NOT BUILD_SHARED_LIBS)
  set(IOTADNN_PC_LIBS_PRIVATE "-lstdc++ -lm")
  if(IOTADNN_CPU_RUNTIME STREQUAL "OMP")
    set(IOTADNN_NEEDS_OPENMP TRUE)
    string(APPEND IOTADNN_PC_LIBS_PRIVATE " ${OpenMP_CXX_FLAGS}")
  endif()
  if(IOTADNN_HAS_PRIMITIVES)
    string(APPEND IOTADNN_PC_LIBS_PRIVATE " -ldnnl")
  endif()
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/iotadnn-config.cmake.in
  ${package_files}/iotadnn-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${package_files}/iotadnn-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${package_files}/iotadnn-config.cmake ${package_files}/iotadnn-config-version.cmake
  DESTINATION ${package_dir})

# Relative to the file itself, so that an installed tree can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_dir}
  OUTPUT_VARIABLE IOTADNN_PC_TO_PREFIX)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
  OUTPUT_VARIABLE IOTADNN_PC_LIBDIR)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}
  OUTPUT_VARIABLE IOTADNN_PC_INCLUDEDIR)
configure_file(${CMAKE_CURRENT_LIST_DIR}/iotadnn.pc.in ${package_files}/iotadnn.pc @ONLY)
install(FILES ${package_files}/iotadnn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
