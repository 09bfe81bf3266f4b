# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Options, warnings, the C++ and CUDA language set-up.
include_guard(GLOBAL)

option(PERFCHECK_CUDA "Build the CUDA worker (needs nvcc and cuBLAS; ci/setup.sh provides both)" ON)
option(PERFCHECK_TOOL "Build the perfcheck program" ${PROJECT_IS_TOP_LEVEL})
option(PERFCHECK_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(PERFCHECK_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
option(PERFCHECK_PORTABLE "Programs that travel: only libc, the driver and cuBLAS are needed where they run" OFF)
option(PERFCHECK_SANITIZE "Address and undefined-behaviour sanitizers for host code" OFF)
option(PERFCHECK_FUZZ "Fuzz targets as libFuzzer programs, under the same sanitizers (needs clang)" OFF)
option(PERFCHECK_ALIGN_KERNELS "Begin functions and loops of CPU kernels at fixed steps, so that their speed does not depend on what else is linked" ON)
set(PERFCHECK_ARCHS "" CACHE STRING
  "CUDA architectures, as in 90a-real;80-virtual. Empty: those of the GPUs found here, else 90a-real, plus 80-virtual")

set(PERFCHECK_WITHOUT "" CACHE STRING
  "Defences that this build lacks, for ci/without_defences.sh: its times prove nothing (perfcheck/model/defences.h)")
mark_as_advanced(PERFCHECK_WITHOUT)
if(PERFCHECK_WITHOUT)
  set(defences "${CMAKE_CURRENT_LIST_DIR}/../harness/src/model/include/perfcheck/model/defences.h")
  file(STRINGS "${defences}" known REGEX "\" [A-Z_]+ \"")
  foreach(defence IN LISTS PERFCHECK_WITHOUT)
    if(NOT known MATCHES "\" ${defence} \"")
      message(FATAL_ERROR "PERFCHECK_WITHOUT: there is no defence ${defence}; ${defences} names all")
    endif()
  endforeach()
  list(JOIN PERFCHECK_WITHOUT " " without)
  message(WARNING "perfcheck: without ${without}: a build to try exploits on; its times prove nothing, and it is not installed")
  add_compile_definitions("PERFCHECK_WITHOUT=\" ${without} \"")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type; timings mean nothing without optimisation" FORCE)
endif()

find_program(PERFCHECK_CCACHE ccache)
if(PERFCHECK_CCACHE AND PROJECT_IS_TOP_LEVEL)
  # The locale does not affect the objects, but ctest changes it for the builds that it starts, so ccache must ignore
  # it.
  foreach(language IN ITEMS CXX CUDA)
    set(CMAKE_${language}_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=locale ${PERFCHECK_CCACHE})
  endforeach()
endif()

if(PERFCHECK_CUDA)
  include(PerfcheckCuda)
endif()

# Warnings for this project's own code; never exported to projects that link it.
add_library(perfcheck_warnings INTERFACE)
# Designated initialisers leave members at their defaults on purpose.
set(warnings -Wall -Wextra -Wshadow -Wswitch -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # false alarms on string concatenation: GCC bug 105651
endif()
if(PERFCHECK_WERROR)
  list(APPEND warnings -Werror)
endif()
foreach(warning IN LISTS warnings)
  target_compile_options(perfcheck_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warning}>)
endforeach()
target_compile_options(perfcheck_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>)
# nvcc's generated host code does not survive -Wpedantic, -Wshadow and -Wconversion.
target_compile_options(perfcheck_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers$<$<BOOL:${PERFCHECK_WERROR}>:,-Werror>>
  $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<BOOL:${PERFCHECK_WERROR}>>:-Werror=all-warnings>)

if(PERFCHECK_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>)
  add_link_options(-fsanitize=address,undefined)
endif()

if(PERFCHECK_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "PERFCHECK_FUZZ needs clang (ci/setup.sh fuzz installs it), not ${CMAKE_CXX_COMPILER_ID}; without "
      "it, the tests fuzz.* replay the corpora with any compiler")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()

if(PERFCHECK_PORTABLE)
  add_link_options(-static-libstdc++ -static-libgcc)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
  set(ZLIB_USE_STATIC_LIBS ON)
  find_library(SQLite3_LIBRARY NAMES libsqlite3.a)
endif()
