# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Joules per launch that perfcheck_energy measured, refused where they are not of a ladder's run. For ci/ladder.py."""
from __future__ import annotations

import pathlib
import statistics
from typing import Any

from ladder_measured import Energy, Measured, Run, member, members, positive, read_versioned, wrong

REMEDY = "measure again with ci/ladder.sh --energy"
SCHEMA = "perfcheck.energy/1"


def joules(place: str, case: dict[str, Any], side: str) -> list[float]:
    """Of each block: finite numbers above 0, at least one."""
    values = member(place, case, side, "joules")
    if not isinstance(values, list) or not values or not all(positive(one) for one in values):
        wrong(place, f"{side}.joules must be one or more finite numbers greater than 0; {REMEDY}")
    return values


def energy_of(place: str, case: dict[str, Any], run: Run) -> tuple[Energy, list[float]]:
    """A kernel's energy, and its reference's blocks."""
    reference = member(place, case, "reference")
    if reference != run.reference.case["id"].partition("@")[0]:
        wrong(place, f"is beside {reference}, not beside the run's reference; {REMEDY}")
    own, others = joules(place, case, "of_kernel"), joules(place, case, "of_reference")
    if len(own) != len(others):
        wrong(place, f"has {len(own)} blocks and {len(others)} of the reference, which are no pairs; {REMEDY}")
    return Energy(statistics.median(own), statistics.median(one / other for one, other in zip(own, others))), others


def kernels_of(run: Run) -> dict[str, Measured]:
    """All but the reference, by id."""
    return {one.case["id"].partition("@")[0]: one for one in (*run.kernels.values(), *([run.best] if run.best else []))}


def add_case(path: pathlib.Path, case: Any, runs: list[Run], references: dict[str, list[float]]) -> None:
    kernel, problem = str(member(path, case, "kernel")), str(member(path, case, "problem"))
    place = f"{path}: {kernel}@{problem}"
    run = next((one for one in runs if one.reference.case["id"].partition("@")[2] == problem), None)
    measured = kernels_of(run).get(kernel) if run else None
    if run is None or measured is None:
        wrong(place, f"the run measured no such case; remove it, or {REMEDY}")
    if measured.energy is not None:
        wrong(place, f"is there twice; {REMEDY}")
    measured.energy, others = energy_of(place, case, run)
    references.setdefault(problem, []).extend(others)


def add_energy(folder: pathlib.Path, runs: list[Run]) -> None:
    """From all files energy*.json of a folder; a run whose kernels have no joules gets no columns of them. What the
    reference takes is the median of its blocks beside all kernels."""
    references: dict[str, list[float]] = {}
    for path in sorted(folder.glob("energy*.json")):
        file = read_versioned(path, (SCHEMA,), "energy file")
        device = member(path, file, "device")
        for run in runs:
            if device != run.device:
                wrong(path, f"is of {device}, the run of {run.device}; {REMEDY}")
        for case in members(path, file, "cases"):
            add_case(path, case, runs, references)
    for run in runs:
        blocks = references.get(run.reference.case["id"].partition("@")[2])
        if blocks:
            run.reference.energy = Energy(statistics.median(blocks), None)
