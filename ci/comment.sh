#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Creates the gate's comment on a pull request, or updates it in place: one for each result's name, found by the marker
# in its first line. Only comments of the same author are touched.
#
# Usage: ci/comment.sh --comment FILE --repo OWNER/NAME (--pr N | --pr-of DIR --head-sha SHA) [--author LOGIN]
#
#   --comment FILE      a comment.md of ci/gate.sh or ci/merge.sh, or a folder: all comment.md below it
#   --pr N              the pull request
#   --pr-of DIR         read its number from the file pull-request below DIR, and believe it only if that pull request
#                       is open and its head is --head-sha: for a workflow that runs for a fork's pull request, whose
#                       artifacts are the fork's. Mentions and pictures in such a comment are disarmed
#   --author LOGIN      whose comments to update (github-actions[bot])
#
# Talks to GitHub through `gh api` (GH_TOKEN; permission pull-requests: write). Needs python3.
# Exit code: 0 the comments are there, 2 GitHub or a file says no, 64 usage.
caller=$PWD
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
source ci/gate_steps.sh
cd "$caller"

read_options "comment repo pr pr-of head-sha author" "$@"
required comment repo
repo=${given[repo]} author=${given[author]:-github-actions[bot]} number=${given[pr]:-}
[[ $repo =~ ^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$ ]] || wrong_usage "--repo is not of the form OWNER/NAME"
is_number() { [[ $1 =~ ^[1-9][0-9]{0,9}$ ]]; }

# What a member of a JSON document on standard input is: json_member PATH (pull request: head.sha).
json_member() {
  python3 -c '
import json, sys
value = json.load(sys.stdin)
for key in sys.argv[1].split("."):
    value = value[key]
print(value)' "$1"
}

# The number that an untrusted artifact names, if GitHub confirms it.
number_of_artifact() {
  local files file number pull
  [[ ${given[head-sha]:-} =~ ^[0-9a-f]{40}$ ]] || wrong_usage "--pr-of needs --head-sha, 40 digits"
  mapfile -t files < <(find "$1" -type f -name pull-request | sort)
  ((${#files[@]})) || die "no file pull-request below $1: was this run for a pull request?"
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
is_number "$number" || wrong_usage "--pr takes the number of a pull request"

comments=("${given[comment]}")
[[ ! -d ${given[comment]} ]] || mapfile -t comments < <(find "${given[comment]}" -type f -name comment.md | sort -V)
((${#comments[@]})) || die "${given[comment]} holds no comment.md"
((${#comments[@]} <= 50)) || die "${given[comment]} holds ${#comments[@]} comments; one pull request takes 50"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
gh api --paginate "repos/$repo/issues/$number/comments?per_page=100" > "$scratch/there" ||
  die "could not read the comments of pull request $number; has the token the permission pull-requests: write?"

# Writes the request's body to $2 and prints the id of the comment that is there, if any.
prepare() {
  python3 - "$1" "$2" "$scratch/there" "$author" "$trust" <<'PYTHON'
import json
import re
import sys

path, request, there, author, trust = sys.argv[1:]
LONGEST = 65536  # characters of a comment, GitHub's limit


def refuse(problem):
    print(f"comment.sh: {path}: {problem}", file=sys.stderr)
    sys.exit(2)


with open(path, encoding="utf-8", errors="replace") as file:
    body = file.read(4 * LONGEST)
marker = body.split("\n", 1)[0].strip()
if not re.fullmatch(r"<!-- perfcheck:[A-Za-z0-9._-]{1,64} -->", marker):
    refuse("does not begin with the marker <!-- perfcheck:NAME -->; it is no comment of perfcheck")
if trust == "foreign":
    body = "".join(c for c in body if c >= " " or c in "\n\t")
    body = re.sub(r"(?<![A-Za-z0-9_])@(?=[A-Za-z0-9])", "@\u200b", body).replace("![", "!\\[")
    body = re.sub(r"<(/?)(img|a|picture|source|video)\b", r"&lt;\1\2", body, flags=re.IGNORECASE)
if len(body) > LONGEST:
    refuse(f"has {len(body)} characters; GitHub takes {LONGEST}")
with open(request, "w", encoding="utf-8") as file:
    json.dump({"body": body}, file)

# Pages come one after the other, each a list.
with open(there, encoding="utf-8") as file:
    text = file.read()
decoder, place = json.JSONDecoder(), 0
while place < len(text):
    if text[place].isspace():
        place += 1
        continue
    page, place = decoder.raw_decode(text, place)
    for comment in page:
        mine = (comment.get("user") or {}).get("login") == author
        if mine and (comment.get("body") or "").split("\n", 1)[0].strip() == marker:
            print(int(comment["id"]))
            sys.exit(0)
PYTHON
}

# Of one result's comments, as of a run that was started again, the last counts.
declare -A last=()
for comment in "${comments[@]}"; do
  IFS= read -r marker < "$comment" || marker=
  last[_$marker]=$comment
done
for comment in "${comments[@]}"; do
  IFS= read -r marker < "$comment" || marker=
  [[ ${last[_$marker]} == "$comment" ]] || continue
  id=$(prepare "$comment" "$scratch/request")
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
