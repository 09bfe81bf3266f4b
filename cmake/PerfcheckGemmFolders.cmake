# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# This project's GEMM kernels: a folder for each instruction set or library, whose own CMakeLists.txt says how it is
# compiled. A new folder need not be named anywhere else.
include_guard(GLOBAL)

# perfcheck_test_architectures(<variable>): the architectures that kernels of tests are compiled for. They run on the
# device that they were built for; PTX for later ones would take a quarter of their compile time.
function(perfcheck_test_architectures variable)
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  if(NOT PERFCHECK_PORTABLE)
    list(FILTER architectures EXCLUDE REGEX "virtual$")
  endif()
  if(architectures)
    set(${variable} ${architectures} PARENT_SCOPE)
  endif()
endfunction()

# perfcheck_gemm_folder(BACKEND <cpu|cuda>
#   [HELPERS <file>...]         register no kernel; all other .cpp files do, and all other .cu files if BACKEND is cuda
#   [ARCHS <architecture>...]   that the kernels need, as in 90a-real; default: those of the build
#   [TESTS]                     for tests alone, as kernels that are wrong on purpose: in no worker that ships
#   [TUNING]                    some kernels have a space of parameters: `perfcheck tune` gets every point of it
#   [UNTUNED <file>...]         not in the worker for tuning
#   [REFERENCES <ALL|file>...]  hold reference kernels, the only ones that a judge may hold
#   [EXCEPT <file>...]          hold none although REFERENCES says ALL
#   [LIBRARIES <library>...] [REFERENCE_LIBRARIES <library>...])
#
# Adds the kernels of the calling folder: a target of perfcheck_add_kernels() for the workers that ship and, if they
# differ, one for judges and one for tuning. Flags of single files: set_source_files_properties().
function(perfcheck_gemm_folder)
  cmake_parse_arguments(PARSE_ARGV 0 arg "TESTS;TUNING" "BACKEND"
    "HELPERS;ARCHS;UNTUNED;REFERENCES;EXCEPT;LIBRARIES;REFERENCE_LIBRARIES")
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
  set(place "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt: perfcheck_gemm_folder()")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${place}: unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_BACKEND MATCHES "^(cpu|cuda)$")
    message(FATAL_ERROR "${place}: BACKEND must be cpu or cuda")
  endif()
  set(patterns *.cpp)
  if(arg_BACKEND STREQUAL "cuda")
    list(APPEND patterns *.cu)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" ${patterns})
  if(arg_EXCEPT AND NOT arg_REFERENCES STREQUAL "ALL")
    message(FATAL_ERROR "${place}: EXCEPT belongs to REFERENCES ALL")
  endif()
  foreach(list IN ITEMS HELPERS UNTUNED REFERENCES EXCEPT)
    foreach(named IN LISTS arg_${list})
      if(NOT named IN_LIST sources AND NOT "${list} ${named}" STREQUAL "REFERENCES ALL")
        message(FATAL_ERROR "${place}: ${list} names ${named}, which is no source of this folder; correct it, or take it out")
      endif()
    endforeach()
  endforeach()
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE taken)
  set_property(GLOBAL APPEND PROPERTY PERFCHECK_GEMM_SOURCES ${taken})
  set(kernels ${sources})
  list(REMOVE_ITEM kernels ${arg_HELPERS})
  if(NOT kernels)
    message(FATAL_ERROR "${place}: this folder has no kernel; add one, or remove the folder")
  endif()
  if(arg_EXCEPT)
    set(arg_REFERENCES ${kernels})
    list(REMOVE_ITEM arg_REFERENCES ${arg_EXCEPT})
  endif()
  if(arg_BACKEND STREQUAL "cuda" AND NOT PERFCHECK_CUDA)
    return()
  endif()

  set(target perfcheck_kernels_gemm_${folder})
  set(set SET gemm/${folder} HELPERS ${arg_HELPERS} ARCHS ${arg_ARCHS})
  if(arg_REFERENCES)
    list(APPEND set REFERENCES)
  endif()
  set(libraries LIBRARIES ${arg_LIBRARIES} ${arg_REFERENCE_LIBRARIES})
  if(arg_TESTS)
    perfcheck_test_architectures(CMAKE_CUDA_ARCHITECTURES)
    perfcheck_add_kernels(${target} ${set} SOURCES ${kernels} ${libraries})
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  set(kinds KERNELS)

  # What `perfcheck tune` found on the devices that have baselines.
  file(GLOB tuned CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/baselines/*/gemm.tuned.json")
  perfcheck_add_kernels(${target} ${set} SOURCES ${kernels} ${libraries} TUNED ${tuned})

  if(arg_REFERENCES STREQUAL "ALL")
    list(APPEND kinds REFERENCES)
  elseif(arg_REFERENCES)
    perfcheck_add_kernels(${target}_reference ${set} SOURCES ${arg_REFERENCES} LIBRARIES ${arg_REFERENCE_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY PERFCHECK_GEMM_${arg_BACKEND}_REFERENCES ${target}_reference)
  endif()

  if(arg_TUNING)
    list(REMOVE_ITEM kernels ${arg_UNTUNED})
    perfcheck_add_kernels(${target}_tuning ${set} SOURCES ${kernels} ${libraries} TUNING)
    set_property(GLOBAL APPEND PROPERTY PERFCHECK_GEMM_${arg_BACKEND}_TUNING ${target}_tuning)
    if(arg_BACKEND STREQUAL "cuda")
      # Hundreds of kernels: compiled only on request.
      set_target_properties(${target}_tuning PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  elseif(arg_REFERENCES STREQUAL "ALL")
    list(APPEND kinds TUNING)
  endif()
  foreach(kind IN LISTS kinds)
    set_property(GLOBAL APPEND PROPERTY PERFCHECK_GEMM_${arg_BACKEND}_${kind} ${target})
  endforeach()
endfunction()

# perfcheck_gemm_sets(<variable> <cpu|cuda> <KERNELS|REFERENCES|TUNING>): targets of all folders, for
# perfcheck_add_worker().
function(perfcheck_gemm_sets variable backend kind)
  get_property(targets GLOBAL PROPERTY PERFCHECK_GEMM_${backend}_${kind})
  set(${variable} ${targets} PARENT_SCOPE)
endfunction()

# Adds every folder of <root> that has a CMakeLists.txt, except the given ones. A file below <root> that none of them
# compiles stops the configuration, so that no kernel goes missing unnoticed.
function(perfcheck_add_gemm_folders root)
  file(GLOB lists CONFIGURE_DEPENDS "${root}/*/CMakeLists.txt")
  foreach(list IN LISTS lists)
    cmake_path(GET list PARENT_PATH path)
    cmake_path(GET path FILENAME folder)
    if(NOT folder IN_LIST ARGN)
      add_subdirectory("${path}" "${CMAKE_CURRENT_BINARY_DIR}/gemm/${folder}")
    endif()
  endforeach()

  get_property(taken GLOBAL PROPERTY PERFCHECK_GEMM_SOURCES)
  set(patterns *.c *.cc *.cpp *.cxx *.cu)
  list(TRANSFORM patterns PREPEND "${root}/")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  set(left_out "")
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${root}" OUTPUT_VARIABLE name)
    string(REGEX REPLACE "/.*" "" folder "${name}")
    if(source IN_LIST taken OR folder IN_LIST ARGN)
      continue()
    endif()
    if(NOT name MATCHES "^[^/]+/[^/]+$")
      set(remedy "move it into a folder of ${root} itself, such as simt")
    elseif(NOT EXISTS "${root}/${folder}/CMakeLists.txt")
      set(remedy "write ${root}/${folder}/CMakeLists.txt, which calls perfcheck_gemm_folder(BACKEND cpu) or (BACKEND cuda)")
    else()
      set(remedy "${root}/${folder}/CMakeLists.txt takes .cpp files with perfcheck_gemm_folder(BACKEND cpu), .cpp and .cu "
        "files with (BACKEND cuda): rename or move the file, or correct the list")
      list(JOIN remedy "" remedy)
    endif()
    string(APPEND left_out "\n  ${source}: no target compiles it: ${remedy}")
  endforeach()
  if(left_out)
    message(FATAL_ERROR "perfcheck: kernels that would be left out:${left_out}")
  endif()
endfunction()
