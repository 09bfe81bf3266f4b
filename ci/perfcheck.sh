#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, builds perfcheck and its workers, checks every kernel and compares it with the stored baseline. Where this
# device has no baseline yet, one is recorded and the next run compares with it.
#
# Usage: ci/perfcheck.sh [-p PRESET] [--] [ARGUMENT OF perfcheck check...]
#
#   ci/perfcheck.sh --suite smoke --filter 'gemm/simt/*'
#
# Exit code: that of perfcheck check (0 passed, 1 regressed, 2 broken, 3 undecided, 64 usage); 2 when the build fails.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
export_cuda_choice

ci/build.sh -p "$preset" programs >&2 || exit 2

# Without the CUDA worker, a machine with a GPU measures the CPU kernels; perfcheck itself never falls back.
if [[ $PERFCHECK_CUDA == OFF && ! " ${arguments[*]}" =~ \ --(backend|worker) ]]; then
  arguments=(--backend cpu "${arguments[@]}")
fi
exec "build/$preset/bin/perfcheck" check --record-missing-baseline "${arguments[@]}"
