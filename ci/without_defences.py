# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Runs exploits with all defences and without some, as ci/without_defences.sh built them, and prints a table."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

# The least factor by which a false time makes an exploit look better than the same work done honestly, in its time or
# in its ratio to the reference: a clock that is wrong for both does not change their ratio.
BETTER = 1.25


def rows_of(table, backend, only):
    for line in table.read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        of, without, worker, kernel, problem, gets, devices = line.split("\t")
        if of != backend or (only and without not in only):
            continue
        if of == "cuda" and int(devices) > len(list(pathlib.Path("/dev").glob("nvidia[0-9]*"))):
            print(f"not run  without {without}: {kernel.rsplit('/', 1)[1]}: needs {devices} GPUs")
            continue
        yield without, worker, kernel, problem, gets


def case_of(program, worker, kernel, problem, backend):
    """The one case of one kernel on one problem, as `perfcheck run` judges it."""
    with tempfile.TemporaryDirectory() as folder:
        config = pathlib.Path(folder, "perfcheck.toml")
        config.write_text(f'[suites.default.{backend}]\nproblems = ["{problem}"]\n')
        command = [program, "run", "--json", "--config", config, "--worker", worker, "--filter", kernel]
        finished = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600)
    try:
        cases = json.loads(finished.stdout)["cases"]
    except (ValueError, KeyError):
        sys.exit(f"without_defences.py: {worker}: {finished.stderr.strip()[-500:] or finished.stdout[-500:]}")
    return cases[0] if len(cases) == 1 else {"outcome": "no case"}


def text_of(case):
    if case["outcome"] != "measured":
        return f"{case['outcome']} ({case.get('reason', '')[:120]})"
    return f"{case['time_ns'] / 1e3:.3g} us, {100 * case['reference_share']:.3g} % of the reference"


def looks_better(case, honest):
    return (case["reference_share"] >= BETTER * honest["reference_share"]
            or case["time_ns"] <= honest["time_ns"] / BETTER)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", type=pathlib.Path, required=True)
    parser.add_argument("--builds", type=pathlib.Path, required=True)
    parser.add_argument("--backend", choices=("cpu", "cuda"), required=True)
    parser.add_argument("only", nargs="*")
    arguments = parser.parse_args()
    builds = arguments.builds.resolve()
    full = builds / "full" / "bin"
    suffix = "-cpu" if arguments.backend == "cpu" else ""
    honest_kernel = f"exploits/{arguments.backend}/one_in_j_skipped"

    def run(folder, worker, kernel, problem):
        own = folder / "perfcheck"
        program = own if own.exists() else full / "perfcheck"
        return case_of(program, folder / f"perfcheck-gemm-{worker}", kernel, problem, arguments.backend)

    honest, rows, wrong = {}, 0, 0
    for without, worker, kernel, problem, gets in rows_of(arguments.table, arguments.backend, arguments.only):
        rows += 1
        if problem not in honest:
            honest[problem] = run(full, f"before-exploits{suffix}", honest_kernel, problem)
            print(f"honest on {problem}: {text_of(honest[problem])}")
        with_all = run(full, worker, kernel, problem)
        lacking = run(builds / without.replace(",", "+") / "bin", worker, kernel, problem)
        holds = with_all["outcome"] not in ("measured", "no case") and lacking["outcome"] == "measured"
        if holds and gets == "false":
            holds = looks_better(lacking, honest[problem])
        wrong += not holds
        print(f"{'holds' if holds else 'FAILS'}  without {without}: {kernel.rsplit('/', 1)[1]}: {text_of(lacking)}; "
              f"with all: {text_of(with_all)}", flush=True)
    print(f"{rows} rows, {wrong} of them do not hold")
    sys.exit(2 if rows == 0 else 1 if wrong else 0)


main()
