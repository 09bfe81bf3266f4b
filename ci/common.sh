# shellcheck shell=bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Sourced by the scripts beside it: strict mode, the repository's root as working folder, messages, presets.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
# A failure of the machine or the tree, as opposed to a failed test or gate.
die() {
  say "$*"
  exit 2
}

# Prints a script's usage: the comment block below its licence lines.
usage() { awk 'NR > 4 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# In a CI job's container the checkout belongs to the user outside, and git refuses it.
trust_checkout() {
  [[ -z ${GITHUB_ACTIONS:-}${GITLAB_CI:-} ]] || git rev-parse --git-dir > /dev/null 2>&1 ||
    git config --global --add safe.directory "$PWD"
}

# Name of the program that holds the kernels of a backend, from [workers] in perfcheck.toml.
worker_of() {
  local name
  name=$(awk -v backend="$1" '/^\[/ { inside = /^\[workers\]/ } inside && $1 == backend && $2 == "=" {
    sub(/^[^"\047]*["\047]/, ""); sub(/[ "\047].*/, ""); sub(/.*\//, ""); print }' perfcheck.toml)
  [[ -n $name ]] || die "perfcheck.toml: workers.$1: names no program; add it to [workers]"
  printf '%s\n' "$name"
}

# Handles --help, and -p PRESET for the scripts that build. Leaves the preset in $preset, the rest in $arguments.
parse_arguments() {
  preset=${PERFCHECK_PRESET:-}
  arguments=()
  while (($#)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      -p)
        (($# > 1)) || { say "-p needs the name of a preset"; exit 64; }
        preset=$2
        shift
        ;;
      --)
        shift
        arguments+=("$@")
        break
        ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  if [[ -z $preset ]]; then
    if [[ ${PERFCHECK_CUDA:-ON} == OFF ]]; then preset=cpu-only; else preset=dev; fi
  fi
}

# Whether this preset compiles CUDA code. Leaves the answer where ci/setup.sh and the presets' scripts look for it.
export_cuda_choice() {
  case $preset in
    cpu-only | asan) PERFCHECK_CUDA=OFF ;;
    *) PERFCHECK_CUDA=${PERFCHECK_CUDA:-ON} ;;
  esac
  export PERFCHECK_CUDA
}
