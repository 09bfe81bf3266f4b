#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# ci/comment.sh and ci/gitlab/note.sh: they keep one comment, update it in place, touch no other comment, and trust no
# artifact.
# shellcheck source=harness/tests/ci/testing.sh disable=SC2016,SC2094,SC2119,SC2120,SC2155,SC2317
source "$(dirname "${BASH_SOURCE[0]}")/testing.sh"
fake_services
head=$(printf 'a%.0s' {1..40})

comment() { bash "$repository/ci/comment.sh" --comment comment.md --repo octo/kernels "$@"; }
# text NAME LINE: the text of a comment for the result NAME.
text() { printf '<!-- perfcheck:%s -->\n%s\n' "$1" "$2"; }
comments() { python3 -c 'import json, sys; print(json.dumps([c["body"] for c in json.load(open(sys.argv[1]))]))' service/comments.json; }
calls() { grep -c "$1" service/calls || true; }

test_it_creates_then_updates_in_place() {
  text h100 'first' > comment.md
  expect 0 comment --pr 7
  same "$(comments)" '["<!-- perfcheck:h100 -->\nfirst\n"]'
  text h100 'second' > comment.md
  expect 0 comment --pr 7
  same "$(comments)" '["<!-- perfcheck:h100 -->\nsecond\n"]'
}
test_each_result_has_a_comment_of_its_own() {
  mkdir -p results/a results/b
  text h100 'one' > results/a/comment.md
  text h200 'two' > results/b/comment.md
  expect 0 bash "$repository/ci/comment.sh" --comment results --repo octo/kernels --pr 7
  same "$(comments)" '["<!-- perfcheck:h100 -->\none\n", "<!-- perfcheck:h200 -->\ntwo\n"]'
}
test_of_two_attempts_the_last_is_shown_once() {
  mkdir -p results/result-9 results/result-10
  text h100 'ninth' > results/result-9/comment.md
  text h100 'tenth' > results/result-10/comment.md
  expect 0 bash "$repository/ci/comment.sh" --comment results --repo octo/kernels --pr 7
  same "$(comments)" '["<!-- perfcheck:h100 -->\ntenth\n"]'
}
test_comments_of_others_and_on_later_pages_are_told_apart() {
  text h100 'new' > comment.md
  cat > service/comments.json <<'JSON'
[{"id": 1, "issue": "7", "user": {"login": "mallory"}, "body": "<!-- perfcheck:h100 -->\nnot mine"},
 {"id": 2, "issue": "7", "user": {"login": "github-actions[bot]"}, "body": "about <!-- perfcheck:h100 -->"},
 {"id": 3, "issue": "7", "user": null, "body": null},
 {"id": 4, "issue": "7", "user": {"login": "github-actions[bot]"}, "body": "<!-- perfcheck:h100 -->\r\nold"},
 {"id": 5, "issue": "8", "user": {"login": "github-actions[bot]"}, "body": "<!-- perfcheck:h100 -->\nanother pull request"}]
JSON
  expect 0 comment --pr 7
  said 'updated comment 4'
  same "$(calls POST)" 0
}
test_what_is_no_number_or_no_repository_is_refused() {
  text h100 'x' > comment.md
  local number
  for number in 0 07 7x '7/../../x' '$(touch pwned)' '7; touch pwned' -1 ''; do
    expect 64 comment --pr "$number"
  done
  expect 64 bash "$repository/ci/comment.sh" --comment comment.md --repo 'octo/kernels/../../user' --pr 7
  absent service/calls
  not_pwned
}
test_what_is_no_comment_of_ours_is_refused() {
  printf 'hello\n' > comment.md
  expect 2 comment --pr 7
  said 'marker'
  { text h100 x; head -c 70000 /dev/zero | tr '\0' x; } > comment.md
  expect 2 comment --pr 7
  said 'GitHub takes 65536'
  same "$(calls POST)" 0
}
test_a_service_that_is_down_is_a_failure() {
  text h100 'x' > comment.md
  touch service/down
  expect 2 comment --pr 7
  said 'could not read the comments'
}

# ---- what a fork's artifact says

fork() { expect "$1" bash "$repository/ci/comment.sh" --comment results --repo octo/kernels --pr-of results --head-sha "${2:-$head}"; }
from_fork() {
  mkdir -p results/one
  text h100 "$2" > results/one/comment.md
  printf '%s\n' "$1" > results/one/pull-request
  printf '{"7": {"state": "open", "head": {"sha": "%s"}}, "8": {"state": "open", "head": {"sha": "%s"}}, "9": {"state": "closed", "head": {"sha": "%s"}}}\n' \
    "$head" "${head//a/b}" "$head" > service/pulls.json
}

test_the_pull_request_of_that_head_gets_its_comment() {
  from_fork 7 'hello'
  fork 0
  same "$(comments)" '["<!-- perfcheck:h100 -->\nhello\n"]'
}
test_its_next_push_changes_that_comment() {
  from_fork 7 'hello'
  fork 0
  from_fork 7 'again'
  fork 0
  same "$(comments)" '["<!-- perfcheck:h100 -->\nagain\n"]'
}
test_a_fork_cannot_write_to_another_pull_request() {
  local number
  for number in 8 9 10; do
    from_fork "$number" 'hello'
    fork 2
  done
  absent service/comments.json
}
test_a_number_that_is_none_never_reaches_the_service() {
  local number
  for number in '7/comments' '../../../user' '$(touch pwned)' "7
8" '' 'x'; do
    from_fork "$number" 'hello'
    rm -f service/calls
    # Two lines read together are a number of two digits, for which there is no pull request.
    fork 2
    [[ ! -e service/calls ]] || has service/calls 'pulls/78'
  done
  rm results/one/pull-request
  fork 2
  absent service/comments.json
  not_pwned
}
test_mentions_and_pictures_of_a_fork_are_disarmed() {
  from_fork 7 'see @everyone and gemm/naive@f32 ![x](y) <img src=z> <a href=q>'
  fork 0
  lacks service/comments.json ' @everyone'
  has service/comments.json 'naive@f32'
  lacks service/comments.json '![x]'
  lacks service/comments.json '<img'
  lacks service/comments.json '<a href'
}

test_no_spelling_of_a_mention_gets_through() {
  from_fork 7 '_@alice_ &#64;bob &commat;carol &#x40;dave &#064;erin a&b &amp; &#62; &#8203;'
  fork 0
  comments > bodies
  python3 - <<'PYTHON'
import html, json, re
body = html.unescape(json.load(open("bodies"))[0].split("\n", 1)[1])
assert not re.search(r"(?<![A-Za-z0-9])@[A-Za-z0-9]", body), body
assert "a&b & > \u200b" in body, body
PYTHON
}
test_without_any_result_the_comments_there_say_so() {
  printf '{"7": {"state": "open", "head": {"sha": "%s", "label": "stranger:a/b&c"}}}\n' "$head" > service/pulls.json
  local cut=${head:0:12}
  cat > service/comments.json <<'JSON'
[{"id": 1, "issue": "7", "user": {"login": "mallory"}, "body": "<!-- perfcheck:h100 -->\nnot mine"},
 {"id": 2, "issue": "7", "user": {"login": "github-actions[bot]"}, "body": "<!-- perfcheck:h100 -->\nall well"},
 {"id": 3, "issue": "7", "user": {"login": "github-actions[bot]"}, "body": "another bot"}]
JSON
  fork_of() { expect "$1" bash "$repository/ci/comment.sh" --comment results --repo octo/kernels --pr-of results --head-sha "$head" --head "$2"; }
  fork_of 0 stranger:other
  same "$(calls PATCH)" 0
  fork_of 0 'stranger:a/b&c'
  comments > bodies
  has bodies "no result for $cut"
  has bodies 'not mine'
  same "$(calls PATCH) $(calls POST)" '1 0'
}
test_a_result_that_this_run_did_not_bring_is_no_longer_shown() {
  from_fork 7 'new'
  printf '[{"id": 2, "issue": "7", "user": {"login": "github-actions[bot]"}, "body": "<!-- perfcheck:h200 -->\\nall well"}]' > service/comments.json
  fork 0
  comments > bodies
  lacks bodies 'all well'
  has bodies 'new'
}

# ---- GitLab

note() { CI_API_V4_URL=https://gitlab.example/api/v4 CI_PROJECT_ID=42 CI_MERGE_REQUEST_IID=7 PERFCHECK_GITLAB_TOKEN=${1:-good} \
  bash "$repository/ci/gitlab/note.sh" comment.md; }
notes() { python3 -c 'import json, sys; print(json.dumps([n["body"] for n in json.load(open(sys.argv[1])) if n["author"]["id"] == 5]))' service/notes.json; }

test_gitlab_note_is_written_then_updated() {
  text h100 'first & last' > comment.md
  expect 0 note
  text h100 'second' > comment.md
  expect 0 note
  same "$(notes)" '["<!-- perfcheck:h100 -->\nsecond\n"]'
  lacks service/calls good
}
test_gitlab_note_is_found_on_the_second_page() {
  python3 - > service/notes.json <<'PYTHON'
import json
notes = [{"id": i, "author": {"id": 9}, "body": "<!-- perfcheck:h100 -->\nnot mine"} for i in range(150)]
notes.append({"id": 900, "author": {"id": 5}, "body": "<!-- perfcheck:h100 -->\nold"})
print(json.dumps(notes))
PYTHON
  text h100 'new' > comment.md
  expect 0 note
  said 'updated note 900'
}
test_gitlab_refuses_a_wrong_token_and_a_wrong_file() {
  text h100 'x' > comment.md
  expect 2 note bad
  said 'does not know the token'
  printf 'hello\n' > comment.md
  expect 2 note
  said 'marker'
}
run_wanted
