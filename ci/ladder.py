#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of the FP32 ladder into kernels/gemm/simt/README.md from what ci/ladder.sh measured.

Reads OUT/ladder.json, a run file (docs/file-formats.md), and OUT/counters/KERNEL.csv, the raw page of Nsight Compute;
counters may be lacking, a measurement may not. The README says which kernel is which step, by headings of the form
    ### 7. `vectorized`
and where the tables go: between the lines <!-- ladder: begin --> and <!-- ladder: end -->.
Exit code: 0 the tables are there, 1 with --check: they are not what OUT says, 2 OUT or the README is wrong, 64 usage.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys
import textwrap
from typing import Callable, NoReturn, Optional

from ladder_measured import (CONFLICTS, DRAM, FFMA, INSTRUCTIONS, ISSUE, L2, REMEDY, SHARED, WARP, WARPS, WAVEFRONTS,
                             LadderError, Measured, Run, add_counters, read_run, wrong)

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- ladder: begin -->", "<!-- ladder: end -->"
LINE = 120  # of the README, at most
HEADING = re.compile(r"### (\d+)\. `([A-Za-z0-9_]+)`")
EXAMPLES = """examples:
  ci/ladder.sh --out out/ladder        on a machine with a GPU: measures
  ci/ladder.py out/ladder              anywhere: writes the tables into the README
  ci/ladder.py --check out/ladder      writes nothing; 1 when the README is not what it would write"""


# ---- the README


def steps_of(readme: pathlib.Path, text: str) -> list[tuple[int, str]]:
    """Number and kernel of each step, in the README's order."""
    steps: list[tuple[int, str]] = []
    fenced = False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        found = None if fenced else HEADING.match(line)
        if found is None:
            continue
        number, name = int(found[1]), found[2]
        if any(name == other for _, other in steps):
            wrong(readme, f"two headings are of {name}; a kernel is one step")
        if steps and number <= steps[-1][0]:
            wrong(readme, f"step {number}, {name}, follows step {steps[-1][0]}; number them upwards")
        steps.append((number, name))
    return steps or wrong(readme, "has no step; head each as ### 1. `naive`")


def check_steps(readme: pathlib.Path, steps: list[tuple[int, str]], run: Run) -> None:
    for number, name in steps:
        if name in run.left_out:
            wrong(readme, f"step {number}, {name}, was not measured: {run.left_out[name]}")
        if name not in run.kernels:
            wrong(readme, f"step {number}, {name}, was not measured; mend the heading, or {REMEDY}")
    for name in sorted(run.kernels.keys() - {name for _, name in steps}):
        wrong(readme, f"{name} was measured, but is no step; give it a heading: ### {steps[-1][0] + 1}. `{name}`")


def replaced(readme: pathlib.Path, text: str, tables: str) -> str:
    lines = text.splitlines()
    for marker in (BEGIN, END):
        if lines.count(marker) != 1 or text.count(marker) != 1:
            wrong(readme, f"has {text.count(marker)} of {marker}; write {BEGIN} and {END} once, on lines of their own")
    if lines.index(END) < lines.index(BEGIN):
        wrong(readme, f"{END} stands before {BEGIN}; exchange them")
    return f"{text.partition(BEGIN)[0]}{BEGIN}\n{tables}{END}{text.partition(END)[2]}"


# ---- the tables


def digits4(value: float) -> str:
    """Four significant digits, never with an exponent."""
    exponent = int(f"{value:.3e}".partition("e")[2])
    return f"{value:.{max(0, 3 - exponent)}f}"


def duration(nanoseconds: float) -> str:
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{digits4(nanoseconds / size)} {unit}"
    return f"{digits4(nanoseconds)} ns"


def percent(share: Optional[float]) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def percent_of_peak(name: str) -> Callable[[Measured], str]:
    def cell(kernel: Measured) -> str:
        value = kernel.counter(name)
        return percent(None if value is None else value / 100)

    return cell


def registers(kernel: Measured) -> str:
    return str(kernel.launch["registers"]) if kernel.launch else ""


def occupancy(kernel: Measured) -> str:
    active = kernel.counter(WARPS)
    if active is not None:
        return percent(active / 100)
    return percent(kernel.launch["occupancy"]) if kernel.launch else ""


def ffma_share(kernel: Measured) -> str:
    ffma, instructions = kernel.counter(FFMA), kernel.counter(INSTRUCTIONS)
    return percent(ffma / WARP / instructions) if ffma is not None and instructions else ""


def conflict_share(kernel: Measured) -> str:
    """Of the accesses to shared memory; a kernel without any has no share."""
    conflicts, wavefronts = [kernel.counter(name) for name in CONFLICTS], kernel.counter(WAVEFRONTS)
    if wavefronts is None or any(one is None for one in conflicts):
        return ""
    return percent(sum(one for one in conflicts if one is not None) / wavefronts) if wavefronts else "-"


Columns = list[tuple[str, Callable[[Measured], str]]]


def time_columns(run: Run, first: Measured) -> Columns:
    return [
        ("time", lambda kernel: duration(kernel.time_ns)),
        ("TFLOP/s", lambda kernel: digits4(run.flop / kernel.time_ns / 1e3)),
        (f"of {run.library}", lambda kernel: "" if kernel is run.reference else percent(kernel.of_reference)),
        (f"times `{first.name}`", lambda kernel: digits4(first.time_ns / kernel.time_ns)),
        ("of peak", lambda kernel: percent(run.flop / kernel.time_ns * 1e9 / run.peak_flops)),
        ("clock", lambda kernel: "" if kernel.clock_mhz is None else f"{kernel.clock_mhz:.0f} MHz"),
    ]


COUNTER_COLUMNS: Columns = [
    ("registers", registers),
    ("occupancy", occupancy),
    ("DRAM", percent_of_peak(DRAM)),
    ("L2", percent_of_peak(L2)),
    ("shared memory", percent_of_peak(SHARED)),
    ("issue slots", percent_of_peak(ISSUE)),
    ("FFMA", ffma_share),
    ("bank conflicts", conflict_share),
]


def table(rows: list[tuple[str, str, Measured]], columns: Columns) -> str:
    lines = ["| step | kernel | " + " | ".join(title for title, _ in columns) + " |",
             "|---:|---|" + "---:|" * len(columns)]
    for step, name, kernel in rows:
        cells = (step, name, *(cell(kernel) for _, cell in columns))
        lines.append("|" + "".join(f" {cell} |" if cell else " |" for cell in cells))
    return "\n".join(lines) + "\n"


def about_counters(kernels: list[Measured]) -> str:
    if not any(one.counters for one in kernels):
        return "No counters were read; occupancy is what the launch allows.\n"
    lacking = "" if all(one.counters for one in kernels) else " (without counters: what the launch allows)"
    text = ("Counters of one launch, in percent of what the device can do; FFMA in percent of the instructions, bank "
            f"conflicts of the accesses to shared memory, occupancy as measured{lacking}.")
    return textwrap.fill(text, LINE) + "\n"


def tables_of(steps: list[tuple[int, str]], run: Run) -> str:
    rows = [(str(number), f"`{name}`", run.kernels[name]) for number, name in steps]
    rows.append(("", run.library, run.reference))
    kernels = [kernel for _, _, kernel in rows]
    return "\n".join([f"<!-- written by ci/ladder.py -->\n{run.heading}:\n", table(rows, time_columns(run, kernels[0])),
                      about_counters(kernels), table(rows, COUNTER_COLUMNS)])


# ---- the command


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"ladder.py: {message}; see --help", file=sys.stderr)
        sys.exit(64)


def arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, help="the folder that ci/ladder.sh wrote")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the tables are not those of OUT")
    parser.add_argument("--readme", type=pathlib.Path, default=ROOT / "kernels/gemm/simt/README.md",
                        help="the file to write into (default: the ladder's)")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    try:
        text = given.readme.read_text(encoding="utf-8")
        steps = steps_of(given.readme, text)
        run = read_run(given.out / "ladder.json")
        add_counters(given.out / "counters", run)
        check_steps(given.readme, steps, run)
        new = replaced(given.readme, text, tables_of(steps, run))
        if given.check and new != text:
            print(f"ladder.py: {given.readme}: the tables are not those of {given.out}; write them without --check",
                  file=sys.stderr)
            return 1
        if new != text:
            given.readme.write_text(new, encoding="utf-8")
    except (LadderError, OSError, UnicodeDecodeError) as error:
        print(f"ladder.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
