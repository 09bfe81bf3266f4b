#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps a machine busy as neighbours do, in bursts, until it is stopped: what the CPU's gate is tried beside.

Usage: harness/bench/neighbours.py [--programs N] [--shortest S] [--longest S] [--seed N]

Every so many seconds, drawn anew, it runs another number of programs, up to N, each of which uses a core all the time.
"""

import argparse
import random
import signal
import subprocess
import sys
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=2, help="at most (default 2)")
    parser.add_argument("--shortest", type=float, default=3, help="seconds of a burst (default 3)")
    parser.add_argument("--longest", type=float, default=25, help="(default 25)")
    parser.add_argument("--seed", type=int, help="of what is drawn (default: another one every time)")
    asked = parser.parse_args()
    if asked.programs < 1 or not 0 < asked.shortest <= asked.longest:
        parser.error("there must be a program at least, and 0 < --shortest <= --longest")
    draw = random.Random(asked.seed)
    running = []
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        while True:
            running = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
                       for _ in range(draw.randint(0, asked.programs))]
            time.sleep(draw.uniform(asked.shortest, asked.longest))
            stop(running)
    except KeyboardInterrupt:
        pass
    finally:
        stop(running)


def stop(programs):
    for program in programs:
        program.kill()
        program.wait()


if __name__ == "__main__":
    main()
