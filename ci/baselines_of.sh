#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Policy and baselines as they are at another commit, from git: a change is judged by those of the branch it goes to, so
# that it can neither move its own baseline nor loosen its own policy.
#
# Usage: ci/baselines_of.sh REF DIR
#
#   ci/baselines_of.sh origin/main build/target
#
# Writes DIR/perfcheck.toml, DIR/baselines and, where this checkout's differ, DIR/note.md, which says so. Where the
# other commit has no perfcheck.toml, as before perfcheck was introduced, there is nothing to protect: this checkout's
# counts.
# Exit code: 0 written, 2 git knows no such commit, 64 usage.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"
((${#arguments[@]} == 2)) || { say "name a commit and a folder; see --help"; exit 64; }
folder=${arguments[1]}
[[ $folder == /* ]] || folder=$caller/$folder

commit=$(git rev-parse --verify --quiet --end-of-options "${arguments[0]}^{commit}") ||
  die "git knows no commit ${arguments[0]@Q}; fetch it (actions/checkout: fetch-depth: 0)"
rm -rf "$folder/perfcheck.toml" "$folder/baselines" "$folder/note.md"
mkdir -p "$folder/baselines"

has() { git cat-file -e "$commit:$1" 2> /dev/null; }
if has perfcheck.toml; then
  git cat-file blob "$commit:perfcheck.toml" > "$folder/perfcheck.toml"
else
  cp perfcheck.toml "$folder/"
  # shellcheck disable=SC2016  # Markdown
  printf '> **Note.** The target branch (%s) has no `perfcheck.toml`: judged by that of this change.\n' \
    "${commit:0:12}" > "$folder/note.md"
fi
# Blob by blob, because git archive and git checkout obey the attributes in a tree, which could omit or change files.
while IFS= read -r -d '' entry; do
  read -r mode _ id <<< "${entry%%$'\t'*}"
  path=${entry#*$'\t'}
  [[ $mode == 100* ]] || { say "${path@Q} is no plain file at ${commit:0:12}; it is left out"; continue; }
  mkdir -p "$folder/$(dirname "$path")"
  git cat-file blob "$id" > "$folder/$path"
done < <(git ls-tree -r -z "$commit" -- baselines)

# The change chooses the names of its files, so they stay out of the note.
changed=$(git diff --name-only "$commit" -- baselines | wc -l)
{
  if has perfcheck.toml && ! git diff --quiet "$commit" -- perfcheck.toml; then
    # shellcheck disable=SC2016  # Markdown
    printf '> **Note.** This change edits `perfcheck.toml`. It was judged by the policy and the suites of the target branch (%s); its own count once it is merged.\n' \
      "${commit:0:12}"
  fi
  if ((changed > 0)); then
    printf '> **Note.** This change edits %s baseline file(s). It was judged by the baselines of the target branch (%s); its own count once it is merged.\n' \
      "$changed" "${commit:0:12}"
  fi
} >> "$folder/note.md"
[[ -s $folder/note.md ]] || rm -f "$folder/note.md"
[[ ! -f $folder/note.md ]] || say "this checkout's policy or baselines differ from those of ${commit:0:12}: $folder/note.md"
say "policy and baselines of ${commit:0:12} in $folder"
