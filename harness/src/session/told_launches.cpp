// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/told_launches.h"

#include <algorithm>
#include <memory>
#include <system_error>
#include <utility>

namespace perfcheck::session {
namespace {

/// After so many lost workers the rest stays unknown.
constexpr int kMostLost = 20;

/// Cases of one problem in a row: the worker keeps what it knows of one problem only.
std::vector<std::string> by_problem(std::set<std::string> const& cases) {
  std::vector<std::string> order(cases.begin(), cases.end());
  std::ranges::sort(order, {}, [](std::string const& id) { return std::pair(model::split_case_id(id).problem, id); });
  return order;
}

/// Null if no worker can be started any more.
std::unique_ptr<WorkerClient> another_worker(WorkerCommand const& command, Interrupt const* interrupt) {
  try {
    return std::make_unique<WorkerClient>(command, interrupt);
  } catch (WorkerRefused const&) {
    return nullptr;
  } catch (WorkerLost const&) {
    return nullptr;
  } catch (std::system_error const&) {
    return nullptr;
  }
}

/// Asks about one case. False if that brought the worker down.
bool lives_after(WorkerClient& worker, std::string const& id, double timeout_s, ToldLaunches& told) {
  try {
    protocol::LaunchesAnswer answer = worker.launches(id, timeout_s);
    if (answer.message.empty()) told.emplace(id, std::move(answer.launches));
    return !answer.context_lost;
  } catch (WorkerRefused const&) {
    return true;  // it does not know the case
  } catch (WorkerLost const&) {
    return false;
  }
}

}  // namespace

ToldLaunches ask_launches(std::set<std::string> const& cases, WorkerCommand const& command, double case_timeout_s,
                          Interrupt const* interrupt) {
  ToldLaunches told;
  auto worker = std::make_unique<WorkerClient>(command, interrupt);
  if (!worker->hello().tells_launches) return told;
  int lost = 0;
  for (std::string const& id : by_problem(cases)) {
    if (!worker) worker = another_worker(command, interrupt);
    if (!worker || lost > kMostLost) return told;
    if (lives_after(*worker, id, case_timeout_s, told)) continue;
    worker.reset();
    ++lost;
  }
  if (worker) worker->close();
  return told;
}

}  // namespace perfcheck::session
