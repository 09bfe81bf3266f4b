#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""How much slower a build of the kernels is than another, by perfcheck_event_timer: nothing of the harness takes part.

    compare_builds.py [--rounds N] BASE HEAD < IDS

BASE and HEAD are timers of two builds, IDS has a case per line. Both run at once and are asked in turns, BASE HEAD HEAD
BASE, so that a clock or a card that drifts hits both. Prints, for each case: id, microseconds of BASE, median of the
rounds' ratios HEAD / BASE, and the quartiles of the ratios. A case that a build refuses is named on standard error.
"""
import argparse
import statistics
import subprocess
import sys


class Timer:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def round(self, case):
        """Microseconds of a launch, or ValueError with why there is no time."""
        self.process.stdin.write(case + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"{self.process.args[0]} ended at {case}")
        try:
            return float(answer)
        except ValueError:
            raise ValueError(answer) from None


def compare(base, head, case, rounds):
    """Median time of `base`, and the ratios of `rounds` rounds of two times each."""
    times, ratios = [], []
    for timer in (base, head):
        timer.round(case)
    for number in range(rounds):
        first, second = (base, head) if number % 2 == 0 else (head, base)
        a, b = first.round(case), second.round(case)
        times.append(a if first is base else b)
        ratios.append(b / a if first is base else a / b)
    return statistics.median(times), ratios


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("base")
    parser.add_argument("head")
    arguments = parser.parse_args()
    base, head = Timer(arguments.base), Timer(arguments.head)
    for case in filter(None, (line.strip() for line in sys.stdin)):
        try:
            time, ratios = compare(base, head, case, arguments.rounds)
        except ValueError as refusal:
            print(f"{case}: {refusal}", file=sys.stderr)
            continue
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{case} {time:.2f} {middle:.5f} {low:.5f} {high:.5f}", flush=True)


if __name__ == "__main__":
    main()
