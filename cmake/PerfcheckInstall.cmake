# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The package that find_package(perfcheck) finds, for projects with their own kernels, in an install tree or in this
# build tree. Included last, when every target exists.
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(PERFCHECK_WITHOUT)
  install(CODE "message(FATAL_ERROR \"a build without ${PERFCHECK_WITHOUT} proves nothing: it is not to be installed\")")
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/perfcheck")
set(modules clock model stats protocol session device measure verify worker kit sealed)
set(targets perfcheck_warnings perfcheck_kernel_common perfcheck_kernel_api perfcheck_gemm_operation perfcheck_worker_cpu)
foreach(module IN LISTS modules)
  list(APPEND targets perfcheck_${module})
  install(DIRECTORY harness/src/${module}/include/perfcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  target_include_directories(perfcheck_${module} INTERFACE
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
if(PERFCHECK_CUDA)
  list(APPEND targets perfcheck_device_cuda perfcheck_verify_cuda perfcheck_gemm_operation_cuda perfcheck_worker_cuda)
endif()
install(DIRECTORY harness/include/perfcheck kernels/common/include/perfcheck
  kernels/gemm/operation/include/perfcheck kernels/gemm/common/include/perfcheck DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Consumers see perfcheck::worker_cpu, not perfcheck::perfcheck_worker_cpu.
foreach(target IN LISTS targets)
  string(REGEX REPLACE "^perfcheck_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(NOT TARGET perfcheck::${name})
    add_library(perfcheck::${name} ALIAS ${target})
  endif()
endforeach()
install(TARGETS ${PERFCHECK_WORKERS} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(PERFCHECK_TOOL)
  set_target_properties(perfcheck PROPERTIES EXPORT_NAME perfcheck)
  list(APPEND targets perfcheck)
endif()

install(TARGETS ${targets} EXPORT perfcheckTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# The program that perfcheck_add_worker() runs; not meant to be called by hand.
set_target_properties(perfcheck_object_code PROPERTIES EXPORT_NAME object_code)
install(TARGETS perfcheck_object_code EXPORT perfcheckTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/perfcheck)
install(EXPORT perfcheckTargets NAMESPACE perfcheck:: DESTINATION ${package_dir})
export(EXPORT perfcheckTargets NAMESPACE perfcheck:: FILE "${PROJECT_BINARY_DIR}/perfcheckTargets.cmake")

write_basic_package_version_file("${PROJECT_BINARY_DIR}/perfcheckConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
configure_file(cmake/perfcheckConfig.cmake.in "${PROJECT_BINARY_DIR}/perfcheckConfig.cmake" @ONLY)
set(package_files "${CMAKE_CURRENT_LIST_DIR}/PerfcheckKernels.cmake" "${CMAKE_CURRENT_LIST_DIR}/PerfcheckTunedTable.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/worker_main.cpp.in"
  "${CMAKE_CURRENT_LIST_DIR}/PerfcheckFindCudaToolkit.cmake")
file(COPY ${package_files} DESTINATION "${PROJECT_BINARY_DIR}")
install(FILES ${package_files} "${PROJECT_BINARY_DIR}/perfcheckConfig.cmake"
  "${PROJECT_BINARY_DIR}/perfcheckConfigVersion.cmake" DESTINATION ${package_dir})
