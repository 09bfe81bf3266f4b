#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""By how much two groups of sessions of equal code differ on a CPU that others use, drawn from recorded sessions: by the
mean of their median ratios, and by the fastest round of each group.

    mkdir /tmp/cpu && tar xf docs/evidence/recordings/cpu.tar.xz -C /tmp/cpu
    docs/evidence/fastest_rounds.py /tmp/cpu/*
"""

import argparse
import collections
import json
import math
import pathlib
import random
import statistics

DRAWS = 200


def sessions_of(folder):
    """By case, a list of (median ratio, fastest round in ns), one for each session without a slowdown."""
    cases = collections.defaultdict(list)
    for file in sorted(pathlib.Path(folder).rglob("*.run.json")):
        for session in json.loads(file.read_text(encoding="utf-8"))["sessions"]:
            for case in session["cases"]:
                if case["status"] != "measured" or case.get("injected_percent", 0) or case["id"] == case["reference"]:
                    continue
                rounds = case["rounds"]
                ratios = [time / other for time, other in zip(rounds["time_ns"], rounds["reference_time_ns"])]
                cases[case["id"]].append((statistics.median(ratios), min(rounds["time_ns"])))
    return cases


def differences(cases, size, draw):
    """Sizes of the differences between two groups of `size` sessions of a case, as logarithms: (by medians, by fastest)."""
    for sessions in cases.values():
        if len(sessions) < 2 * size:
            continue
        for _ in range(DRAWS):
            drawn = draw.sample(sessions, 2 * size)
            groups = drawn[:size], drawn[size:]
            means = [statistics.fmean(math.log(ratio) for ratio, _ in group) for group in groups]
            fastest = [math.log(min(time for _, time in group)) for group in groups]
            yield abs(means[0] - means[1]), abs(fastest[0] - fastest[1])


def percent(sizes, share):
    """The size that this share of them does not exceed."""
    return f"{100 * math.expm1(sorted(sizes)[int(share * (len(sizes) - 1))]):.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", help="recordings of perfcheck calibrate")
    options = parser.parse_args()
    print("recording", "sessions in a group", "median ratios: half, 95 %, 99 %", "fastest rounds: half, 95 %, 99 %", sep=" | ")
    for folder in options.folders:
        cases = sessions_of(folder)
        for size in (4, 8):
            medians, fastest = zip(*differences(cases, size, random.Random(1)))
            told = (", ".join(percent(sizes, share) for share in (0.5, 0.95, 0.99)) for sizes in (medians, fastest))
            print(pathlib.Path(folder).name, size, *told, sep=" | ")


if __name__ == "__main__":
    main()
