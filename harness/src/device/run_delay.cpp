// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "run_delay.h"

#include <filesystem>
#include <fstream>
#include <system_error>

namespace perfcheck::device {

double run_delay_ns() {
  double sum = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator task("/proc/self/task", error), end; !error && task != end;
       task.increment(error)) {
    double ran_ns = 0, waited_ns = 0;
    // A thread that has ended meanwhile cannot be read.
    if (std::ifstream(task->path() / "schedstat") >> ran_ns >> waited_ns) sum += waited_ns;
  }
  return sum;
}

}  // namespace perfcheck::device
