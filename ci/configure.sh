#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets the machine up (ci/setup.sh) and configures build/PRESET with CMake.
#
# Usage: ci/configure.sh [-p PRESET] [CMAKE_ARGUMENT...]
#
# PRESET is one of CMakePresets.json; the default is dev, or cpu-only with PERFCHECK_CUDA=OFF. PERFCHECK_PRESET names
# another default.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
export_cuda_choice

ci/setup.sh packages cuda web

options=()
if [[ $PERFCHECK_CUDA == OFF ]]; then
  options+=(-DPERFCHECK_CUDA=OFF)
else
  options+=(-DPERFCHECK_CUDA=ON)
  # ci/setup.sh has already taken CUDACXX into account; cmake/PerfcheckCuda.cmake uses the toolkit that it chose.
  unset CUDACXX
fi

cached() { sed -n "s/^$1:[A-Z]*=//p" "build/$preset/CMakeCache.txt"; }

# A folder configured for another compiler or another place cannot be reconfigured; CMake's error would be hard to
# understand.
if [[ -f build/$preset/CMakeCache.txt ]]; then
  compiler=$(cached CMAKE_CUDA_COMPILER)
  if [[ $(cached CMAKE_HOME_DIRECTORY) != "$PWD" ]]; then
    say "build/$preset was configured in another folder; starting it afresh"
    options+=(--fresh)
  elif [[ $PERFCHECK_CUDA != OFF && -n $compiler && ! $compiler -ef .toolchain/cuda/bin/nvcc ]]; then
    say "build/$preset was configured for $compiler; starting it afresh"
    options+=(--fresh)
  fi
fi

exec cmake --preset "$preset" "${options[@]}" "${arguments[@]}"
