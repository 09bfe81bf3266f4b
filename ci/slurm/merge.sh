#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The job behind the array that ci/slurm/submit.sh submits: merges its shards, from the history where there is one, else
# from their files.
#
# Usage: merge.sh CHECKOUT FAN_OUT OUT ARGUMENT OF ci/merge.sh...
set -euo pipefail

checkout=$1 fan_out=$2 out=$3
shift 3
from=(--in "$out/shards")
[[ -z ${PERFCHECK_HISTORY:-} ]] || from=(--fan-out "$fan_out")
exec "$checkout/ci/merge.sh" "${from[@]}" --out "$out/whole" "$@"
