# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""What ci/comment.sh says to GitHub: which comments are ours, and the bodies of requests.

Usage: comments.py write COMMENT REQUEST THERE AUTHOR own|foreign     prints the id of the comment to change, if any
       comments.py stale FOLDER THERE AUTHOR COMMIT MARKER...         writes FOLDER/stale-ID for each id that it prints
       comments.py pull COMMIT                                        number of the pull request in the list on stdin

THERE: the issue's comments, as `gh api --paginate` prints them. Exit code: 0, or 2 for a file that is no comment.
"""
import json
import re
import sys

LONGEST = 65536  # characters of a comment, GitHub's limit
MARKER = re.compile(r"<!-- perfcheck:([A-Za-z0-9._-]{1,64}) -->")
# Only the character references that perfcheck writes, for ASCII punctuation; another one could be an @.
REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|#(?:3[3-9]|4[0-7]|5[89]|6[0-3]|9[1-6]|12[3-6]|8203));)")


def first_line(text):
    return (text or "").split("\n", 1)[0].strip()


def comments_of(path, author):
    """Comments that are ours; the file holds pages, one after the other, each a list."""
    with open(path, encoding="utf-8") as file:
        rest = file.read().lstrip()
    while rest:
        page, end = json.JSONDecoder().raw_decode(rest)
        yield from (one for one in page if (one.get("user") or {}).get("login") == author)
        rest = rest[end:].lstrip()


def disarmed(body):
    """No mention, link by tag or picture of somebody else's choosing."""
    body = "".join(c for c in body if c >= " " or c in "\n\t")
    body = REFERENCE.sub("&amp;", body.replace("&#64;", "@"))
    body = re.sub(r"(?<![A-Za-z0-9])@(?=[A-Za-z0-9])", "@\u200b", body).replace("![", "!\\[")
    return re.sub(r"<(/?)(img|a|picture|source|video)\b", r"&lt;\1\2", body, flags=re.IGNORECASE)


def request(path, body):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"body": body}, file)


def refuse(path, problem):
    print(f"comment.sh: {path}: {problem}", file=sys.stderr)
    sys.exit(2)


def write(path, to, there, author, trust):
    with open(path, encoding="utf-8", errors="replace") as file:
        body = file.read(4 * LONGEST)
    marker = first_line(body)
    if not MARKER.fullmatch(marker):
        refuse(path, "does not begin with the marker <!-- perfcheck:NAME -->; it is no comment of perfcheck")
    if trust == "foreign":
        body = disarmed(body)
    if len(body) > LONGEST:
        refuse(path, f"has {len(body)} characters; GitHub takes {LONGEST}")
    request(to, body)
    for comment in comments_of(there, author):
        if first_line(comment.get("body")) == marker:
            print(int(comment["id"]))
            return


def stale(folder, there, author, commit, *markers):
    for comment in comments_of(there, author):
        marker = first_line(comment.get("body"))
        found = MARKER.fullmatch(marker)
        if found is None or marker in markers:
            continue
        body = f"{marker}\n### {found[1]}: no result for {commit[:12]}\n\nThe gate brought none; its log says why.\n"
        if comment["body"] != body:
            request(f"{folder}/stale-{int(comment['id'])}", body)
            print(int(comment["id"]))


def pull(commit):
    for one in json.load(sys.stdin):
        if one["head"]["sha"] == commit:
            print(int(one["number"]))
            return


if __name__ == "__main__":
    {"write": write, "stale": stale, "pull": pull}[sys.argv[1]](*sys.argv[2:])
