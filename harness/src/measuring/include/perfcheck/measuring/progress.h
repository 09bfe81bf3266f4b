// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Shows progress while sessions run: one status line on a terminal, otherwise a line now and then.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/session/session_runner.h"

#include <chrono>

namespace perfcheck::measuring {

class Progress : public session::SessionObserver {
 public:
  Progress(Terminal& terminal, Detail detail) : terminal_(terminal), detail_(detail) {}

  /// `label` says which session this is: "screen", "confirmation 2 of 4".
  void session_started(std::string label, std::size_t cases);
  void session_finished();

  void case_started(std::string const& id, std::size_t index, std::size_t count) override;
  void case_phase(std::string const& id, std::string const& phase) override;
  void case_finished(model::CaseResult const& result, std::size_t index, std::size_t count) override;
  void worker_restarted(std::string const& why) override;

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left(std::size_t done, std::size_t count) const;
  void show(std::string const& id, std::string const& phase);

  Terminal& terminal_;
  Detail detail_;
  std::string label_;
  std::size_t index_ = 0, count_ = 0;
  Clock::time_point start_, last_line_;
};

}  // namespace perfcheck::measuring
