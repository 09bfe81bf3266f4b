#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the workers of several commits and packs them, to measure them all on one machine: so a history can tell of code
# that nobody measured in its day, and say where something began.
#
# Usage: ci/pack_commits.sh [-p PRESET] [--worker NAME] COMMIT...          (presets: portable; NAME: that of [workers] for cuda)
#
#   ci/pack_commits.sh v0.1 v0.2 HEAD            makes build/commits
#   build/commits/measure.sh runs 3              there or on another machine: three rounds of all of them into runs/
#   perfcheck history add --history perf.sqlite runs/*.run.json
#
# build/commits holds perfcheck and perfcheck.toml as they are now, a worker of each commit, the commits themselves (a git
# bundle, for runs to name them) and measure.sh. A worker that is packed already is not built again; remove build/commits
# to begin anew. Programs of the preset portable run on other machines (README, Programs that travel).
PERFCHECK_PRESET=${PERFCHECK_PRESET:-portable}
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

worker=$(worker_of cuda)
commits=()
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  if [[ ${arguments[i]} == --worker ]]; then
    worker=${arguments[++i]:-}
  else
    commits+=("${arguments[i]}")
  fi
done
if [[ -z $worker ]] || ((${#commits[@]} == 0)); then
  say "name a worker and at least one commit; see --help"
  exit 64
fi

pack=$PWD/build/commits
mkdir -p "$pack/workers"
ids=()
for commit in "${commits[@]}"; do
  id=$(git rev-parse --verify --quiet --end-of-options "$commit^{commit}") || {
    say "git knows no commit $commit; fetch it, or name another"
    exit 64
  }
  ids+=("$id")
done

ci/build.sh -p "$preset" perfcheck >&2
cp "build/$preset/bin/perfcheck" perfcheck.toml ci/measure_packed.sh "$pack/"
mv "$pack/measure_packed.sh" "$pack/measure.sh"
for id in "${ids[@]}"; do
  if [[ -x $pack/workers/$id/$worker ]]; then
    say "$id: packed before"
  else
    say "$id: building $worker"
    ci/build_commit.sh -p "$preset" "$id" "$pack/workers/$id" "$worker"
  fi
done
# A bundle contains refs, not bare commits.
for id in "${ids[@]}"; do git update-ref "refs/perfcheck/packed/$id" "$id"; done
git bundle create --quiet "$pack/commits.bundle" "${ids[@]/#/refs/perfcheck/packed/}"
for id in "${ids[@]}"; do git update-ref -d "refs/perfcheck/packed/$id"; done
printf '%s\n' "${ids[@]}" > "$pack/order"
say "packed: build/commits ($(du -sh "$pack" | cut -f 1)); measure with build/commits/measure.sh OUT [ROUNDS]"
