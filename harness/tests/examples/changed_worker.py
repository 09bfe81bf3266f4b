# SPDX-FileCopyrightText: The perfcheck authors
# SPDX-License-Identifier: Apache-2.0
"""The worker of examples/python-worker with one kernel replaced: changed_worker.py FOLDER NAME-OF-A-FUNCTION-BELOW"""

import math
import struct
import sys

folder, change = sys.argv[1:]
sys.path.insert(0, folder)
import worker  # noqa: E402

right = worker.KERNELS["dot/python/zip"]
launches = 0


def slower(x, y):
    """all terms are added up twice more, for nothing: from process to process an interpreter differs by 20 %"""
    right(x, y)
    right(x, y)
    return right(x, y)


def leaves_out(x, y):
    """the last term"""
    return right(x[:-1], y)


def a_bit_off(x, y):
    """too little to be seen where sums are rounded"""
    return right(x, y) * (1 + 2.0**-52)


def imprecise(x, y):
    """adds up in FP32"""
    total = 0.0
    for a, b in zip(x, y):
        total = struct.unpack("f", struct.pack("f", total + a * b))[0]
    return total


def hides_nan(x, y):
    """leaves out what is not finite"""
    return right([a if math.isfinite(a) else 0 for a in x], y)


def writes(x, y):
    """to its input"""
    result = right(x, y)
    x[0] += 1
    return result


def unsteady(x, y):
    """another result in every other launch, where it may be rounded"""
    global launches
    launches += 1
    result = right(x, y)
    return result if result % 1 == 0 else result * (1 + launches % 2 * 2.0**-50)


def later(x, y):
    """right until it is timed"""
    global launches
    launches += 1
    return right(x, y) * (1 if launches < 20 else 1.01)


remembered = {}


def remembers(x, y):
    """the result for a length, once verification is over"""
    global launches
    launches += 1
    if launches < 20 or len(x) not in remembered:
        remembered[len(x)] = right(x, y)
    return remembered[len(x)]


def skips(x, y):
    """every second launch, once verification is over"""
    global launches
    launches += 1
    if launches < 20 or launches % 2:
        remembered[0] = right(x, y)
    return remembered[0]


def raises(x, y):
    """does not work"""
    raise ValueError("no such luck")


worker.KERNELS["dot/python/zip"] = globals()[change]
worker.main()
