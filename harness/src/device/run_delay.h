// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Did the scheduler let this process run?
#pragma once

namespace perfcheck::device {

/// For how long threads of this process that live now have been ready to run and had no processor core, in nanoseconds,
/// up to when each was last given one (/proc/<pid>/task/<tid>/schedstat of Linux). 0 where the system does not tell.
double run_delay_ns();

}  // namespace perfcheck::device
