#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of a ladder into its README from what ci/ladder.sh measured: by default those of FP32.

Reads OUT/ladder.json, a run file (docs/file-formats.md), and OUT/counters/FOLDER.KERNEL.csv, the raw page of Nsight
Compute; counters may be lacking, a measurement may not. Joules per launch are in the tables where OUT/energy*.json has them
(perfcheck_energy). The README says which kernel is which step, by headings:
    ### 7. `vectorized`
A heading stands for an idea, padded for padded_f16, padded_bf16 and so on, and fastest for fastest/f32. With a folder in
front it stands for a kernel of that folder alone, `simt/naive`; with its types, padded_tf32, it takes that kernel from
padded; and `space_tf32:3-stages` stands for one point of a space, measured by a worker for tuning. Tables go between the
lines <!-- ladder: begin --> and <!-- ladder: end -->. If the run holds several types, each has its own lines, <!-- ladder:
begin f16.f32 --> and <!-- ladder: end f16.f32 -->, and its table has the steps that were measured with it.
Exit code: 0 the tables are there, 1 with --check: they are not what OUT says, 2 OUT or the README is wrong, 64 usage.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys
import textwrap
from typing import Callable, Iterable, NoReturn, Optional

from ladder_energy import add_energy
from ladder_measured import (CONFLICTS, DRAM, FFMA, INSTRUCTIONS, ISSUE, L2, REMEDY, SHARED, STALLS, TENSOR, WARP, WARPS,
                             WAVEFRONTS, LadderError, Measured, Run, add_counters, read_run, wrong)

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKER = re.compile(r"<!-- ladder: begin(?: (\S+))? -->")
LINE = 120  # of the README, at most
HEADING = re.compile(r"### (\d+)\. `([A-Za-z0-9_]+(?:/[A-Za-z0-9_]+)?(?::[A-Za-z0-9_-]+)?)`")
ELEMENT = "(?:f64|f32|tf32|f16|bf16|e4m3|e5m2|s32|s8|u8|s4)"  # as kernels are named after their types
EXAMPLES = """examples:
  ci/ladder.sh --out out/ladder        on a machine with a GPU: measures
  ci/ladder.py out/ladder              anywhere: writes the tables into the README
  ci/ladder.py --check out/ladder      writes nothing; 1 when the README is not what it would write
  ci/ladder.sh --suite ladder-wmma --out out/wmma
  ci/ladder.py --readme kernels/gemm/wmma/README.md out/wmma
  ci/ladder.py --readme kernels/gemm/mma/README.md out/f16 out/tf32     measured with --filter, one after the other"""


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


def stands_for(step: str, kernel: str) -> bool:
    """Whether a heading names this kernel, simt/naive: with or without folder, types and point."""
    name, _, point = step.partition(":")
    types = f"(?:(?:_{ELEMENT})*|/{ELEMENT}(?:_{ELEMENT})*)"
    points = re.escape(":" + point) if point else "(?::.*)?"
    return re.fullmatch("(?:[^/]+/)?" + re.escape(name) + types + points, kernel) is not None


class Steps:
    """The steps of a README, and which kernels they are in each run."""

    def __init__(self, readme: pathlib.Path, steps: list[tuple[int, str]]) -> None:
        self.readme, self.steps = readme, steps

    def kernel(self, number: int, step: str, names: Iterable[str]) -> Optional[str]:
        others = {other for _, other in self.steps if other != step}
        named = [name for name in names
                 if stands_for(step, name) and others.isdisjoint({name, name.rpartition("/")[2]})]
        if len(named) > 1:
            wrong(self.readme, f"step {number}, {step}, stands for {named[0]} and {named[1]}; name one with its folder or "
                               f"types: ### {number}. `{named[0]}`")
        return named[0] if named else None

    def rows(self, run: Run) -> list[tuple[str, str, Measured]]:
        """Those that were measured. That each kernel is a step was checked before."""
        found = [(number, step, self.kernel(number, step, run.kernels)) for number, step in self.steps]
        return [(str(number), f"`{step}`", run.kernels[kernel]) for number, step, kernel in found if kernel]

    def left_out(self, run: Run) -> dict[str, str]:
        """Steps that this run lacks, although there are such kernels, and why."""
        found = {step: self.kernel(number, step, run.left_out) for number, step in self.steps}
        return {step: run.left_out[kernel] for step, kernel in found.items() if kernel}

    def check(self, runs: list[Run]) -> None:
        for number, step in self.steps:
            if any(self.kernel(number, step, run.kernels) for run in runs):
                continue
            for run in runs:
                if step in self.left_out(run):
                    wrong(self.readme, f"step {number}, {step}, was not measured: {self.left_out(run)[step]}")
            wrong(self.readme, f"step {number}, {step}, was not measured; mend the heading, or {REMEDY}")
        for run in runs:
            steps = {kernel.name for _, _, kernel in self.rows(run)}
            for name in sorted(run.kernels.keys() - steps):
                plain = run.kernels[name].plain_name
                wrong(self.readme, f"{plain} was measured, but is no step; give it a heading: "
                                   f"### {self.steps[-1][0] + 1}. `{plain}`")


def markers(readme: pathlib.Path, text: str, runs: list[Run]) -> list[str]:
    """For each run, what its markers are called: nothing, or a blank and its types."""
    named = [found[1] for found in map(MARKER.fullmatch, text.splitlines()) if found and found[1]]
    if not named and len(runs) == 1:
        return [""]
    types = [run.types for run in runs]
    for one in named:
        if one not in types:
            wrong(readme, f"has a table of {one}, which was not measured; measured were {', '.join(types)}")
    return [f" {one}" for one in types]


def replaced(readme: pathlib.Path, text: str, name: str, tables: str) -> str:
    lines = text.splitlines()
    begin, end = f"<!-- ladder: begin{name} -->", f"<!-- ladder: end{name} -->"
    for marker in (begin, end):
        if lines.count(marker) != 1 or text.count(marker) != 1:
            wrong(readme, f"has {text.count(marker)} of {marker}; write {begin} and {end} once, on lines of their own")
    if lines.index(end) < lines.index(begin):
        wrong(readme, f"{end} stands before {begin}; exchange them")
    return f"{text.partition(begin)[0]}{begin}\n{tables}{end}{text.partition(end)[2]}"


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


def tensor_activity(kernel: Measured) -> str:
    active = next((kernel.counter(name) for name in TENSOR if kernel.counter(name) is not None), None)
    return percent(None if active is None else active / 100)


def longest_wait(kernel: Measured) -> str:
    """What warps wait for most, and how many cycles per instruction."""
    waits = [(kernel.counter(name), reason) for name, reason in STALLS.items()]
    longest = max(((cycles, reason) for cycles, reason in waits if cycles is not None), default=None)
    return f"{longest[1]} {longest[0]:.1f}" if longest else ""


Columns = list[tuple[str, Callable[[Measured], str]]]


def of_best(run: Run) -> Columns:
    """Against the fastest that the library has. Both were timed in turns with the reference, so clocks cancel."""
    best = run.best
    if best is None:
        return []
    return [("of best", lambda kernel: "" if kernel is best else percent(kernel.of_reference / best.of_reference))]


def joules(kernel: Measured) -> str:
    return "" if kernel.energy is None else digits4(kernel.energy.joules)


def joules_of_reference(kernel: Measured) -> str:
    return percent(None if kernel.energy is None else kernel.energy.of_reference)


def energy_columns(run: Run) -> Columns:
    if run.reference.energy is None:
        return []
    return [("joules", joules), (f"of {run.library}'s", joules_of_reference)]


def about_energy(run: Run) -> list[str]:
    if run.reference.energy is None:
        return []
    text = (f"Joules of the whole board per launch, back to back, in turns with {run.library}: percent of what that takes, "
            "so less is better. They depend on the data, here random numbers; times are of launches that rest.")
    return [textwrap.fill(text, LINE) + "\n"]


def time_columns(run: Run, first: Measured, first_step: str) -> Columns:
    return [
        ("time", lambda kernel: duration(kernel.time_ns)),
        ("TFLOP/s", lambda kernel: digits4(run.flop / kernel.time_ns / 1e3)),
        (f"of {run.library}", lambda kernel: "" if kernel is run.reference else percent(kernel.of_reference)),
        *of_best(run),
        (f"times {first_step}", lambda kernel: digits4(first.time_ns / kernel.time_ns)),
        ("of peak", lambda kernel: percent(run.flop / kernel.time_ns * 1e9 / run.peak_flops)),
        ("clock", lambda kernel: "" if kernel.clock_mhz is None else f"{kernel.clock_mhz:.0f} MHz"),
        *energy_columns(run),
    ]


MEMORY_COLUMNS: Columns = [
    ("registers", registers),
    ("occupancy", occupancy),
    ("DRAM", percent_of_peak(DRAM)),
    ("L2", percent_of_peak(L2)),
    ("shared memory", percent_of_peak(SHARED)),
    ("issue slots", percent_of_peak(ISSUE)),
]
SIMT_COLUMNS: Columns = [*MEMORY_COLUMNS, ("FFMA", ffma_share), ("bank conflicts", conflict_share)]
TENSOR_COLUMNS: Columns = [*MEMORY_COLUMNS, ("tensor pipe", tensor_activity), ("bank conflicts", conflict_share),
                           ("longest wait", longest_wait)]


def table(rows: list[tuple[str, str, Measured]], columns: Columns) -> str:
    lines = ["| step | kernel | " + " | ".join(title for title, _ in columns) + " |",
             "|---:|---|" + "---:|" * len(columns)]
    for step, name, kernel in rows:
        cells = (step, name, *(cell(kernel) for _, cell in columns))
        lines.append("|" + "".join(f" {cell} |" if cell else " |" for cell in cells))
    return "\n".join(lines) + "\n"


def about_counters(run: Run, kernels: list[Measured]) -> str:
    if not any(one.counters for one in kernels):
        return "No counters were read; occupancy is what the launch allows.\n"
    lacking = "" if all(one.counters for one in kernels) else " (without counters: what the launch allows)"
    own = "FFMA in percent of the instructions, bank" if run.simt else "bank"
    waits = "" if run.simt else (" The longest wait is what keeps warps from issuing most, and the cycles that it costs "
                                 "per instruction.")
    text = (f"Counters of one launch, in percent of what the device can do; {own} conflicts of the accesses to shared "
            f"memory, occupancy as measured{lacking}.{waits}")
    return textwrap.fill(text, LINE) + "\n"


def about_left_out(left_out: dict[str, str]) -> list[str]:
    if not left_out:
        return []
    return [textwrap.fill("Left out: " + "; ".join(f"`{step}` ({why})" for step, why in left_out.items()) + ".", LINE,
                          break_long_words=False, break_on_hyphens=False) + "\n"]


def tables_of(steps: Steps, run: Run) -> str:
    rows = steps.rows(run)
    if not rows:
        wrong(steps.readme, f"no step was measured with {run.types}; take its table out, or {REMEDY}")
    first, first_step = rows[0][2], rows[0][1]
    rows.append(("", run.library, run.reference))
    if run.best is not None:
        rows.append(("", f"{run.library}, best", run.best))
    kernels = [kernel for _, _, kernel in rows]
    left_out = about_left_out(steps.left_out(run))
    return "\n".join([f"<!-- written by ci/ladder.py -->\n{run.heading}:\n",
                      table(rows, time_columns(run, first, first_step)), *about_energy(run), *left_out,
                      about_counters(run, kernels),
                      table(rows, SIMT_COLUMNS if run.simt else TENSOR_COLUMNS)])


# ---- the command


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        print(f"ladder.py: {message}; see --help", file=sys.stderr)
        sys.exit(64)


def arguments() -> argparse.Namespace:
    parser = Parser(description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", metavar="OUT", type=pathlib.Path, nargs="+",
                        help="the folder that ci/ladder.sh wrote, or several, each with other types")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the tables are not those of OUT")
    parser.add_argument("--readme", type=pathlib.Path, default=ROOT / "kernels/gemm/simt/README.md",
                        help="the file to write into (default: that of the FP32 ladder)")
    return parser.parse_args()


def read_folders(folders: list[pathlib.Path]) -> list[Run]:
    """The runs of all folders, in their order."""
    all_runs: list[Run] = []
    for folder in folders:
        runs = read_run(folder / "ladder.json")
        add_counters(folder / "counters", runs)
        add_energy(folder, runs)
        for run in runs:
            if any(run.types == other.types for other in all_runs):
                wrong(folder, f"measured {run.types}, as another folder did; give one of them")
        all_runs += runs
    return all_runs


def main() -> int:
    given = arguments()
    try:
        text = given.readme.read_text(encoding="utf-8")
        steps = Steps(given.readme, steps_of(given.readme, text))
        runs = read_folders(given.out)
        steps.check(runs)
        new = text
        for name, run in zip(markers(given.readme, text, runs), runs):
            new = replaced(given.readme, new, name, tables_of(steps, run))
        if given.check and new != text:
            print(f"ladder.py: {given.readme}: the tables are not those of {', '.join(map(str, given.out))}; write them "
                  "without --check", file=sys.stderr)
            return 1
        if new != text:
            given.readme.write_text(new, encoding="utf-8")
    except (LadderError, OSError, UnicodeDecodeError) as error:
        print(f"ladder.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
