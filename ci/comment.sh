#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Creates the gate's comment on a pull request, or updates it in place: one for each result's name, found by the marker
# in its first line. Only comments of the same author are touched.
#
# Usage: ci/comment.sh --comment FILE --repo OWNER/NAME (--pr N | --pr-of DIR --head-sha SHA --head OWNER:BRANCH)
#                      [--author LOGIN]
#
#   --comment FILE      a comment.md of ci/gate.sh or ci/merge.sh, or a folder: all comment.md below it
#   --pr N              the pull request
#   --pr-of DIR         read its number from the file pull-request below DIR, and believe it only if that pull request
#                       is open and its head is --head-sha: for a workflow that runs for a fork's pull request, whose
#                       artifacts are the fork's. Mentions and pictures in such a comment are disarmed. Without that
#                       file, the open pull request of --head. Comments of other results, which this run did not bring,
#                       are of an earlier commit: they come to say that there is none
#   --author LOGIN      whose comments to update (github-actions[bot])
#
# Talks to GitHub through `gh api` (GH_TOKEN; permission pull-requests: write). Needs python3.
# Exit code: 0 the comments are there, 2 GitHub or a file says no, 64 usage.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
comments_py=$PWD/ci/comments.py
cd "$caller"

read_options "comment repo pr pr-of head-sha head author" "$@"
required comment repo
repo=${given[repo]} author=${given[author]:-github-actions[bot]} number=${given[pr]:-}
[[ $repo =~ ^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$ ]] || wrong_usage "--repo is not of the form OWNER/NAME"
is_number() { [[ $1 =~ ^[1-9][0-9]{0,9}$ ]]; }

# json_member PATH: the value of a member of the JSON document on standard input (of a pull request: head.sha).
json_member() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value[key]
print(value)' "$1"
}

# The number of the open pull request of --head with the commit --head-sha.
number_of_head() {
  [[ -n ${given[head]:-} ]] || die "no file pull-request, and no --head: was this run for a pull request?"
  local query
  query=$(python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "${given[head]}")
  gh api "repos/$repo/pulls?state=open&per_page=100&head=$query" | python3 "$comments_py" pull "${given[head-sha]}"
}

# The number that an untrusted artifact names, if GitHub confirms it.
number_of_artifact() {
  local files file number pull
  [[ ${given[head-sha]:-} =~ ^[0-9a-f]{40}$ ]] || wrong_usage "--pr-of needs --head-sha, 40 digits"
  mapfile -t files < <(find "$1" -type f -name pull-request 2> /dev/null | sort)
  if ((${#files[@]} == 0)); then
    number_of_head
    return
  fi
  file=${files[0]}
  number=$(head -c 32 "$file" | tr -d '\n\0')
  is_number "$number" || die "$file holds no number of a pull request"
  pull=$(gh api "repos/$repo/pulls/$number") || die "GitHub shows no pull request $number of $repo"
  [[ $(json_member head.sha <<< "$pull") == "${given[head-sha]}" && $(json_member state <<< "$pull") == open ]] ||
    die "pull request $number is not the open one with head ${given[head-sha]}: nothing is written to it"
  printf '%s' "$number"
}

trust=own
if [[ -n ${given[pr-of]:-} ]]; then
  [[ -z $number ]] || wrong_usage "--pr and --pr-of exclude each other"
  number=$(number_of_artifact "${given[pr-of]}")
  trust=foreign
fi
if [[ $trust == foreign && -z $number ]]; then
  say "${given[head]:-the head} has no open pull request with commit ${given[head-sha]}: nothing to write to"
  exit 0
fi
is_number "$number" || wrong_usage "--pr takes the number of a pull request"

comments=("${given[comment]}")
[[ -f ${given[comment]} ]] || mapfile -t comments < <(find "${given[comment]}" -type f -name comment.md 2> /dev/null | sort -V)
((${#comments[@]})) || [[ $trust == foreign ]] || die "${given[comment]} holds no comment.md"
((${#comments[@]} <= 50)) || die "${given[comment]} holds ${#comments[@]} comments; one pull request takes 50"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gh api --paginate "repos/$repo/issues/$number/comments?per_page=100" > "$scratch/there" ||
  die "could not read the comments of pull request $number; has the token the permission pull-requests: write?"

# If one result has several comments, as after a run that was started again, the last one counts.
declare -A last=()
for comment in "${comments[@]}"; do
  IFS= read -r marker < "$comment" || true
  marker=${marker:-none}
  last[$marker]=$comment
done
for comment in "${comments[@]}"; do
  IFS= read -r marker < "$comment" || true
  marker=${marker:-none}
  [[ ${last[$marker]} == "$comment" ]] || continue
  id=$(python3 "$comments_py" write "$comment" "$scratch/request" "$scratch/there" "$author" "$trust")
  if [[ -n $id ]]; then
    gh api --method PATCH "repos/$repo/issues/comments/$id" --input "$scratch/request" > /dev/null ||
      die "could not update comment $id of pull request $number"
    say "updated comment $id of pull request $number"
  else
    gh api --method POST "repos/$repo/issues/$number/comments" --input "$scratch/request" > /dev/null ||
      die "could not comment on pull request $number; has the token the permission pull-requests: write?"
    say "commented on pull request $number"
  fi
done

# The comment of a result that this run did not bring is about an earlier commit.
if [[ $trust == foreign ]]; then
  ids=$(python3 "$comments_py" stale "$scratch" "$scratch/there" "$author" "${given[head-sha]}" "${!last[@]}")
  for id in $ids; do
    gh api --method PATCH "repos/$repo/issues/comments/$id" --input "$scratch/stale-$id" > /dev/null ||
      die "could not update comment $id of pull request $number"
    say "comment $id of pull request $number says that there is no result for this commit"
  done
fi
