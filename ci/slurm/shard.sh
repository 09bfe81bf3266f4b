#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# One task of the array that ci/slurm/submit.sh submits.
#
# Usage: shard.sh CHECKOUT SHARDS FAN_OUT FOLDER ARGUMENT OF ci/gate.sh...
set -euo pipefail

# Slurm runs a copy of this file, so the checkout has to be named.
checkout=$1 shards=$2 fan_out=$3 folder=$4
shift 4
: "${SLURM_ARRAY_TASK_ID:?is not set: this is no task of an array; submit with ci/slurm/submit.sh}"
exec "$checkout/ci/gate.sh" --shard "$SLURM_ARRAY_TASK_ID/$shards" --fan-out "$fan_out" \
  --out "$folder/$SLURM_ARRAY_TASK_ID" "$@"
