# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# perfcheck_add_kernels(), perfcheck_add_operation() and perfcheck_add_worker(): used by this project and installed for
# others.
include_guard(GLOBAL)
include(CheckCXXCompilerFlag)
include("${CMAKE_CURRENT_LIST_DIR}/PerfcheckTunedTable.cmake")

# C++20 for both languages, even if CMake does not know that nvcc supports it.
function(perfcheck_use_cxx_20 target)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20 CUDA_STANDARD 20 CUDA_STANDARD_REQUIRED OFF)
  if(NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
  endif()
endfunction()

# The address of a CPU kernel depends on everything that the linker puts in front of it, and its speed depends on the
# addresses of its loops (docs/how-the-gate-decides.md has figures). Alignment makes speed independent of what comes
# before. PERFCHECK_ALIGN_KERNELS=OFF switches it off.
function(perfcheck_align_code target)
  if(DEFINED PERFCHECK_ALIGN_KERNELS AND NOT PERFCHECK_ALIGN_KERNELS)
    return()
  endif()
  foreach(flag IN ITEMS -falign-functions=64 -falign-loops=32)
    string(MAKE_C_IDENTIFIER "PERFCHECK_HAS${flag}" known)
    check_cxx_compiler_flag("${flag}" ${known})
    if(${known})
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
    endif()
  endforeach()
endfunction()

# perfcheck_add_kernels(<target>
#   SET <folder name, first part of the kernels' ids, e.g. gemm/simt>
#   SOURCES <file>...          each registers at least one kernel
#   [HELPERS <file>...]        compiled along, registers nothing
#   [ARCHS <architecture>...]  CUDA architectures that this set needs, as in 90a-real; default: those of the build
#   [TUNED <file>...]          results of `perfcheck tune`: the parameters of kernels that have a space of them
#   [REFERENCES]               kernels of this set may be references for others (.reference)
#   [TUNING]                   every point of a space is a kernel of its own, for `perfcheck tune`
#   [LIBRARIES <library>...])
#
# An object library: kernels register themselves from static objects, which a linker drops from static libraries.
# When the build leaves out every architecture in ARCHS, the set is not compiled and workers list it as not built.
function(perfcheck_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TUNING;REFERENCES" "SET" "SOURCES;HELPERS;ARCHS;LIBRARIES;TUNED")
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
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE name)
    list(APPEND sources "${name}")
    # The file's name in the project, independent of where the project lies and which path the compiler gets.
    get_property(definitions SOURCE "${source}" PROPERTY COMPILE_DEFINITIONS)
    if(NOT "PERFCHECK_KERNEL_FILE=\"${name}\"" IN_LIST definitions)
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS "PERFCHECK_KERNEL_FILE=\"${name}\"")
    endif()
  endforeach()
  # One object for each kernel file, so that its machine code can be identified.
  set_target_properties(${target} PROPERTIES
    PERFCHECK_SET "${arg_SET}" PERFCHECK_SOURCES "${sources}" PERFCHECK_LIBRARIES "${arg_LIBRARIES}"
    CUDA_ARCHITECTURES "${archs}" UNITY_BUILD OFF)
  target_compile_definitions(${target} PRIVATE
    PERFCHECK_KERNEL_SET="${arg_SET}" PERFCHECK_KERNEL_REFERENCES=$<BOOL:${arg_REFERENCES}>)
  if(arg_TUNING)
    target_compile_definitions(${target} PRIVATE PERFCHECK_TUNING)
  elseif(arg_TUNED OR "TUNED" IN_LIST arg_KEYWORDS_MISSING_VALUES)
    set(tuned "${CMAKE_CURRENT_BINARY_DIR}/tuned/${target}")
    perfcheck_write_tuned_table("${tuned}/perfcheck/tuned_table.h" ${arg_TUNED})
    target_include_directories(${target} PRIVATE "${tuned}")
  endif()
  # Messages name files by their path in the project, too. Uncompressed device code lets the worker read its own machine
  # code and recognise a kernel that did not change.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-O3;-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>
    $<$<COMPILE_LANGUAGE:CUDA>:-O3;--no-compress;-Xcompiler=-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>)
  perfcheck_align_code(${target})
  perfcheck_use_cxx_20(${target})
  target_link_libraries(${target} PRIVATE perfcheck::kernel_api ${arg_LIBRARIES})
  if(TARGET perfcheck_warnings AND PROJECT_NAME STREQUAL "perfcheck")
    target_link_libraries(${target} PRIVATE perfcheck_warnings)
  endif()
endfunction()

# perfcheck_add_operation(<target>
#   SOURCES <file>...          the last statement of one of them is PERFCHECK_OPERATION(...), perfcheck/kit/lines.h
#   [HEADER <file>]            instead of that statement: declares a function, as the worker's main file is to include it
#   [MAKE <function>])         std::unique_ptr<perfcheck::worker::Operation>(perfcheck::verify::MakeEngine), its name
#
# A library with a project's own operation; the calling folder is one of its include directories. Kernels are not part
# of it. If the project enables CUDA, sources with PERFCHECK_OPERATION are also compiled for CUDA, as <target>_cuda,
# which CUDA workers link. examples/own-kernels has two operations.
function(perfcheck_add_operation target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;MAKE" "SOURCES")
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "perfcheck_add_operation(${target}): SOURCES are needed")
  endif()
  if((arg_HEADER AND NOT arg_MAKE) OR (arg_MAKE AND NOT arg_HEADER))
    message(FATAL_ERROR "perfcheck_add_operation(${target}): HEADER and MAKE go together; with PERFCHECK_OPERATION(...) in "
      "the source, neither is needed")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "perfcheck_add_operation(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  perfcheck_add_operation_library(${target} ${arg_SOURCES})
  if(arg_MAKE)
    set_target_properties(${target} PROPERTIES
      PERFCHECK_OPERATION_HEADER "${arg_HEADER}" PERFCHECK_OPERATION_MAKE "${arg_MAKE}")
    return()
  endif()
  string(MAKE_C_IDENTIFIER "perfcheck_make_operation_of_${target}" make)
  set_target_properties(${target} PROPERTIES PERFCHECK_OPERATION_MAKE "${make}")
  target_compile_definitions(${target} PRIVATE PERFCHECK_MAKE_OPERATION=${make})
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CUDA" IN_LIST languages OR NOT (TARGET perfcheck::verify_cuda OR TARGET perfcheck_verify_cuda))
    return()
  endif()
  # A file can have only one language, so a second file includes the first.
  set(cuda_sources "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET source STEM name)
    set(cuda_source "${CMAKE_CURRENT_BINARY_DIR}/${target}_${name}.cu")
    file(CONFIGURE OUTPUT "${cuda_source}" CONTENT "#include \"${path}\"\n" @ONLY)
    list(APPEND cuda_sources "${cuda_source}")
  endforeach()
  perfcheck_add_operation_library(${target}_cuda ${cuda_sources})
  # Settings of the first library also apply to the second.
  target_include_directories(${target}_cuda PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target}_cuda PRIVATE $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  target_link_libraries(${target}_cuda PUBLIC perfcheck::verify_cuda)
endfunction()

function(perfcheck_add_operation_library target)
  add_library(${target} STATIC ${ARGN})
  target_compile_features(${target} PUBLIC cxx_std_20)
  perfcheck_use_cxx_20(${target})
  # Always -O3, so that comparisons between replays take the same time in every optimised build.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
  target_include_directories(${target} PUBLIC "${CMAKE_CURRENT_SOURCE_DIR}")
  target_link_libraries(${target} PUBLIC perfcheck::kit)
  if(TARGET perfcheck_warnings AND PROJECT_NAME STREQUAL "perfcheck")
    target_link_libraries(${target} PRIVATE perfcheck_warnings)
  endif()
endfunction()

# perfcheck_add_worker(<target> BACKEND <cpu|cuda> OPERATION <operation>... KERNELS <kernel target>...
#   [VERSION <version>] [JUDGE])
#
# An executable that speaks the worker protocol (docs/protocol.md) and holds the kernels of the given sets. An operation
# is gemm, which comes with perfcheck, or a target of perfcheck_add_operation(). Problems of the first operation need no
# name in front. Problems of gemm never have one, so gemm must come first. The version, which runs keep, is the
# project's unless given. With JUDGE, the executable is the trusted program of sealed timing (docs/sealed.md), whose
# only kernels are the library's reference kernels.
function(perfcheck_add_worker target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "JUDGE" "BACKEND;VERSION" "OPERATION;KERNELS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_BACKEND MATCHES "^(cpu|cuda)$")
    message(FATAL_ERROR "perfcheck_add_worker(${target}): BACKEND must be cpu or cuda")
  endif()
  if(NOT arg_KERNELS)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): KERNELS names no target of perfcheck_add_kernels()")
  endif()
  if(NOT arg_OPERATION)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): OPERATION names no operation")
  endif()
  list(FIND arg_OPERATION gemm place_of_gemm)
  if(place_of_gemm GREATER 0)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): OPERATION: gemm comes first, as its problems have no name in front")
  endif()
  if(arg_BACKEND STREQUAL "cuda" AND NOT TARGET perfcheck::worker_cuda)
    message(FATAL_ERROR "perfcheck_add_worker(${target}): this perfcheck was built without CUDA")
  endif()

  set(perfcheck_kernel_sources "")
  set(perfcheck_omitted "")
  set(objects "")
  set(code_of "")
  set(libraries "")
  foreach(kernels IN LISTS arg_KERNELS)
    set(set "")
    if(TARGET ${kernels})
      get_target_property(set ${kernels} PERFCHECK_SET)
    endif()
    if(NOT set)
      message(FATAL_ERROR "perfcheck_add_worker(${target}): ${kernels} is no target of perfcheck_add_kernels()")
    endif()
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
    list(APPEND code_of --kernels ${sources} --objects $<TARGET_OBJECTS:${kernels}>)
    get_target_property(set_libraries ${kernels} PERFCHECK_LIBRARIES)
    if(set_libraries)
      list(APPEND libraries ${set_libraries})
    endif()
  endforeach()

  set(perfcheck_worker_name "${target}")
  set(perfcheck_worker_version "${arg_VERSION}")
  if(NOT arg_VERSION)
    set(perfcheck_worker_version "${PROJECT_VERSION}")
    if(NOT PROJECT_VERSION)
      set(perfcheck_worker_version "unversioned")
    endif()
  endif()
  set(perfcheck_backend "${arg_BACKEND}")
  if(arg_BACKEND STREQUAL "cuda")
    set(perfcheck_toolkit "${CMAKE_CUDA_COMPILER_VERSION}")
    string(REPLACE ";" " " perfcheck_archs "${CMAKE_CUDA_ARCHITECTURES}")
    set(perfcheck_make_backend "perfcheck::device::make_cuda_backend(index)")
    set(make_engine "perfcheck::verify::make_cuda_engine(backend)")
    set(make_gemm "perfcheck::make_gemm_operation_cuda()")
    set(device perfcheck::device_cuda perfcheck::verify_cuda)
    set(perfcheck_kernel_objects "{}")
  else()
    set(perfcheck_kernel_objects "perfcheck::worker::kernel_objects()")
    set(perfcheck_toolkit "")
    set(perfcheck_archs "${CMAKE_SYSTEM_PROCESSOR}")
    set(perfcheck_make_backend "((void)index, perfcheck::device::make_cpu_backend())")
    set(make_engine "((void)backend, perfcheck::verify::make_host_engine())")
    set(make_gemm "perfcheck::make_gemm_operation()")
    set(device "")
  endif()
  set(perfcheck_operation_headers "")
  set(perfcheck_operation_declarations "")
  set(perfcheck_operations "")
  foreach(operation IN LISTS arg_OPERATION)
    set(make "")
    if(TARGET "${operation}")
      get_target_property(header ${operation} PERFCHECK_OPERATION_HEADER)
      get_target_property(make ${operation} PERFCHECK_OPERATION_MAKE)
    endif()
    if(make AND NOT header)
      set(header "perfcheck/worker/operation.h")
      string(APPEND perfcheck_operation_declarations
        "std::unique_ptr<perfcheck::worker::Operation> ${make}(perfcheck::verify::MakeEngine);\n")
      if(arg_BACKEND STREQUAL "cuda")
        set(operation "${operation}_cuda")
      endif()
      if(NOT TARGET "${operation}")
        message(FATAL_ERROR "perfcheck_add_worker(${target}): there is no ${operation}: enable_language(CUDA) comes before "
          "perfcheck_add_operation()")
      endif()
    endif()
    if(make)
      set(make "${make}([](perfcheck::device::Backend& backend) { return ${make_engine}; })")
      list(APPEND libraries ${operation} ${device})
    elseif(operation STREQUAL "gemm")
      set(header "perfcheck/gemm_operation.h")
      set(make "${make_gemm}")
      list(APPEND libraries perfcheck::worker_${arg_BACKEND})
    else()
      message(FATAL_ERROR "perfcheck_add_worker(${target}): OPERATION ${operation} is neither gemm nor a target of "
        "perfcheck_add_operation()")
    endif()
    string(APPEND perfcheck_operation_headers "#include \"${header}\"\n")
    string(APPEND perfcheck_operations "  setup.operations.push_back(${make});\n")
  endforeach()
  set(perfcheck_main_header "perfcheck/worker/worker.h")
  set(perfcheck_main "perfcheck::worker::worker_main")
  if(arg_JUDGE)
    set(perfcheck_main_header "perfcheck/sealed/judge.h")
    set(perfcheck_main "perfcheck::sealed::judge_main")
    list(APPEND libraries perfcheck::sealed)
  endif()
  set(perfcheck_compiler "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  set(perfcheck_build_type "${CMAKE_BUILD_TYPE}")
  set(main "${CMAKE_CURRENT_BINARY_DIR}/${target}_main.cpp")
  configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/worker_main.cpp.in" "${main}" @ONLY)

  set(generated "${main}")
  if(arg_BACKEND STREQUAL "cpu")
    # A worker reads GPU code from its own file. CPU code is read before linking, because the linker changes it.
    set(code "${CMAKE_CURRENT_BINARY_DIR}/${target}_code.cpp")
    add_custom_command(OUTPUT "${code}" COMMAND perfcheck::object_code "${code}" ${code_of}
      DEPENDS perfcheck::object_code ${objects} COMMENT "Reading the machine code of ${target}'s kernels"
      VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND generated "${code}")
  endif()
  add_executable(${target} ${generated} ${objects})
  set_target_properties(${target} PROPERTIES CXX_STANDARD 20)
  target_link_libraries(${target} PRIVATE ${libraries})
endfunction()
