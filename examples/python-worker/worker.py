#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""A perfcheck worker with kernels written in Python: dot products on the CPU, verified and timed.

Standard library only. Copy it, replace "Kernels", and "Operation" for another operation; README.md says what changes
for Triton or CuPy. perfcheck starts it and speaks the protocol of docs/protocol.md with it.
"""

import gc
import json
import math
import os
import platform
import random
import re
import secrets
import statistics
import sys
import time
from array import array
from operator import mul

# ---- Kernels ---------------------------------------------------------------------------------------------------------
KERNELS = {}  # function by id, which is set/name
REFERENCE = "dot/python/map"  # timed alternately with every other kernel


def kernel(name):
    """Registers the function below as a kernel: it returns the sum of x[i] * y[i]. Its docstring is the summary."""

    def register(function):
        KERNELS[name] = function
        return function

    return register


@kernel("dot/python/map")
def dot_map(x, y):
    """the interpreter's own loop in C"""
    return sum(map(mul, x, y))


@kernel("dot/python/zip")
def dot_zip(x, y):
    """a loop over pairs"""
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total


@kernel("dot/python/fsum")
def dot_fsum(x, y):
    """rounded once, however many terms there are"""
    return math.fsum(map(mul, x, y))


# ---- Operation: problems, inputs, what is right ----------------------------------------------------------------------
def parse(problem):
    """Number of elements of a problem's canonical text, as in n10000; None where it is none."""
    match = re.fullmatch(r"n([1-9][0-9]{0,7})", problem)
    return int(match[1]) if match else None


def work(n):
    return {"flop": 2 * n, "bytes": 8 * n}


def inputs(n, seed, kind):
    """FP32 vectors: the product of two elements is exact in FP64, in which kernels add up."""
    numbers = random.Random(f"{seed} {kind}")
    # Without 0, so that a term that is left out always changes an exact sum.
    draw = {"exact": lambda: numbers.choice((-1, 1)) * numbers.randint(1, 9), "signed": lambda: numbers.gauss(0, 1),
            "positive": numbers.random}[kind]
    return array("f", (draw() for _ in range(n))), array("f", (draw() for _ in range(n)))


def judge(result, x, y, exact=False):
    """Error over its bound, and what is wrong ("" when nothing is). Written so that NaN is wrong."""
    terms = [a * b for a, b in zip(x, y)]
    expected = math.fsum(terms)  # rounded once
    if exact:
        return None, "" if result == expected else f"got {result!r}, expected {expected!r}"
    # n roundings cost at most n units; those of a right kernel behave as if they were random.
    units = min(len(terms), 2 * math.sqrt(len(terms)) + 4)
    error = abs(result - expected) / (units * 2.0**-53 * math.fsum(map(abs, terms)) + 2.0**-1022)
    return error, "" if error <= 1 else f"got {result!r}, expected {expected!r}, {error:.3g} times the bound"


def verify(function, n, seed):
    """Every check of one kernel; stops at nothing, so that a report shows all that is wrong."""
    checks = {}

    def note(name, wrong, error=None):
        check = checks.setdefault(name, {"name": name, "passed": True})
        if wrong:
            check |= {"passed": False, "detail": wrong}
        if error is not None and math.isfinite(error):
            check["error_over_bound"] = error

    def launch(x, y):
        before = x.tobytes(), y.tobytes()
        result = function(x, y)
        note("inputs_untouched", "" if before == (x.tobytes(), y.tobytes()) else "the kernel wrote to x or y")
        return result

    for kind in "exact", "signed", "positive":
        x, y = inputs(n, seed, kind)
        first = launch(x, y)
        error, wrong = judge(first, x, y, exact=kind == "exact")
        note(kind, wrong, error)
        again = launch(x, y)
        note("repeat", "" if again == first else f"{first!r}, and {again!r} from the same inputs")
    for value in math.nan, math.inf:  # in positive data, so that neither meets 0 or -infinity
        x[random.Random(seed).randrange(n)] = value
        result = launch(x, array("f", (1 + b for b in y)))
        right = math.isnan(result) if math.isnan(value) else result == value
        note("nan_and_inf", "" if right else f"got {result!r} with {value!r} in x")
    return {"passed": all(check["passed"] for check in checks.values()), "checks": list(checks.values())}


# ---- Device: what it is, and how long launches take on it ------------------------------------------------------------
INTERPRETER = f"{platform.python_implementation()} {platform.python_version()}"


class Cpu:
    """For a GPU, another class with these functions: README.md has it."""

    backend = "cpu"

    def describe(self):
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            models = re.findall(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
        name, threads = models[0] if models else platform.machine(), os.cpu_count() or 1
        # The interpreter is part of the name of the baseline's folder: times of one say nothing about another.
        slug = f"cpu {name} {threads}t {INTERPRETER.rpartition('.')[0]}"
        return {"backend": self.backend, "index": 0, "name": name,
                "slug": re.sub("[^a-z0-9]+", "-", slug.lower()).strip("-"), "multiprocessors": threads,
                "memory_bytes": 0, "cache_bytes": 0, "max_clock_mhz": 0, "peak_tflops": {}}

    def time_ns(self, launch, launches, extra_ns=0):
        """Of launch(0), launch(1) and so on in a row, lengthened by `extra_ns`."""
        start = time.perf_counter_ns()
        for i in range(launches):
            launch(i)
        end = time.perf_counter_ns()
        while time.perf_counter_ns() - end < extra_ns:
            pass
        return max(1, time.perf_counter_ns() - start)

    def other_ns(self):
        """A second clock, which must agree with the one above."""
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)


DEVICE = Cpu()

# ---- Measurement -----------------------------------------------------------------------------------------------------
class NotBelieved(Exception):
    """Times that must not be told: the status of the case, and why."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Proof:
    """What stands behind the times of a case. docs/protocol.md, "What keeps a worker honest", says what must."""

    def __init__(self):
        self.replays = self.compared = self.outputs = 0
        self.deviation, self.timed_ns, self.other_ns, self.open = 0.0, 0, 0, True

    def count(self, taken_ns, other_ns):
        """Counts a replay that has just run; is it to be compared? One of four is, drawn when it is over."""
        place = self.replays % 4
        self.replays += 1
        self.deviation = max(self.deviation, abs(taken_ns - other_ns) / taken_ns)
        self.timed_ns, self.other_ns = self.timed_ns + taken_ns, self.other_ns + other_ns
        self.open = self.open or place == 0
        chosen = self.open and secrets.randbelow(4 - place) == 0
        self.open = self.open and not chosen
        return chosen

    def told(self):
        """All replays together; a single one may be held up between its two clocks."""
        if not abs(self.timed_ns - self.other_ns) <= 0.05 * self.other_ns + 1e7:
            raise NotBelieved("invalid", f"one clock says {self.timed_ns} ns of launches, the other {self.other_ns}")
        return {"replays": self.replays, "compared": self.compared, "outputs_compared": self.outputs,
                "clock_deviation": self.deviation}


class Replay:
    """So many launches that reading the time costs nothing beside them. Every launch has inputs and an output of its own,
    and every replay has new inputs, from bytes that nobody could know before."""

    def __init__(self, function, n, options, proof, inject_percent=0.0):
        self.function, self.n, self.proof = function, n, proof
        self.rest, self.launches, self.extra_ns, self.y = options["idle_share"], 1, 0, []
        once = min(self.run() for _ in range(3))
        self.launches = max(1, math.ceil(options["replay_ms"] * 1e6 / once))
        if inject_percent > 0:
            self.extra_ns = statistics.median(self.run() for _ in range(3)) * inject_percent / 100

    def renew(self):
        """Numbers of 16 bits: every sum of their products is exact in FP64, so right means equal."""
        def draw():
            return array("h", os.urandom(2 * self.n))

        while len(self.y) < self.launches:
            self.y.append(draw())
        self.secret = [draw() for _ in range(self.launches)]
        self.inputs = [(array("f", x), array("f", y)) for x, y in zip(self.secret, self.y)]
        self.outputs, self.compared = [None] * self.launches, False  # no kernel returns None

    def launch(self, i):
        self.outputs[i] = self.function(*self.inputs[i])

    def run(self):
        self.renew()
        start = DEVICE.other_ns()
        taken = DEVICE.time_ns(self.launch, self.launches, self.extra_ns)
        if self.proof.count(taken, DEVICE.other_ns() - start):
            self.compare()
        time.sleep(min(taken * 1e-9 * self.rest, 0.01))
        return taken

    def compare(self):
        """Every output of the replay before this, and that nothing was written to its inputs."""
        if self.compared:
            return
        for i, (output, x, y) in enumerate(zip(self.outputs, self.secret, self.y)):
            expected = sum(map(mul, x, y))
            if not output == expected:
                raise NotBelieved("incorrect", f"launch {i} of {self.launches}: got {output!r}, expected {expected!r}")
            if self.inputs[i] != (array("f", x), array("f", y)):
                raise NotBelieved("incorrect", f"launch {i} of {self.launches} wrote to x or y")
        self.compared = True
        self.proof.compared += 1
        self.proof.outputs += self.launches


def sample(case, reference, options):
    """Rounds of case and reference until the median ratio is known well enough, and why it stopped."""

    def one_round(number):  # A B, then B A: drift affects both equally
        return (case.run(), reference.run()) if number % 2 == 0 else (reference.run(), case.run())[::-1]

    warm = time.monotonic() + 0.1
    while time.monotonic() < warm:
        one_round(0)
    rounds, busy_s, look = [], 0.0, max(8, options["min_rounds"])
    while True:
        rounds.append(one_round(len(rounds)))
        busy_s += sum(rounds[-1]) * 1e-9
        if len(rounds) >= options["max_rounds"]:
            return rounds, "round limit"
        if busy_s >= options["max_seconds"] and len(rounds) >= options["min_rounds"]:
            return rounds, "time limit"
        if len(rounds) >= look:
            look = math.ceil(1.3 * look)  # looking after every round could stop by luck
            ratios = [a / b for a, b in rounds]
            centre = statistics.median(ratios)
            spread = 1.4826 * statistics.median(abs(ratio - centre) for ratio in ratios)
            if 1.2533 * spread / math.sqrt(len(ratios)) <= options["precision"] * centre:
                return rounds, "precise"


def time_case(function, reference, n, options):
    """What the protocol wants to know of a case that was timed, and the check of its outputs."""
    try:
        proof = Proof()
        case = Replay(function, n, options, proof, options["inject_percent"])
        other = case if function is reference else Replay(reference, n, options, proof)
        rounds, stop_reason = sample(case, other, options)
        case.compare()  # nothing could know in advance that these are the last ones
        other.compare()
        told = proof.told()
    except NotBelieved as why:
        if why.status == "incorrect":
            return ({"status": "incorrect", "message": f"timed_output: {why}"},
                    {"name": "timed_output", "passed": False, "detail": str(why)})
        return {"status": why.status, "message": str(why)}, {"name": "timed_output", "passed": True}
    return ({"status": "measured", "stop_reason": stop_reason, "injected_percent": options["inject_percent"],
             "proof": told,
             "rounds": {"launches": case.launches, "reference_launches": other.launches,
                        "time_ns": [taken / case.launches for taken, _ in rounds],
                        "reference_time_ns": [taken / other.launches for _, taken in rounds]}},
            {"name": "timed_output", "passed": True})


# ---- Protocol --------------------------------------------------------------------------------------------------------
def say(message):
    output.write(json.dumps(message, allow_nan=False) + "\n")
    output.flush()


def hello(request):
    if request["protocol"] != 2:
        return say({"type": "error", "code": "protocol", "message": "this worker speaks version 2"})
    if request["device"] != 0:
        return say({"type": "error", "code": "no_device", "message": "there is only device 0"})
    say({"type": "hello", "protocol": 2,
         "worker": {"name": "python-worker", "backend": DEVICE.backend, "operation": "dot",
                    "build": {"version": "1", "compiler": INTERPRETER, "build_type": "Release"}},
         "device": DEVICE.describe(), "environment": {"libraries": {}, "os": platform.platform(), "warnings": []},
         "kernels": [{"id": name, "summary": function.__doc__ or "", "file": os.path.basename(__file__),
                      "line": function.__code__.co_firstlineno} for name, function in KERNELS.items()]})


def plan(request):
    good = {problem: n for problem in request["problems"] if (n := parse(problem)) is not None}
    say({"type": "plan",
         "cases": [{"id": f"{name}@{problem}", "reference": f"{REFERENCE}@{problem}", "work": work(n),
                    "arithmetic": "f64"} for problem, n in good.items() for name in KERNELS],
         "rejected": [{"problem": problem, "message": f"'{problem}' is no dot product; write it as in n10000"}
                      for problem in request["problems"] if problem not in good]})


def run_case(case, function, n, options):
    """The result of one case, without what every result has."""
    say({"type": "progress", "case": case, "phase": "verify"})
    reference = KERNELS[REFERENCE]
    verification = verify(function, n, options["seed"])
    wrong = [f"{check['name']}: {check['detail']}" for check in verification["checks"] if not check["passed"]]
    if wrong:
        return {"status": "incorrect", "message": wrong[0], "verification": verification}
    if options["verify_only"]:
        return {"status": "skipped", "skip_reason": "verify_only", "message": "as asked", "verification": verification}
    if function is not reference and not verify(reference, n, options["seed"])["passed"]:
        return {"status": "failed", "message": f"its reference {REFERENCE} is incorrect"}
    say({"type": "progress", "case": case, "phase": "measure"})
    result, output_check = time_case(function, reference, n, options)
    verification["checks"].append(output_check)
    verification["passed"] = output_check["passed"]
    return result | {"verification": verification}


def measure(request):
    case, start = request["case"], time.monotonic()
    name, _, problem = case.partition("@")
    n = parse(problem)
    if name not in KERNELS or n is None:
        return say({"type": "error", "code": "unknown_case", "message": f"there is no case {case}"})
    try:
        result = run_case(case, KERNELS[name], n, request["options"])
    except Exception as error:  # whatever the kernel raised; the worker goes on
        result = {"status": "failed", "message": f"{type(error).__name__}: {error}"}
    result |= {"id": case, "reference": f"{REFERENCE}@{problem}", "work": work(n), "arithmetic": "f64",
               "seconds": time.monotonic() - start}
    say({"type": "result", "result": result, "context_lost": False})


def main():
    global output
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # so that output of kernels does not disturb the protocol
    gc.disable()  # otherwise a kernel's time would include collections
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "bye":
            break
        {"hello": hello, "plan": plan, "measure": measure}[request["type"]](request)


if __name__ == "__main__":
    main()
