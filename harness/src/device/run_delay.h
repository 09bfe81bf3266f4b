// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How long this process waited for processor cores.
#pragma once

namespace perfcheck::device {

/// The time for which the present threads of this process were ready to run but had no processor core, in nanoseconds,
/// up to when each last got one (/proc/<pid>/task/<tid>/schedstat of Linux). 0 if the system does not tell.
double run_delay_ns();

}  // namespace perfcheck::device
