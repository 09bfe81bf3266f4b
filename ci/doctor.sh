#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds perfcheck and its workers and says what on this machine will disturb measurements, and how to fix it.
#
# Usage: ci/doctor.sh [-p PRESET] [--] [ARGUMENT OF perfcheck doctor...]
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

ci/build.sh -p "$preset" programs >&2
exec "build/$preset/bin/perfcheck" doctor "${arguments[@]}"
