#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The gate on Kubernetes: applies ci/kubernetes/job.yaml, waits until every shard is measured, merges them from the history
# and decides.
#
# Usage: ci/kubernetes/run.sh --image IMAGE --product NAME --shards N --history PLACE --programs DIR --out DIR [OPTION VALUE...] \
#                          [-- ARGUMENT OF perfcheck merge...]
#
#   --image IMAGE       holds what ci/pack_gate.sh packed, in /perfcheck
#   --product NAME      value of the node label nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3
#   --shards N          parts of the cases, one pod and one GPU each
#   --parallelism N     pods at once (default: all)
#   --history PLACE     PostgreSQL as it is reached from here (default: PERFCHECK_HISTORY); pods take their address from the
#                       secret perfcheck-history, key address
#   --programs DIR      perfcheck for here, as for ci/merge.sh
#   --out DIR           where the results go
#   --namespace NAME    default: kubectl's
#   --name NAME         of the job and of the fan-out (default: one that is not used yet)
#   --timeout S         give up after S seconds (default 7200)
#   --render            only print the manifest
#   --config, --baselines, --report-url: as for ci/merge.sh
#
# Where the manifest gives the shards another suite or a filter, say so to the merge: -- --suite NAME --filter GLOB.
#
# Exit code: that of ci/merge.sh; a pod that failed is a shard that is missing (2). Ctrl-C deletes the job.
caller=$PWD
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
source ci/gate_steps.sh
root=$PWD
cd "$caller" || exit

render=0
arguments=()
for one in "$@"; do if [[ $one == --render ]]; then render=1; else arguments+=("$one"); fi; done
read_options "image product shards parallelism history programs out namespace name timeout config baselines report-url" \
  "${arguments[@]}"
required image product shards
[[ ${given[shards]} =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--shards takes a number from 1 to 9999"
parallelism=${given[parallelism]:-${given[shards]}}
[[ $parallelism =~ ^[1-9][0-9]{0,3}$ ]] || wrong_usage "--parallelism takes a number from 1 to 9999"
name=${given[name]:-perfcheck-$(date -u +%Y%m%d-%H%M%S)-$$}
[[ $name =~ ^[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?$ ]] || wrong_usage "--name takes lower-case letters, digits and '-'"
# These values become text of the manifest.
[[ ${given[image]} =~ ^[A-Za-z0-9][A-Za-z0-9._/:@-]*$ ]] || wrong_usage "--image '${given[image]}' is no name of an image"
[[ ${given[product]} =~ ^[A-Za-z0-9][A-Za-z0-9._-]*$ ]] || wrong_usage "--product '${given[product]}' is no value of a label"

manifest() {
  sed -e "s|@NAME@|$name|; s|@SHARDS@|${given[shards]}|; s|@PARALLELISM@|$parallelism|; s|@PRODUCT@|${given[product]}|" \
    -e "s|@IMAGE@|${given[image]}|" "$root/ci/kubernetes/job.yaml"
}
if ((render)); then
  manifest
  exit 0
fi

required programs out
export PERFCHECK_HISTORY=${given[history]:-${PERFCHECK_HISTORY:-}}
[[ -n $PERFCHECK_HISTORY ]] || wrong_usage "--history is missing: it is where the shards meet"
command -v kubectl > /dev/null || die "kubectl is not here"
kubectl=(kubectl)
[[ -z ${given[namespace]:-} ]] || kubectl+=("--namespace=${given[namespace]}")

manifest | "${kubectl[@]}" apply --filename=- || die "Kubernetes did not take the job; see above"
trap '"${kubectl[@]}" delete --wait=false "job/$name" || true; exit 130' INT TERM
say "job $name measures ${given[shards]} shards; watch it with: ${kubectl[*]} logs --follow --prefix job/$name"

# Complete or failed: the merge says which shards are missing.
end=$((SECONDS + ${given[timeout]:-7200}))
state=
while [[ $state != *Complete=True* && $state != *Failed=True* ]]; do
  ((SECONDS < end)) || { say "gave up after ${given[timeout]:-7200} s"; break; }
  sleep "${PERFCHECK_POLL_S:-5}"
  state=$("${kubectl[@]}" get "job/$name" \
    --output='jsonpath={range .status.conditions[*]}{.type}={.status} {end}') || die "the job $name cannot be asked for"
done
say "job $name: ${state:-unfinished}"

options=()
for option in config baselines report-url; do
  [[ -z ${given[$option]:-} ]] || options+=("--$option" "${given[$option]}")
done
exec "$root/ci/merge.sh" --programs "$(absolute "${given[programs]}")" --fan-out "$name" \
  --out "$(absolute "${given[out]}")" "${options[@]}" -- "${further[@]}"
