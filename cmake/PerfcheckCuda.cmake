# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the CUDA toolkit that ci/setup.sh chose or installed, and enables the language.
include_guard(GLOBAL)

# The toolkit from the wheels lies in the source tree; without it, CMake's own search (CUDACXX, PATH) decides.
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX}
   AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/.toolchain/cuda/bin/nvcc")
  file(REAL_PATH "${CMAKE_CURRENT_SOURCE_DIR}/.toolchain/cuda" toolkit)
  set(CMAKE_CUDA_COMPILER "${toolkit}/bin/nvcc" CACHE FILEPATH "CUDA compiler")
endif()

if(NOT PERFCHECK_ARCHS)
  set(native "")
  find_program(PERFCHECK_NVIDIA_SMI nvidia-smi)
  if(PERFCHECK_NVIDIA_SMI)
    execute_process(COMMAND ${PERFCHECK_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE capabilities ERROR_QUIET RESULT_VARIABLE result)
    if(result EQUAL 0)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
      foreach(capability IN LISTS capabilities)
        string(REPLACE "." "" capability "${capability}")
        # 9.0 and newer have architecture-specific instructions (wgmma, tcgen05) behind the "a" target.
        if(capability GREATER_EQUAL 90)
          string(APPEND capability "a")
        endif()
        list(APPEND native "${capability}-real")
      endforeach()
      list(REMOVE_DUPLICATES native)
    endif()
  endif()
  if(NOT native)
    set(native 90a-real)
  endif()
  set(PERFCHECK_ARCHS "${native};80-virtual")
endif()
set(CMAKE_CUDA_ARCHITECTURES ${PERFCHECK_ARCHS})
message(STATUS "perfcheck: CUDA architectures ${PERFCHECK_ARCHS}")

enable_language(CUDA)
include(PerfcheckFindCudaToolkit)
if(NOT TARGET CUDA::cublasLt)
  message(FATAL_ERROR "The CUDA toolkit at ${CUDAToolkit_LIBRARY_ROOT} has no cuBLAS. Run ci/setup.sh, which fetches a "
    "toolkit that has it, or configure with -DPERFCHECK_CUDA=OFF to build without CUDA.")
endif()

# CMake 3.25 silently ignores CMAKE_CUDA_STANDARD 20 for compilers that are newer than it knows. Unless
# CMAKE_CUDA_STANDARD_REQUIRED is set, it takes the value of CMAKE_CXX_STANDARD_REQUIRED and insists on C++20.
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED OFF)
if(NOT "cuda_std_20" IN_LIST CMAKE_CUDA_COMPILE_FEATURES)
  add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
endif()
