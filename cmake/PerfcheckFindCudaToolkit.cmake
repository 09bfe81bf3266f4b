# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Finds the CUDA toolkit's libraries, for this build and for users of the package.

# For projects that ask for CMake 3.25, Debian 12's 3.25.1 marks CUDA::nvToolsExt as deprecated without checking that it
# exists, and CUDA 13 does not have it.
set(perfcheck_minimum_cmake ${CMAKE_MINIMUM_REQUIRED_VERSION})
set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
find_package(CUDAToolkit 12.8 REQUIRED)
set(CMAKE_MINIMUM_REQUIRED_VERSION ${perfcheck_minimum_cmake})
unset(perfcheck_minimum_cmake)
