#!/usr/bin/env bash
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
#
# The GPUs to gate on, from the variable PERFCHECK_FLEET or the file .github/fleet.json, as the matrices of a GitHub
# workflow.
#
# Usage: ci/fleet.sh
#
#   PERFCHECK_FLEET='[{"name": "h100", "labels": ["self-hosted", "linux", "gpu", "h100"], "shards": 2}]' ci/fleet.sh
#
# PERFCHECK_FLEET is a JSON list. An entry is a GPU model: `name` (of its results), `labels` (of its runners; all must
# match), `shards` (parts to measure at once, on as many runners; 1), `suite` (default). GitHub gives no variable to the
# runs of a fork's pull request: those read the file. Without either: [{"name": "gpu", "labels": ["self-hosted",
# "linux", "gpu"]}].
#
# Writes two lines to $GITHUB_OUTPUT, or to standard output: `models=` one entry per model, `jobs=` one per model and
# shard.
# Exit code: 0 written, 64 the variable is wrong; the message says where.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
parse_arguments "$@"

fleet=${PERFCHECK_FLEET:-}
[[ -n $fleet || ! -f .github/fleet.json ]] || fleet=$(< .github/fleet.json)
[[ -n $fleet ]] || fleet='[{"name": "gpu", "labels": ["self-hosted", "linux", "gpu"]}]'
[[ -z ${GITHUB_OUTPUT:-} ]] || exec >> "$GITHUB_OUTPUT"
python3 - "$fleet" <<'PYTHON'
import json
import re
import sys

WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
KEYS = {"name", "labels", "shards", "suite"}
MOST_JOBS = 256  # of one matrix, GitHub's limit


def refuse(place, problem):
    print(f"fleet.sh: fleet{place}: {problem}; see ci/fleet.sh --help", file=sys.stderr)
    sys.exit(64)


def once(pairs):
    table = dict(pairs)
    if len(table) != len(pairs):
        refuse("", "a key appears twice")
    return table


def word(value, place):
    if not isinstance(value, str) or not WORD.fullmatch(value):
        refuse(place, "must be a word of letters, digits, '.', '_' and '-'")
    return value


try:
    fleet = json.loads(sys.argv[1], object_pairs_hook=once)
except json.JSONDecodeError as error:
    refuse("", f"not valid JSON ({error})")
if not isinstance(fleet, list) or not fleet:
    refuse("", "must be a list with at least one GPU model: without one there is no gate")
models, jobs = [], []
for i, entry in enumerate(fleet):
    place = f"[{i}]"
    if not isinstance(entry, dict):
        refuse(place, "must be an object")
    for key in entry:
        if key not in KEYS:
            refuse(place, f"unknown key {key!r}; known: {', '.join(sorted(KEYS))}")
    name = word(entry.get("name"), place + ".name")
    if any(model["name"] == name for model in models):
        refuse(place + ".name", f"{name} is the name of another entry")
    labels = entry.get("labels")
    if not isinstance(labels, list) or not labels:
        refuse(place + ".labels", "must be a list of a runner's labels")
    labels = [word(label, f"{place}.labels[{j}]") for j, label in enumerate(labels)]
    shards = entry.get("shards", 1)
    if not isinstance(shards, int) or isinstance(shards, bool) or not 1 <= shards <= 64:
        refuse(place + ".shards", "must be a number from 1 to 64")
    suite = word(entry.get("suite", "default"), place + ".suite")
    models.append({"name": name, "labels": labels, "suite": suite})
    for shard in range(1, shards + 1):
        # Empty for a single job: without shards there is nothing to merge.
        part = f"{shard}/{shards}" if shards > 1 else ""
        jobs.append({"name": name, "labels": labels, "suite": suite, "shard": part, "number": shard})
if len(jobs) > MOST_JOBS:
    refuse("", f"{len(jobs)} jobs; a workflow takes {MOST_JOBS}")
print("models=" + json.dumps(models))
print("jobs=" + json.dumps(jobs))
PYTHON
