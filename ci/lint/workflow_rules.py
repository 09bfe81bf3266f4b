# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""This project's own rules of workflows and actions; docs/ci.md says what each is for.

Usage: workflow_rules.py FILE...    Prints a line per finding. Exit code: 0 none, 1 findings, 2 could not look.
"""
import re
import sys

import ruamel.yaml

PINNED = re.compile(r"@([0-9a-f]{40}|v\d+(\.\d+)*)$")
# One call: what several commands share would be untested code. (apt-get: before a checkout there is no script. true: a
# job is there for what it waits for.)
ONE_CALL = re.compile(r'(bash )?"?(\$RUNNER_TEMP/perfcheck-pack/|\$GITHUB_ACTION_PATH/)?ci/[a-z_]+\.sh\b|make |apt-get |true$')


def steps_of(place, steps):
    for number, step in enumerate(steps or [], 1):
        yield f"{place}, step {number}", step


def all_steps(document):
    for name, job in (document.get("jobs") or {}).items():
        yield from steps_of(f"job {name}", job.get("steps"))
    yield from steps_of("action", (document.get("runs") or {}).get("steps"))


def findings_in(document):
    if "jobs" in document:
        if "permissions" not in document:
            yield "workflow", "names no permissions, so its token may do whatever the repository allows; begin with none"
        # Some readers take the key `on` for the word true.
        events = document.get("on", document.get(True))
        if "pull_request_target" in (events if isinstance(events, (dict, list)) else [events]):
            yield "workflow", "pull_request_target gives a stranger's pull request a token that may write; use workflow_run"
        for name, job in document["jobs"].items():
            if "timeout-minutes" not in job:
                yield f"job {name}", "has no timeout-minutes: a job that hangs would hold its runner for hours"
    for place, step in all_steps(document):
        run = step.get("run")
        if run is not None:
            if "${{" in run:
                yield place, "an expression within `run` becomes part of the script; give it through env"
            if not ONE_CALL.match(run) or "\n" in run.strip():
                yield place, "`run` is to be one call of a script of ci/, which also runs by hand and is tested"
        uses = step.get("uses")
        if uses is not None:
            if not uses.startswith("./") and not PINNED.search(uses):
                yield place, f"{uses} is not pinned to a version or a commit"
            if uses.startswith("actions/checkout@") and "persist-credentials" not in (step.get("with") or {}):
                yield place, "actions/checkout leaves its token on the disk; say persist-credentials: false"


def main(paths):
    count = 0
    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            document = reader.load(file)
        for place, problem in findings_in(document):
            print(f"{path}: {place}: {problem}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, AttributeError, ruamel.yaml.error.YAMLError) as error:
        print(f"workflow_rules.py: could not look: {error}", file=sys.stderr)
        sys.exit(2)
