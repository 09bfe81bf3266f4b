#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sets up, builds everything and runs the tests. Tests that need a GPU are skipped, and counted, where there is none.
#
# Usage: ci/test.sh [-p PRESET] [CTEST_ARGUMENT...]
#
#   ci/test.sh -p asan                 under the address and undefined-behaviour sanitizers
#   ci/test.sh -L gpu                  only the tests that need a GPU
#   ci/test.sh -R 'Decide|Baseline'    only tests with such names
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

ci/setup.sh tests
ci/build.sh -p "$preset"
exec ctest --preset "$preset" "${arguments[@]}"
