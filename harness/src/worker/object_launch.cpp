// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "object_launch.h"

#include <algorithm>

namespace perfcheck::worker {

std::vector<model::LaunchAttributes> launch_of_object(KernelInfo const& kernel,
                                                      std::vector<KernelObject> const& objects) {
  auto const found = std::ranges::find(objects, kernel.file, &KernelObject::file);
  if (kernel.library != nullptr || found == objects.end() || found->machine_code.empty()) {
    return {};
  }
  model::LaunchAttributes launch;
  launch.function = found->file;
  launch.grid = launch.block = {1, 1, 1};
  launch.machine_code = found->machine_code;
  launch.called_code = found->called_code;
  launch.constants = found->constants;
  return {launch};
}

}  // namespace perfcheck::worker
