// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launches_of.h"

#include "object_launch.h"
#include "perfcheck/verify/draw_secret.h"

#include <algorithm>

namespace perfcheck::worker {
namespace {

/// With one launch the hash of arguments would hold bytes that differ from process to process
/// (LaunchAttributes::arguments).
constexpr int kRecorded = 2;

std::vector<model::LaunchAttributes> recorded_launches(device::Backend& backend, Subject const& subject) {
  auto const timed = subject.problem->prepare(backend, *subject.kernel);
  timed->renew({0, 1}, verify::draw_secret());
  timed->launch(0);
  backend.check_launch();
  backend.synchronize();
  auto const replay = backend.record({.launches = std::min(kRecorded, timed->sets()),
                                      .launch = [&](int index) { timed->launch(index); },
                                      .cold = timed->cold()});
  backend.check_settings();
  return replay->attributes();
}

}  // namespace

protocol::LaunchesAnswer launches_of(device::Backend& backend, Subject const& subject,
                                     std::vector<KernelObject> const& objects) {
  protocol::LaunchesAnswer answer{.case_id = subject.case_id, .launches = {}, .message = "", .context_lost = false};
  try {
    if (backend.name() != "cpu") answer.launches = recorded_launches(backend, subject);  // a CPU tells nothing
    if (answer.launches.empty()) answer.launches = launch_of_object(*subject.kernel, objects);
  } catch (std::exception const& error) {
    auto const* const of_device = dynamic_cast<device::DeviceError const*>(&error);
    answer.message = error.what();
    answer.context_lost = (of_device != nullptr && of_device->context_lost()) || device_lost(backend);
    if (answer.context_lost) {
      device::abandon_device();
    } else {
      (void)put_settings_back(backend);
    }
  }
  return answer;
}

}  // namespace perfcheck::worker
