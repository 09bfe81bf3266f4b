#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/how-the-gate-decides.md from the recordings in docs/evidence/recordings.

    mkdir /tmp/h100 && tar xf docs/evidence/recordings/h100.tar.xz -C /tmp/h100
    perfcheck_peer_rates --data /tmp/h100/cal --json > /tmp/h100/rates.json
    docs/pictures/draw.py /tmp/h100/rates.json /tmp/h100/cal/gpu-ee9709a1-*/baseline.run.json     # needs matplotlib
"""

import argparse
import json
import pathlib
import statistics

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402  (the backend must be chosen first)

CASE = "gemm/mma/f16_pipeline@f16.f32,nn,m4096n4096k4096"
BLUE, ORANGE, GREY = "#1f5fa8", "#d9822b", "#9aa5b1"


def draw_rules(rates, file):
    """False alarms and slowdowns found, rule by rule."""
    rules = rates["rules"]
    rows = range(len(rules))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    left.barh(rows, [100 * rule["false_sessions"] / rule["sessions"] for rule in rules], color=GREY)
    left.set_title("checks with a false alarm", fontsize=10)
    for percent, offset, colour in ((1, -0.2, BLUE), (2, 0.2, ORANGE)):
        found = [next(one for one in rule["device"] if one["percent"] == percent) for rule in rules]
        right.barh([row + offset for row in rows], [100 * one["found"] / one["trials"] for one in found], 0.4,
                   color=colour, label=f"slowed down by {percent} %")
    right.set_title("slowdowns found", fontsize=10)
    right.legend(fontsize=8, loc="lower right", frameon=False)
    left.set_yticks(rows, [rule["name"] for rule in rules], fontsize=9)
    left.invert_yaxis()
    for axis in (left, right):
        axis.set_xlim(0, 100)
        axis.xaxis.set_major_formatter("{x:.0f} %")
        axis.tick_params(axis="x", labelsize=8)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(axis="y", length=0)
    save(figure, file)


def draw_sessions(run, file):
    """Rounds and medians of one case in the sessions of one card, in percent of the median of all sessions."""
    panels = {"time": [], "ratio": [], "cycles": []}
    for session in run["sessions"]:
        rounds = next(one for one in session["cases"] if one["id"] == CASE)["rounds"]
        panels["time"].append(rounds["time_ns"])
        panels["ratio"].append([a / b for a, b in zip(rounds["time_ns"], rounds["reference_time_ns"])])
        panels["cycles"].append([a * b for a, b in zip(rounds["time_ns"], rounds["clock_mhz"])])
    figure, axes = pyplot.subplots(1, 3, figsize=(9, 3), sharey=True)
    for axis, (name, sessions) in zip(axes, panels.items()):
        centre = statistics.median(statistics.median(one) for one in sessions)
        for number, one in enumerate(sessions, 1):
            share = [100 * (value / centre - 1) for value in one]
            axis.plot([number] * len(share), share, ".", color=GREY, markersize=4)
            axis.plot([number - 0.3, number + 0.3], [statistics.median(share)] * 2, color=BLUE, linewidth=2)
        axis.set_title(name, fontsize=10)
        axis.set_xticks(range(1, len(sessions) + 1))
        axis.tick_params(labelsize=8)
        axis.yaxis.set_major_formatter("{x:+.1f} %")
        axis.spines[["top", "right"]].set_visible(False)
    axes[1].set_xlabel("session", fontsize=9)
    save(figure, file)


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rates", type=pathlib.Path, help="what perfcheck_peer_rates --json printed")
    parser.add_argument("run", type=pathlib.Path, help="run file of the sessions to show")
    arguments = parser.parse_args()
    # Text stays text, so that files are small and the same wherever they are drawn.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "perfcheck", "font.family": "sans-serif"})
    here = pathlib.Path(__file__).parent
    draw_rules(json.loads(arguments.rates.read_text()), here / "rules.svg")
    draw_sessions(json.loads(arguments.run.read_text()), here / "sessions.svg")


if __name__ == "__main__":
    main()
