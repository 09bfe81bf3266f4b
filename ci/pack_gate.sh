#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds and packs everything that a gate needs, on a machine without a GPU. The GPU machine then needs bash, a driver,
# libc and, for CUDA kernels, cuBLAS; no compiler, no checkout.
#
# Usage: ci/pack_gate.sh [-p PRESET] [--base REF] [--worker NAME]... [--energy] DIR          (preset: portable)
#
#   ci/pack_gate.sh pack                         to judge this commit by its own policy and baselines
#   ci/pack_gate.sh --base origin/main pack      to judge it as a change of main, confirmed against main's kernels
#   bash pack/ci/gate.sh --programs pack --out out                        there
#
# DIR gets perfcheck, the workers (--worker; default: those of [workers] in perfcheck.toml, that for CUDA with its judge, without CUDA
# only the other; name the judge of a worker of your own likewise), perfcheck.toml, baselines/, ci/ with what runs there, source.git with this commit for the runs to name it;
# with --energy perfcheck_energy, which the night measures joules with, unless CUDA is left out; and with --base base/ with the first worker of the merge base, and target/ with the policy and the baselines of
# the merge base (ci/baselines_of.sh), which the gate then uses.
#
# A maintainer lets a change be judged by its own policy and baselines by naming its commit in PERFCHECK_ACCEPTED_HEADS
# (ids of 40 digits; on GitHub a repository variable); PERFCHECK_HEAD is the commit that is looked up there (default:
# HEAD, on GitHub the head of the pull request; in a merge queue every head that it merges). A change of nothing but
# baselines is judged by its own.
#
# Exit code: 0 packed, 2 this commit does not build or git lacks the other one, 64 usage.
caller=$PWD
PERFCHECK_PRESET=${PERFCHECK_PRESET:-portable}
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
export_cuda_choice
trust_checkout

base='' energy='' workers=() positional=()
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    # An empty value means no base, as where a workflow has no other commit.
    --base) base=${arguments[++i]-} ;;
    --energy) energy=perfcheck_energy ;;
    --worker) workers+=("${arguments[++i]:?}") ;;
    -*) say "unknown option '${arguments[i]}'; see --help"; exit 64 ;;
    *) positional+=("${arguments[i]}") ;;
  esac
done
((${#positional[@]} == 1)) || { say "name the folder to pack to; see --help"; exit 64; }
if ((${#workers[@]} == 0)); then
  cuda=$(worker_of cuda) workers=("$(worker_of cpu)")
  [[ $PERFCHECK_CUDA == OFF ]] || workers=("$cuda" "${workers[@]}" "$cuda-judge")
fi
[[ $PERFCHECK_CUDA != OFF ]] || energy=
pack=${positional[0]}
[[ $pack == /* ]] || pack=$caller/$pack
if [[ -e $pack && ! -f $pack/ci/gate.sh && -n $(ls -A "$pack") ]]; then
  die "$pack is there and is no pack; name another folder, or remove it"
fi

head=$(git rev-parse --verify --quiet HEAD) || die "this is no git checkout: a run names the commit it measured"
merge_base=
if [[ -n $base ]]; then
  # A branch and not the tag of the same name, which git would prefer.
  for kind in remotes heads; do
    [[ $base == refs/* ]] || ! git show-ref --verify --quiet "refs/$kind/$base" || base=refs/$kind/$base
  done
  git rev-parse --verify --quiet --end-of-options "$base^{commit}" > /dev/null ||
    die "git knows no commit ${base@Q}; fetch it (actions/checkout: fetch-depth: 0)"
  merge_base=$(git merge-base "$head" "$base") ||
    die "HEAD and ${base@Q} have no common commit here; fetch all of the history (actions/checkout: fetch-depth: 0)"
fi

# Removes an earlier pack.
rm -rf "$pack"
mkdir -p "$pack/ci"
ci/build.sh -p "$preset" perfcheck "${workers[@]}" ${energy:+"$energy"} >&2 || die "this commit does not build, see above"
for program in perfcheck "${workers[@]}" ${energy:+"$energy"}; do cp "build/$preset/bin/$program" "$pack/"; done
cp perfcheck.toml "$pack/"
[[ ! -d baselines ]] || cp -r baselines "$pack/"
cp ci/common.sh ci/gate_steps.sh ci/gate.sh ci/merge.sh ci/record.sh ci/nightly.sh ci/creep.sh "$pack/ci/"
cp -r ci/slurm ci/kubernetes "$pack/ci/"

# This one commit as a repository that needs no working tree: on the GPU machine git names commit, author and time, and
# finds nothing changed. Not called .git, which artifacts leave out.
pack_source() {
  local scratch origin
  scratch=$(mktemp -d)
  git init --quiet "$scratch"
  # By id, because the checkout may be shallow, and its commit may be on no branch.
  git -C "$scratch" -c protocol.file.allow=always fetch --quiet --depth 1 --no-tags "file://$(git rev-parse --absolute-git-dir)" "$head" ||
    die "could not copy commit $head from this checkout"
  # With a tag, because artifacts leave out empty folders, and git finds no repository without refs/.
  git -C "$scratch" update-ref refs/tags/packed FETCH_HEAD
  git -C "$scratch" update-ref --no-deref HEAD FETCH_HEAD
  git -C "$scratch" read-tree HEAD
  git -C "$scratch" ls-files -z | git -C "$scratch" update-index -z --skip-worktree --stdin
  printf '*\n' > "$scratch/.git/info/exclude"
  # Without user and password, which some CI services put into the address.
  origin=$(git config --get remote.origin.url || true)
  [[ -z $origin ]] || git -C "$scratch" config remote.origin.url "$(sed -E 's#^([a-z+]+://)[^/@]*@#\1#' <<< "$origin")"
  rm -rf "$scratch/.git/hooks" "$scratch/.git/FETCH_HEAD" "$scratch/.git/logs"
  mv "$scratch/.git" "$pack/source.git"
  rm -rf "$scratch"
}
pack_source

# Whether a maintainer accepted this commit; for a merge queue's commit, every head that it merges.
accepted() {
  local id heads=("${PERFCHECK_HEAD:-$head}")
  [[ ${GITHUB_EVENT_NAME:-} != merge_group ]] ||
    mapfile -t heads < <(git log --first-parent --format=%P "$merge_base..$head" | while read -r _ merged; do printf '%s\n' "${merged:-none}"; done)
  for id in ${PERFCHECK_ACCEPTED_HEADS:-}; do
    [[ $id =~ ^[0-9a-f]{40}$ ]] || say "PERFCHECK_ACCEPTED_HEADS holds something that is no commit id; it is passed over"
  done
  ((${#heads[@]})) || return 1
  for id in "${heads[@]}"; do [[ " ${PERFCHECK_ACCEPTED_HEADS:-} " == *" $id "* ]] || return 1; done
}

# Whether the change consists of baselines only: there is no code to judge by them, and nothing else to judge them by.
only_baselines() {
  ! git diff --quiet "$merge_base" "$head" && git diff --quiet "$merge_base" "$head" -- . ':(exclude,top)baselines'
}

if [[ -n $merge_base ]]; then
  ci/baselines_of.sh "$merge_base" "$pack/target"
  if only_baselines; then
    rm -rf "$pack/target/baselines"
    printf '> **Note.** This change edits baselines and nothing else: judged by them.\n' > "$pack/target/note.md"
  elif accepted; then
    rm -rf "$pack/target/perfcheck.toml" "$pack/target/baselines"
    printf '> **Note.** Judged by the policy and the baselines of this change itself: a maintainer accepted them for commit %s.\n' \
      "${PERFCHECK_HEAD:-$head}" > "$pack/target/note.md"
    say "the policy and the baselines of this change count: accepted for ${PERFCHECK_HEAD:-$head}"
  fi
  # If the code is the same or the base does not build, suspicions are confirmed against the stored baseline alone.
  if [[ $merge_base == "$head" ]]; then
    say "HEAD is part of ${base@Q}: there is no other build to compare with"
  elif ! ci/build_commit.sh -p "$preset" "$merge_base" "$pack/base" "${workers[0]}"; then
    rm -rf "$pack/base"
    printf '> **Note.** The commit this change is based on (%s) does not build: suspicions were confirmed against the stored baseline alone.\n' \
      "${merge_base:0:12}" >> "$pack/target/note.md"
  fi
fi
say "packed: $pack ($(du -sh "$pack" | cut -f 1)); there: bash ci/gate.sh --programs . --out out"
