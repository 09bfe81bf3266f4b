#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""How much a CPU kernel's speed depends on where the linker puts it: one source, moved in steps of 16 bytes, compiled as
it is and with aligned functions and loops. Prints the table of docs/how-the-gate-decides.md, "On a CPU".

    harness/bench/cpu_layout.py [--rounds 60]      # needs the compiler, binutils and Highway's headers; ten minutes

Processes of all programs alternate in an order drawn for every round. Of each, the fastest of its rounds counts: on a
machine that others use, the median says what they did.
"""

import argparse
import pathlib
import random
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = {"naive": "naive", "blocked": "blocked:64x128x128", "simd": "simd"}
PADS = range(0, 128, 16)
FLAGS = {"as it is": [], "aligned": ["-falign-functions=64", "-falign-loops=32"]}
INCLUDES = [f"-I{ROOT / folder}" for folder in
            ("harness/include", "kernels", "kernels/common/include", "kernels/gemm/operation/include",
             "kernels/gemm/common/include")]
COMMON = ["-std=c++20", "-fPIE", *INCLUDES, '-DPERFCHECK_KERNEL_SET="gemm/cpu"', "-DPERFCHECK_TUNING"]


def build(compiler, folder):
    """Every program, by kernel, flags and the bytes in front of it."""
    def run(*command):
        subprocess.run([str(word) for word in command], check=True)

    main = folder / "main.o"
    run(compiler, *COMMON, "-O2", "-c", ROOT / "harness/bench/cpu_layout_main.cpp", "-o", main)
    programs = {}
    for pad in PADS:
        source = folder / f"pad{pad}.s"
        source.write_text(f'.text\n.p2align 7\n.fill {pad}, 1, 0x90\n.section .note.GNU-stack,"",@progbits\n')
        run("as", source, "-o", source.with_suffix(".o"))
    for kernel in KERNELS:
        for name, flags in FLAGS.items():
            compiled = folder / f"{kernel}-{name.replace(' ', '-')}.o"
            run(compiler, *COMMON, "-O3", *flags, "-c", ROOT / f"kernels/gemm/cpu/{kernel}.cpp", "-o", compiled)
            for pad in PADS:
                program = compiled.with_suffix(f".{pad}")
                run(compiler, "-pie", "-o", program, main, folder / f"pad{pad}.o", compiled, "-lhwy")
                programs[kernel, name, pad] = program
    return programs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=60, help="processes of each program")
    parser.add_argument("--compiler", default="c++")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        programs = build(options.compiler, pathlib.Path(folder))
        fastest = {key: [] for key in programs}
        for _ in range(options.rounds):
            for key in random.sample(list(programs), len(programs)):
                told = subprocess.run([programs[key], KERNELS[key[0]]], check=True, capture_output=True, text=True)
                fastest[key].append(float(told.stdout.split()[0]))
    print("kernel", "compiled", *(f"{pad} bytes" for pad in PADS), sep=" | ")
    for kernel in KERNELS:
        for name in FLAGS:
            times = [statistics.median(fastest[kernel, name, pad]) for pad in PADS]
            print(kernel, name, *(f"{100 * (time / min(times) - 1):.1f} %" for time in times), sep=" | ")


if __name__ == "__main__":
    main()
