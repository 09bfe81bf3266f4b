# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""What ci/ladder.sh measured: a run file and counters, refused where they cannot be used. For ci/ladder.py."""
from __future__ import annotations

import csv
import json
import math
import pathlib
import re
import statistics
from dataclasses import dataclass, field
from typing import Any, NoReturn, Optional

REMEDY = "measure again with ci/ladder.sh"
SCHEMAS = ("perfcheck.run/4", "perfcheck.run/3", "perfcheck.run/2", "perfcheck.run/1")  # what is read of them is alike

# Columns of the counters' files, as Nsight Compute names them.
DRAM = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
L2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
SHARED = "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed"
ISSUE = "sm__inst_issued.avg.pct_of_peak_sustained_active"
WARPS = "sm__warps_active.avg.pct_of_peak_sustained_active"
INSTRUCTIONS = "smsp__inst_executed.sum"
FFMA = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"
CONFLICTS = ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")
COUNTERS = (DRAM, L2, SHARED, ISSUE, WARPS, INSTRUCTIONS, FFMA, WAVEFRONTS, *CONFLICTS)
# The first that is there says how busy the tensor cores were. They differ by architecture and version of Nsight Compute.
TENSOR = ("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
          "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active")
# What the warps of a scheduler wait for, in cycles per issued instruction.
STALLS = {f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio": reason
          for reason in ("long_scoreboard", "short_scoreboard", "barrier", "mio_throttle", "lg_throttle",
                         "math_pipe_throttle", "wait")}
OPTIONAL = (*TENSOR, *STALLS)  # may be lacking
WARP = 32  # threads
SIMT = "f32"  # arithmetic whose ladder climbs on the ordinary units
BEST = "_best"  # ends the names of kernels that take the fastest that a library has


class LadderError(Exception):
    """What is wrong where, and what to do about it."""


def wrong(place: object, problem: str) -> NoReturn:
    raise LadderError(f"{place}: {problem}")


@dataclass
class Energy:
    """Of one launch, on the whole board."""

    joules: float
    of_reference: Optional[float]  # joules over the reference's; None for the reference itself


@dataclass
class Measured:
    """One kernel of the run."""

    name: str  # without the operation: simt/naive, or mma/space_tf32:3-stages, a point, from a worker for tuning
    case: dict[str, Any]
    time_ns: float
    of_reference: float  # reference time over time
    clock_mhz: Optional[float]
    counters: Optional[dict[str, Optional[float]]] = field(default=None)  # None: not collected
    energy: Optional[Energy] = field(default=None)  # None: not measured

    @property
    def plain_name(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def launch(self) -> Optional[dict[str, Any]]:
        launches = self.case.get("launches")
        return launches[0] if launches else None

    def counter(self, name: str) -> Optional[float]:
        return None if self.counters is None else self.counters.get(name)


@dataclass
class Run:
    """What a run file says of one problem, the ladder of one row of types."""

    types: str
    heading: str  # device, versions, date
    device: str
    simt: bool
    peak_flops: float
    flop: float
    library: str  # whose kernel the reference is
    reference: Measured
    best: Optional[Measured]  # the fastest that the library has
    kernels: dict[str, Measured]  # all others, by name
    left_out: dict[str, str]  # kernels that a rule of the suite leaves out, or that refuse the problem, and why


# ---- the run file


def read_versioned(path: pathlib.Path, schemas: tuple[str, ...], kind: str) -> dict[str, Any]:
    """A file of perfcheck in one of these versions."""
    def refuse(constant: str) -> NoReturn:
        wrong(path, f"holds {constant}, which is no measurement; {REMEDY}")

    try:
        run = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    except OSError as error:
        wrong(path, f"{error.strerror}; ci/ladder.sh writes it, on a machine with a GPU")
    except ValueError as error:
        wrong(path, f"is no JSON ({error}); {REMEDY}")
    if not isinstance(run, dict) or run.get("schema") not in schemas:
        wrong(path, f"is no {kind} of perfcheck (schema {' or '.join(schemas)}); give the folder that ci/ladder.sh wrote")
    return run


def member(place: object, value: Any, *names: str) -> Any:
    """The member of a member; what is lacking is named."""
    for depth, name in enumerate(names, 1):
        if not isinstance(value, dict) or name not in value:
            wrong(place, f"{'.'.join(names[:depth])} is missing; {REMEDY}")
        value = value[name]
    return value


def members(place: object, value: Any, name: str) -> list[Any]:
    found = member(place, value, name)
    return found if isinstance(found, list) else wrong(place, f"{name} is no list; {REMEDY}")


def positive(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0


def column(place: str, case: dict[str, Any], name: str, length: Optional[int] = None) -> list[float]:
    """A column of a case's rounds: finite numbers above 0, at least one, as many as there are of the others."""
    values = member(place, case, "rounds", name)
    if not isinstance(values, list) or not values or not all(positive(one) for one in values):
        wrong(place, f"rounds.{name} must be one or more finite numbers greater than 0; {REMEDY}")
    if length is not None and len(values) != length:
        wrong(place, f"rounds.{name} has {len(values)} values, not {length}; {REMEDY}")
    return values


def measured(place: str, name: str, case: dict[str, Any]) -> Measured:
    if case.get("injected_percent") or case.get("unfit"):
        wrong(place, f"slowed down on purpose, or on a machine that was not fit to measure; {REMEDY}")
    times = column(place, case, "time_ns")
    references = column(place, case, "reference_time_ns", len(times))
    clocks = column(place, case, "clock_mhz", len(times)) if "clock_mhz" in case["rounds"] else None
    for launch in case.get("launches", []):
        for one in ("function", "grid", "block", "registers", "occupancy"):
            member(place, launch, one)
    ratio = statistics.median(reference / time for time, reference in zip(times, references))
    return Measured(name, case, statistics.median(times), ratio, statistics.median(clocks) if clocks else None)


def names_of(path: pathlib.Path, case: dict[str, Any]) -> tuple[str, str]:
    """A case's kernel, without operation, and its problem."""
    kernel, at, problem = str(member(path, case, "id")).partition("@")
    if not at:
        wrong(path, f"{kernel!r} is no case id (kernel@problem); {REMEDY}")
    return kernel.partition("/")[2] or kernel, problem


def types_of(problem: str) -> str:
    """What stands before the layout: f16.f32 of f16.f32,nn,m64n64k64."""
    return re.split(r",n[nt],", problem, maxsplit=1)[0]


def by_problem(path: pathlib.Path, cases: list[Any]) -> dict[str, list[Any]]:
    """The cases of each problem; of each row of types there is one."""
    problems: dict[str, list[Any]] = {}
    for case in cases:
        problems.setdefault(names_of(path, case)[1], []).append(case)
    types = [types_of(problem) for problem in problems]
    for one in types or [""]:
        if types.count(one) != 1:
            wrong(path, f"holds {types.count(one)} problems{one and ' of '}{one}; a ladder has one of each types, as its "
                        "suite says")
    return problems


def sort_cases(path: pathlib.Path, cases: list[Any]) -> tuple[dict[str, Measured], dict[str, str]]:
    """What was measured, and what was left out."""
    found: dict[str, Measured] = {}
    left_out: dict[str, str] = {}
    for case in cases:
        name, _ = names_of(path, case)
        if name in found or name in left_out:
            wrong(path, f"{name} is there twice; measure each kernel once, as ci/ladder.sh does")
        status, message = member(path, case, "status"), case.get("message", "no reason given")
        if status == "skipped" and case.get("skip_reason") in ("suite_rule", "refused"):
            left_out[name] = message
        elif status != "measured":
            wrong(path, f"{case['id']}: {status}, not measured ({message}); mend that, then {REMEDY}")
        else:
            found[name] = measured(f"{path}: {case['id']}", name, case)
    return found, left_out


def reference_of(path: pathlib.Path, found: dict[str, Measured]) -> Measured:
    """The one case that all others, and itself, were measured in turns with."""
    ids = {member(f"{path}: {one.name}", one.case, "reference") for one in found.values()}
    own = [one for one in found.values() if {one.case["id"]} == ids]
    if len(own) != 1:
        wrong(path, f"all cases must have one reference, itself measured; {REMEDY}, the whole suite")
    return own[0]


def library_of(path: pathlib.Path, run: dict[str, Any], kernel: Measured) -> Optional[str]:
    kernel_id = kernel.case["id"].partition("@")[0]
    return next((one.get("library") for one in members(path, run, "kernels") if one.get("id") == kernel_id), None)


def read_problem(path: pathlib.Path, run: dict[str, Any], problem: str, cases: list[Any]) -> Run:
    session = run["sessions"][0]
    found, left_out = sort_cases(path, cases)
    reference = reference_of(path, found)
    library = library_of(path, run, reference)
    if library is None:
        wrong(path, f"{reference.case['id'].partition('@')[0]}, the reference, is of no library; compare with cuBLAS")
    flop = {member(f"{path}: {one.name}", one.case, "work", "flop") for one in found.values()}
    arithmetic = member(path, reference.case, "arithmetic")
    peak = member(path, session, "device", "peak_tflops", arithmetic)
    if len(flop) != 1 or not all(positive(one) for one in (peak, *flop)):
        wrong(path, f"the device's peak and the work of a launch, one for all, must be above 0; {REMEDY}")
    about = [f"`{problem}`", member(path, session, "device", "name"),
             f"driver {member(path, session, 'environment', 'driver')}",
             f"CUDA {member(path, session, 'environment', 'cuda_runtime')}",
             f"{library} {member(path, session, 'environment', 'libraries', library)}",
             member(path, session, "started")[:10]]
    del found[reference.name]
    best = [one for one in found.values() if one.name.endswith(BEST) and library_of(path, run, one) == library]
    for one in best:
        del found[one.name]
    if len(best) > 1:
        wrong(path, f"{best[0].name} and {best[1].name} both claim to be the best of {library}; measure one of them")
    return Run(types_of(problem), ", ".join(about), about[1], arithmetic == SIMT, peak * 1e12, flop.pop(), library, reference,
               best[0] if best else None, found, left_out)


def read_run(path: pathlib.Path) -> list[Run]:
    """One for each problem, in the order of the file."""
    run = read_versioned(path, SCHEMAS, "run file")
    sessions = members(path, run, "sessions")
    if len(sessions) != 1 or run.get("injected"):
        wrong(path, f"must be one session without --inject-slowdown; {REMEDY}")
    problems = by_problem(path, members(path, sessions[0], "cases"))
    return [read_problem(path, run, problem, cases) for problem, cases in problems.items()]


# ---- counters


def base_name(function: str) -> str:
    """A function's name without scope, template arguments and parameters."""
    plain = re.sub(r"(\(anonymous namespace\)|<unnamed>)::", "", function)
    return re.split(r"[<(]", plain, maxsplit=1)[0].replace(":", " ").split(" ")[-1]


def counter_value(path: pathlib.Path, name: str, unit: str, text: str) -> Optional[float]:
    """What Nsight Compute printed: digits in groups, or n/a where the device has no such counter."""
    if text == "n/a":
        return None
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        wrong(path, f"{name} is {text!r}, no finite number; {REMEDY}")
    if (unit != "%") if "pct_of_peak" in name else (unit[:1] in tuple("KMGT")):  # such as Kinst
        wrong(path, f"{name} is in {unit!r}; collect it with --print-units base, as ci/ladder.sh does")
    return value


def check_launch(path: pathlib.Path, values: dict[str, str], kernel: Measured) -> None:
    """Counters are those of the launch that was timed, or they are nobody's."""
    launch = kernel.launch
    if launch is None:
        wrong(path, f"the run does not say what {kernel.name} launches, so this may be another's; remove the file")
    grid, block = ([int(one) for one in re.findall(r"\d+", values[name])] for name in ("Grid Size", "Block Size"))
    timed = base_name(launch["function"])
    if (base_name(values["Kernel Name"]), grid, block) != (timed, launch["grid"], launch["block"]):
        wrong(path, f"counts {values['Kernel Name']} in a grid of {grid} and blocks of {block}, but {kernel.name} was "
                    f"timed as {timed} with {launch['grid']} and {launch['block']}; {REMEDY}")


def read_counters(path: pathlib.Path, kernel: Measured) -> dict[str, Optional[float]]:
    # Its own messages, ==PROF== Connected to ..., stand in the same file.
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
    rows = list(csv.DictReader(lines))
    if len(rows) != 2:  # units, and a launch
        wrong(path, f"must hold the counters of one launch, but has {max(0, len(rows) - 1)}; {REMEDY}")
    units, values = rows
    for name in ("Kernel Name", "Grid Size", "Block Size", *COUNTERS):
        if values.get(name) is None or units.get(name) is None:
            wrong(path, f"has no column {name}; {REMEDY}")
    check_launch(path, values, kernel)
    there = [*COUNTERS, *(name for name in OPTIONAL if values.get(name) is not None and units.get(name) is not None)]
    return {name: counter_value(path, name, units[name], values[name]) for name in there}


def add_counters(folder: pathlib.Path, runs: list[Run]) -> None:
    """Files are named after kernels: simt.naive.csv, or naive.csv where no other folder has a naive."""
    kernels: dict[str, list[Measured]] = {}
    for run in runs:
        for one in (run.reference, *([run.best] if run.best else []), *run.kernels.values()):
            for stem in {one.name.replace("/", "."), one.plain_name}:
                kernels.setdefault(stem, []).append(one)
    for path in sorted(folder.glob("*.csv")):
        named = kernels.get(path.stem, [])
        if not named:
            wrong(path, f"the run measured no kernel {path.stem}; remove the file, or {REMEDY}")
        if len(named) > 1:
            wrong(path, f"may be of {named[0].name} or {named[1].name}; {REMEDY}")
        named[0].counters = read_counters(path, named[0])
