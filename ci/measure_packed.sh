#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures the commits beside it, in turns: round after round all of them, so that what the machine does meanwhile
# touches all alike. ci/pack_commits.sh makes the folder, with this script in it as measure.sh.
#
# Usage: measure.sh OUT [ROUNDS [SECONDS]] [-- ARGUMENT OF perfcheck run...]
#
#   measure.sh runs 3                        three runs of each commit: runs/<commit>-<round>.run.json
#   measure.sh runs 9 3600                   as many as are begun within an hour, nine of each at most
#   measure.sh runs 3 -- --suite smoke
#
# All commits are measured alike, with the perfcheck.toml that is packed: its suites and rules. Runs that are there
# already are not made again, so that one that was stopped goes on. Needs git.
# Exit code: 0 all were measured, 2 some could not be, 3 the time was over before, 130 interrupted.
set -euo pipefail

usage() { awk 'NR > 4 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }
say() { printf 'measure.sh: %s\n' "$*" >&2; }
[[ ${1:-} != -h && ${1:-} != --help ]] || { usage; exit 0; }
positional=()
while (($#)) && [[ $1 != -- ]]; do positional+=("$1"); shift; done
[[ ${1:-} != -- ]] || shift
out=${positional[0]:-} rounds=${positional[1]:-1} limit=${positional[2]:-0}
if [[ -z $out || ${#positional[@]} -gt 3 || ! $rounds =~ ^[1-9][0-9]*$ || ! $limit =~ ^[0-9]+$ ]]; then
  usage >&2
  exit 64
fi

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
mapfile -t commits < "$here/order"
trees=$(mktemp -d)
trap 'rm -rf "$trees"' EXIT
# perfcheck handles an interruption itself, so the shell would go on with the next commit.
trap 'say "interrupted; run it again to go on"; exit 130' INT TERM
git init --quiet "$trees/repository"
git -C "$trees/repository" fetch --quiet "$here/commits.bundle" 'refs/perfcheck/packed/*:refs/packed/*'

# A checkout of the commit to measure in, so that the run names the commit. The packed perfcheck.toml must not count as
# a change of it, so git is told to ignore that file, whether the commit has one or not.
printf 'perfcheck.toml\n' >> "$trees/repository/.git/info/exclude"
tree_of() {
  local tree=$trees/$1
  if [[ ! -d $tree ]]; then
    git -C "$trees/repository" worktree add --quiet --detach "$tree" "$1"
    ! git -C "$tree" ls-files --error-unmatch perfcheck.toml > /dev/null 2>&1 ||
      git -C "$tree" update-index --skip-worktree perfcheck.toml
    cp "$here/perfcheck.toml" "$tree/"
  fi
  printf '%s' "$tree"
}

failed=0
for ((round = 1; round <= rounds; ++round)); do
  for commit in "${commits[@]}"; do
    file=$out/${commit:0:12}-$round.run.json
    [[ ! -e $file ]] || continue
    if ((limit > 0 && SECONDS >= limit)); then
      say "the $limit seconds are over before round $round of ${commit:0:12}; run it again to go on"
      exit 3
    fi
    say "round $round of $rounds, ${commit:0:12} ($SECONDS s)"
    tree=$(tree_of "$commit")
    worker=("$here/workers/$commit"/*)
    # A run with a failed case is kept, too; without a file there was no run.
    (cd "$tree" && "$here/perfcheck" run --quiet --worker "${worker[0]}" --out "$file" "$@") >&2 || true
    [[ -e $file ]] || { say "${commit:0:12}: not measured, see above"; failed=$((failed + 1)); }
  done
done
((failed == 0)) || { say "$failed runs could not be made"; exit 2; }
