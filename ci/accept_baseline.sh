#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Proposes recorded sessions as baseline: accepts them, commits that to a branch of its own, and opens a pull request
# which says what moved. Nothing takes effect before somebody has merged it. Needs no GPU.
#
# Usage: ci/accept_baseline.sh --runs DIR --why TEXT [--into BRANCH] [--replace yes] [--who NAME] [--programs DIR]
#
#   --runs DIR       run.json of ci/record.sh, in this folder or in folders below it
#   --why TEXT       the reason, for those who review it
#   --into BRANCH    branch that was measured, and that the pull request goes to (default: the one that is checked out)
#   --replace yes    discard the present sessions of the measured cases, as after an accepted change. Otherwise the new
#                    sessions are added, as those of another card are
#   --who NAME       who accepts (default: git's user.name)
#   --programs DIR   folder that holds perfcheck; without it one is built, without CUDA
#
# The runs must have measured the branch's newest commit, as origin has it. Works in a tree of its own, which holds the
# branch as data: what runs is this checkout's. Uses git and `gh pr create` (GH_TOKEN; permissions contents: write and
# pull-requests: write). On GitHub a pull request that the workflow's own token opened starts no workflow; close and open
# it again, or give the token of an app (docs/ci.md).
# Exit code: 0 the pull request is open, 2 it could not be made, 64 usage, 74 a run could not be read.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
root=$PWD
cd "$caller"

read_options "programs runs why into replace who" "$@"
required runs why
[[ ${given[replace]:-no} == @(yes|no) ]] || wrong_usage "--replace takes yes or no"
[[ ${given[why]} =~ [^[:space:]] ]] || wrong_usage "--why must give a reason"
runs_folder=$(absolute "${given[runs]}")
[[ -z ${given[programs]:-} ]] || open_programs "${given[programs]}"
cd "$root"
who=${given[who]:-$(git config user.name || true)}
[[ -n $who ]] || wrong_usage "nobody knows who accepts this; give --who"
into=${given[into]:-$(git symbolic-ref --short -q HEAD)} || wrong_usage "no branch is checked out; give --into"
git check-ref-format --branch "$into" > /dev/null 2>&1 || wrong_usage "--into is no name of a branch"
mapfile -t runs < <(find "$runs_folder" -type f -name run.json | sort)
((${#runs[@]})) || die "no run.json below $runs_folder; ci/record.sh writes them"
head=$(git rev-parse --verify --quiet "refs/remotes/origin/$into" || git rev-parse --verify --quiet "refs/heads/$into") ||
  die "git knows no branch ${into@Q}; fetch it (actions/checkout: fetch-depth: 0)"
for run in "${runs[@]}"; do
  commit=$(sed -n 's/^ *"commit": "\([0-9a-f]\{40\}\)".*/\1/p' "$run" | head -n 1)
  [[ $commit == "$head" ]] || die "$run measured commit ${commit:-unknown}, but the newest of $into is $head"
done
if [[ -z ${given[programs]:-} ]]; then
  PERFCHECK_CUDA=OFF ci/build.sh -p portable perfcheck >&2
  open_programs "$root/build/portable/bin"
fi

scratch=$(mktemp -d)
tree=$scratch/tree
trap 'git -C "$root" worktree remove --force "$tree" 2> /dev/null; rm -rf "$scratch"' EXIT
git worktree add --quiet --detach "$tree" "$head"
cd "$tree"
# The branch may be a stranger's, so writing is confined to its tree.
[[ -z $(find baselines -type l 2> /dev/null) && ! -L baselines ]] || die "baselines/ of $into holds symbolic links"
policy=(--baselines "$tree/baselines")
[[ ! -f perfcheck.toml ]] || policy+=(--config "$tree/perfcheck.toml")

# first_baseline RUN: the text if there is nothing to compare with yet. Indented, so that names are not read as
# Markdown.
first_baseline() {
  local log=${1%/*}/log.txt
  printf 'The first baseline of this device and operation. What was measured:\n\n'
  if [[ -s $log ]]; then sed -n '/^case  /,/exit code/s/^/    /p' "$log"; else printf '    (%s is not there)\n' "${log##*/}"; fi
}

# What moved, compared with the present baseline.
{
  printf 'Recorded at %s by the workflow "baseline".\n\n' "$head"
  printf '**Why:**\n\n'
  printf '> %s\n' "${given[why]//$'\n'/$'\n> '}"
  printf '\n'
} > "$scratch/body"
for run in "${runs[@]}"; do
  code=0
  "$perfcheck" compare "$run" "${policy[@]}" --result "summary=$scratch/summary" > "$scratch/log" 2>&1 || code=$?
  if [[ $code != [013] || ($code != 3 && ! -s $scratch/summary) ]]; then
    cat "$scratch/log" >&2
    say "$run cannot be compared with the baseline (exit code $code); nothing is accepted"
    exit $((code == 74 ? 74 : 2))
  fi
  if [[ -s $scratch/summary ]]; then cat "$scratch/summary"; else first_baseline "$run"; fi >> "$scratch/body"
  printf '\n' >> "$scratch/body"
  rm -f "$scratch/summary"
done

options=(--why "${given[why]}" --who "$who")
[[ ${given[replace]:-no} == no ]] || options+=(--replace)
"$perfcheck" baseline accept "${policy[@]}" "${options[@]}" "${runs[@]}" > "$scratch/accepted" ||
  { code=$?; say "perfcheck baseline accept ended with $code"; exit "$code"; }
cat "$scratch/accepted" >&2
# By how much existing levels move. Indented, so that names are not read as Markdown.
if grep -q ' levels move by ' "$scratch/accepted"; then
  { printf 'Levels of the baseline:\n\n'; sed '$d; s/^/    /' "$scratch/accepted"; printf '\n'; } >> "$scratch/body"
fi

mapfile -t changed < <(git status --porcelain --untracked-files=all -- baselines)
((${#changed[@]})) || die "the baseline is what it was: are these sessions in it already?"
branch=perfcheck/baseline-${head:0:12}-$(cat "${runs[@]}" | sha256sum | cut -c 1-8)
git add -- baselines
subject="Baseline: ${#runs[@]} recording(s) of ${head:0:12}"
git -c user.name="$who" -c user.email="${PERFCHECK_EMAIL:-perfcheck@users.noreply.github.com}" \
  commit --quiet --message "$subject" --message "${given[why]}"
# Forced: the branch belongs to these runs alone, and may be left over from an attempt that failed later.
git push --quiet --force origin "HEAD:refs/heads/$branch" || die "could not push $branch; has the token the permission contents: write?"
# A body above GitHub's limit is cut at the end, because the verdicts come first.
head -c 60000 "$scratch/body" > "$scratch/short"
gh pr create --base "$into" --head "$branch" --title "$subject" --body-file "$scratch/short" ||
  die "$branch is pushed, but the pull request could not be opened (Settings, Actions, General: allow Actions to create \
pull requests); start this job again, or open it by hand"
say "opened a pull request of $branch into $into"
