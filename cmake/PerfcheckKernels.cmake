# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# perfcheck_add_kernels() and perfcheck_add_worker(): used by this project and installed for others.
include_guard(GLOBAL)

# perfcheck_add_kernels(<target>
#   SET <folder name, first part of the kernels' ids, e.g. gemm/simt>
#   SOURCES <file>...          each registers at least one kernel
#   [HELPERS <file>...]        compiled along, registers nothing
#   [ARCHS <architecture>...]  CUDA architectures that this set needs, as in 90a-real; default: those of the build
#   [LIBRARIES <library>...])
#
# An object library: kernels register themselves from static objects, which a linker drops from static libraries.
# When the build leaves out every architecture in ARCHS, the set is not compiled and workers list it as not built.
function(perfcheck_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SET" "SOURCES;HELPERS;ARCHS;LIBRARIES")
  if(NOT arg_SET OR NOT arg_SOURCES)
    message(FATAL_ERROR "perfcheck_add_kernels(${target}): SET and SOURCES are needed")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "perfcheck_add_kernels(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(archs ${CMAKE_CUDA_ARCHITECTURES})
  if(arg_ARCHS)
    set(archs "")
    foreach(arch IN LISTS arg_ARCHS)
      if(arch IN_LIST CMAKE_CUDA_ARCHITECTURES)
        list(APPEND archs ${arch})
      endif()
    endforeach()
    if(NOT archs)
      add_library(${target} INTERFACE)
      set_target_properties(${target} PROPERTIES
        PERFCHECK_SET "${arg_SET}" PERFCHECK_OMITTED "needs CUDA architecture ${arg_ARCHS}; this build has ${CMAKE_CUDA_ARCHITECTURES}")
      return()
    endif()
  endif()

  add_library(${target} OBJECT ${arg_SOURCES} ${arg_HELPERS})
  set(sources "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    list(APPEND sources "${source}")
  endforeach()
  set_target_properties(${target} PROPERTIES
    PERFCHECK_SET "${arg_SET}" PERFCHECK_SOURCES "${sources}" PERFCHECK_LIBRARIES "${arg_LIBRARIES}"
    CXX_STANDARD 20 CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED OFF CUDA_ARCHITECTURES "${archs}")
  target_compile_definitions(${target} PRIVATE PERFCHECK_KERNEL_SET="${arg_SET}")
  # Kernels are named by their path in the project, wherever it was built. Uncompressed device code lets the worker
  # read its own machine code and recognise a kernel that did not change.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-O3;-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>
    $<$<COMPILE_LANGUAGE:CUDA>:-O3;--no-compress;-Xcompiler=-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>)
  if(NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
  target_link_libraries(${target} PRIVATE perfcheck::kernel_api ${arg_LIBRARIES})
  if(TARGET perfcheck_warnings AND PROJECT_NAME STREQUAL "perfcheck")
    target_link_libraries(${target} PRIVATE perfcheck_warnings)
  endif()
endfunction()

# perfcheck_add_worker(<target> BACKEND <cpu|cuda> OPERATION <gemm> KERNELS <kernel target>...)
#
# An executable that speaks the worker protocol (docs/protocol.md) and holds the kernels of the given sets.
function(perfcheck_add_worker target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BACKEND;OPERATION" "KERNELS")
  if(NOT arg_BACKEND MATCHES "^(cpu|cuda)$")
    message(FATAL_ERROR "perfcheck_add_worker(${target}): BACKEND must be cpu or cuda")
  endif()
  if(NOT arg_OPERATION STREQUAL "gemm")
    message(FATAL_ERROR "perfcheck_add_worker(${target}): OPERATION must be gemm, the one operation there is so far")
  endif()
  if(arg_BACKEND STREQUAL "cuda" AND NOT TARGET perfcheck::worker_cuda)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): this perfcheck was built without CUDA")
  endif()

  set(perfcheck_kernel_sources "")
  set(perfcheck_omitted "")
  set(objects "")
  set(libraries "")
  foreach(kernels IN LISTS arg_KERNELS)
    get_target_property(set ${kernels} PERFCHECK_SET)
    get_target_property(reason ${kernels} PERFCHECK_OMITTED)
    if(reason)
      string(APPEND perfcheck_omitted "      {\"${set}\", \"${reason}\"},\n")
      continue()
    endif()
    get_target_property(sources ${kernels} PERFCHECK_SOURCES)
    foreach(source IN LISTS sources)
      string(APPEND perfcheck_kernel_sources "      \"${source}\",\n")
    endforeach()
    list(APPEND objects $<TARGET_OBJECTS:${kernels}>)
    get_target_property(set_libraries ${kernels} PERFCHECK_LIBRARIES)
    if(set_libraries)
      list(APPEND libraries ${set_libraries})
    endif()
  endforeach()

  set(perfcheck_worker_name "${target}")
  set(perfcheck_backend "${arg_BACKEND}")
  if(arg_BACKEND STREQUAL "cuda")
    set(perfcheck_toolkit "${CMAKE_CUDA_COMPILER_VERSION}")
    string(REPLACE ";" " " perfcheck_archs "${CMAKE_CUDA_ARCHITECTURES}")
    set(perfcheck_make_backend "perfcheck::device::make_cuda_backend(index)")
    set(perfcheck_make_operation "make_gemm_operation_cuda")
  else()
    set(perfcheck_toolkit "")
    set(perfcheck_archs "${CMAKE_SYSTEM_PROCESSOR}")
    set(perfcheck_make_backend "((void)index, perfcheck::device::make_cpu_backend())")
    set(perfcheck_make_operation "make_gemm_operation")
  endif()
  set(perfcheck_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  set(perfcheck_build_type "${CMAKE_BUILD_TYPE}")
  set(main "${CMAKE_CURRENT_BINARY_DIR}/${target}_main.cpp")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/worker_main.cpp.in" "${main}" @ONLY)

  add_executable(${target} "${main}" ${objects})
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20)
  target_link_libraries(${target} PRIVATE perfcheck::worker_${arg_BACKEND} ${libraries})
endfunction()
