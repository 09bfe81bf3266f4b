#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# What a pod of ci/kubernetes/job.yaml does: measures its shard and puts it into the history.
#
# Usage: shard.sh      with JOB_COMPLETION_INDEX, which Kubernetes sets, PERFCHECK_SHARDS, PERFCHECK_FAN_OUT and
#                      PERFCHECK_HISTORY
set -euo pipefail

: "${JOB_COMPLETION_INDEX:?is not set: this is no pod of an Indexed Job; see ci/kubernetes/run.sh}"
: "${PERFCHECK_SHARDS:?}" "${PERFCHECK_FAN_OUT:?}" "${PERFCHECK_HISTORY:?}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exec "$root/ci/gate.sh" --programs "${PERFCHECK_PROGRAMS:-$root}" --shard "$((JOB_COMPLETION_INDEX + 1))/$PERFCHECK_SHARDS" \
  --fan-out "$PERFCHECK_FAN_OUT" --out "${TMPDIR:-/tmp}/perfcheck-out" "$@"
