#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# Creates the gate's note on a merge request, or updates it in place; found by the marker in its first line.
#
# Usage: ci/gitlab/note.sh COMMENT          (a comment.md of ci/gate.sh)
#
# In a job of a merge request: CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_IID come from GitLab;
# PERFCHECK_GITLAB_TOKEN is a project access token with scope api and role Reporter. Only that token's own notes are
# touched. Needs curl, python3.
# Exit code: 0 the note is there, or there is no token to write it with, 2 GitLab or the file says no, 64 usage.
caller=$PWD
# shellcheck source=ci/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
parse_arguments "$@"
((${#arguments[@]} == 1)) || { say "name a comment.md; see --help"; exit 64; }
comment=${arguments[0]}
[[ $comment == /* ]] || comment=$caller/$comment
[[ -s $comment ]] || die "$comment is not there, or empty: the gate wrote no comment"
IFS= read -r marker < "$comment" || true
[[ $marker =~ ^\<!--\ perfcheck:[A-Za-z0-9._-]{1,64}\ --\>$ ]] ||
  die "$comment does not begin with the marker <!-- perfcheck:NAME -->; it is no comment of perfcheck"
if [[ -z ${PERFCHECK_GITLAB_TOKEN:-} ]]; then
  say "PERFCHECK_GITLAB_TOKEN is not set for this job: no note is written (docs/ci.md, GitLab)"
  exit 0
fi
for variable in CI_API_V4_URL CI_PROJECT_ID CI_MERGE_REQUEST_IID; do
  [[ -n ${!variable:-} ]] || die "$variable is not set; this is for a job of a merge request"
done
[[ $CI_PROJECT_ID =~ ^[0-9]+$ && $CI_MERGE_REQUEST_IID =~ ^[0-9]+$ ]] || die "CI_PROJECT_ID and CI_MERGE_REQUEST_IID are numbers"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# On standard input, so that a list of the machine's processes does not show the token.
gitlab() {
  local method=$1 path=$2
  shift 2
  printf 'header = "PRIVATE-TOKEN: %s"\n' "$PERFCHECK_GITLAB_TOKEN" |
    curl --config - --silent --show-error --fail-with-body --retry 3 --max-time 60 --request "$method" "$@" "$CI_API_V4_URL/$path"
}
notes=projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes
me=$(gitlab GET user) || die "GitLab does not know the token of PERFCHECK_GITLAB_TOKEN"

# Prints "id N" for our note if it is on the page that was read, "more" if it may be on another page, else "none".
found() {
  python3 -c '
import json, sys
page, me, marker = json.load(sys.stdin), json.loads(sys.argv[1]), sys.argv[2]
for note in page:
    if note["author"]["id"] == me["id"] and note["body"].split("\n", 1)[0].strip() == marker:
        print("id", int(note["id"]))
        break
else:
    print("more" if len(page) == 100 else "none")' "$me" "$marker" < "$scratch/page"
}
number=1 answer=more
while [[ $answer == more ]]; do
  gitlab GET "$notes?per_page=100&page=$number" > "$scratch/page" || die "could not read the notes of merge request $CI_MERGE_REQUEST_IID"
  answer=$(found) || die "GitLab's notes could not be read"
  number=$((number + 1))
done
if [[ $answer == id\ * ]]; then
  gitlab PUT "$notes/${answer#id }" --data-urlencode "body@$comment" > /dev/null || die "could not update the note"
  say "updated note ${answer#id } of merge request $CI_MERGE_REQUEST_IID"
else
  gitlab POST "$notes" --data-urlencode "body@$comment" > /dev/null || die "could not write a note; has the token the scope api?"
  say "wrote a note on merge request $CI_MERGE_REQUEST_IID"
fi
