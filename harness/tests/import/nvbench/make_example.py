#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""Times simple work on a GPU with NVBench for Python and writes NVBench's JSON, for the tests of the importer.

Needs a GPU and its driver, and the packages cuda-bench and cuda-bindings (13.0 for CUDA 13): installed, or unpacked into
one folder that PYTHONPATH names. No toolkit and no other package.

    python3 make_example.py --json example.json        what example_test.cpp reads
    python3 make_example.py --jsonbin samples.json     with every sample, in samples.json-bin beside it

All arguments are NVBench's own; --devices 0 keeps a machine with several GPUs to one.
"""

import sys

from cuda import bench
from cuda.bindings import driver

MIB = 1024 * 1024


def checked(result):
    """What a call of the driver returned beside its status; raises when it failed."""
    status, *values = result
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"the CUDA driver returned {status.name}")
    return values[0] if len(values) == 1 else values


class DeviceMemory:
    """Memory of the current device, given back at the end of a with block."""

    def __init__(self, size):
        self._size = size
        self._pointer = None

    def __enter__(self):
        self._pointer = checked(driver.cuMemAlloc(self._size))
        return self._pointer

    def __exit__(self, *_):
        checked(driver.cuMemFree(self._pointer))


def stream_of(launch):
    return driver.CUstream(launch.get_stream().addressof())


def fill(state):
    """A buffer is set to one value; declares what it writes."""
    size = state.get_int64("MiB") * MIB
    state.add_global_memory_writes(size)
    with DeviceMemory(size) as buffer:
        state.exec(lambda launch: checked(driver.cuMemsetD32Async(buffer, 7, size // 4, stream_of(launch))))


def copy(state):
    """A buffer is copied to another, in either direction; the third value of the axis shows a state that is skipped."""
    size = state.get_int64("MiB") * MIB
    direction = state.get_string("Direction")
    if direction == "nowhere":
        state.skip("there is nothing to copy")
        return
    with DeviceMemory(size) as here, DeviceMemory(size) as there:
        target, source = (there, here) if direction == "there" else (here, there)
        state.exec(lambda launch: checked(driver.cuMemcpyDtoDAsync(target, source, size, stream_of(launch))))


def main():
    bench.register(fill).add_int64_axis("MiB", [1, 16, 64])
    bench.register(copy).add_string_axis("Direction", ["there", "back", "nowhere"]).add_int64_axis("MiB", [16])
    bench.run_all_benchmarks(sys.argv)


if __name__ == "__main__":
    main()
