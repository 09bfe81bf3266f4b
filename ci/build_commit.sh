#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds programs of another commit, in a worktree that is removed afterwards; the present tree is not touched.
#
# Usage: ci/build_commit.sh [-p PRESET] COMMIT DIR PROGRAM...          (preset: portable)
#
#   ci/build_commit.sh origin/main build/base perfcheck-gemm
#
# Toolchain and the report page's packages are those of this checkout: commits differ in their code alone.
# Exit code: 0 the programs are in DIR, 2 they could not be built; the worktree is left to look at, 64 usage.
caller=$PWD
PERFCHECK_PRESET=${PERFCHECK_PRESET:-portable}
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
((${#arguments[@]} >= 3)) || { say "name a commit, a folder and a program; see --help"; exit 64; }
folder=${arguments[1]}
[[ $folder == /* ]] || folder=$caller/$folder
programs=("${arguments[@]:2}")

id=$(git rev-parse --verify --quiet --end-of-options "${arguments[0]}^{commit}") || {
  say "git knows no commit ${arguments[0]@Q}; fetch it, or name another"
  exit 64
}
tree=$PWD/build/commit-$id
git worktree prune
[[ -e $tree/.git ]] || git worktree add --quiet --detach "$tree" "$id"
ln -sfn "$PWD/.toolchain" "$tree/.toolchain"
"$tree/ci/build.sh" -p "$preset" "${programs[@]}" >&2 || die "commit $id does not build: see above; its tree is $tree"
mkdir -p "$folder"
for program in "${programs[@]}"; do cp "$tree/build/$preset/bin/$program" "$folder/"; done
git worktree remove --force "$tree"
