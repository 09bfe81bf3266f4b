#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Proposes recorded sessions as baseline: accepts them, commits that to a branch of its own, and opens a pull request
# which says what moved. Nothing counts before somebody has merged it. Needs no GPU.
#
# Usage: ci/accept_baseline.sh --programs DIR --runs DIR --why TEXT [--into BRANCH] [--replace yes] [--who NAME]
#
#   --programs DIR   folder that holds perfcheck: what ci/pack_gate.sh made, or a build's
#   --runs DIR       run.json of ci/record.sh, in this folder or in folders below it
#   --why TEXT       the reason, for those who review it
#   --into BRANCH    branch that the pull request goes to (default: the one that is checked out)
#   --replace yes    forget the sessions that the measured cases have: after an accepted change. Otherwise sessions are
#                    added, as those of another card
#   --who NAME       who accepts (default: git's user.name)
#
# The runs must have measured the commit that is checked out. Uses git and `gh pr create` (GH_TOKEN; permissions
# contents: write and pull-requests: write). On GitHub a pull request that the workflow's own token opened starts no
# workflow; close and open it again, or give the token of an app (docs/ci.md).
# Exit code: 0 the pull request is open, 2 it could not be made, 64 usage, 74 a run could not be read.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
root=$PWD
cd "$caller"

read_options "programs runs why into replace who" "$@"
required programs runs why
[[ ${given[replace]:-no} == @(yes|no) ]] || wrong_usage "--replace takes yes or no"
[[ ${given[why]} =~ [^[:space:]] ]] || wrong_usage "--why must give a reason"
open_programs "${given[programs]}"
runs_folder=$(absolute "${given[runs]}")
cd "$root"
who=${given[who]:-$(git config user.name || true)}
[[ -n $who ]] || wrong_usage "nobody knows who accepts this; give --who"
into=${given[into]:-$(git symbolic-ref --short -q HEAD)} || wrong_usage "no branch is checked out; give --into"
git check-ref-format --branch "$into" > /dev/null 2>&1 || wrong_usage "--into is no name of a branch"
mapfile -t runs < <(find "$runs_folder" -type f -name run.json | sort)
((${#runs[@]})) || die "no run.json below $runs_folder; ci/record.sh writes them"
[[ -z $(git status --porcelain -- baselines) ]] || die "baselines/ holds changes already; commit or undo them first"
head=$(git rev-parse --verify HEAD)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What moved, against the baseline as it is now.
{
  printf 'Recorded at %s by the workflow "baseline".\n\n' "$head"
  printf '**Why:**\n\n'
  printf '> %s\n' "${given[why]//$'\n'/$'\n> '}"
  printf '\n'
} > "$scratch/body"
for run in "${runs[@]}"; do
  commit=$(sed -n 's/^ *"commit": "\([0-9a-f]\{40\}\)".*/\1/p' "$run" | head -n 1)
  [[ $commit == "$head" ]] || die "$run measured commit ${commit:-unknown}, but $head is checked out"
  code=0
  "$perfcheck" compare "$run" --result "summary=$scratch/summary" > "$scratch/log" 2>&1 || code=$?
  if [[ $code != [013] || ($code != 3 && ! -s $scratch/summary) ]]; then
    cat "$scratch/log" >&2
    say "$run cannot be compared with the baseline (exit code $code); nothing is accepted"
    exit $((code == 74 ? 74 : 2))
  fi
  # A device's first baseline has nothing to be compared with.
  if [[ -s $scratch/summary ]]; then cat "$scratch/summary"; else sed 's/^/    /' "$scratch/log"; fi >> "$scratch/body"
  printf '\n' >> "$scratch/body"
  rm -f "$scratch/summary"
done

options=(--why "${given[why]}" --who "$who")
[[ ${given[replace]:-no} == no ]] || options+=(--replace)
"$perfcheck" baseline accept "${options[@]}" "${runs[@]}" >&2 || { code=$?; say "perfcheck baseline accept ended with $code"; exit "$code"; }

mapfile -t changed < <(git status --porcelain --untracked-files=all -- baselines)
((${#changed[@]})) || die "the baseline is what it was: are these sessions in it already?"
branch=perfcheck/baseline-${head:0:12}-$(cat "${runs[@]}" | sha256sum | cut -c 1-8)
git switch --quiet --create "$branch"
git add -- baselines
subject="Baseline: ${#runs[@]} recording(s) of ${head:0:12}"
git -c user.name="$who" -c user.email="${PERFCHECK_EMAIL:-perfcheck@users.noreply.github.com}" \
  commit --quiet --message "$subject" --message "${given[why]}"
git push --quiet origin "HEAD:refs/heads/$branch" || die "could not push $branch; has the token the permission contents: write?"
# A body above GitHub's limit keeps its beginning: the verdicts come first.
head -c 60000 "$scratch/body" > "$scratch/short"
gh pr create --base "$into" --head "$branch" --title "$subject" --body-file "$scratch/short" ||
  die "$branch is pushed, but the pull request could not be opened; open it by hand"
say "opened a pull request of $branch into $into"
