#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, configures and builds.
#
# Usage: ci/build.sh [-p PRESET] [TARGET...]          (default: everything)
#
# Compiles as many files at once as there are processors; PERFCHECK_JOBS gives another number.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

ci/configure.sh -p "$preset"
((${#arguments[@]})) || arguments=(all)
exec cmake --build "build/$preset" --parallel "${PERFCHECK_JOBS:-$(nproc)}" --target "${arguments[@]}"
