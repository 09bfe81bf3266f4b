// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/progress.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/report/format.h"

#include <fmt/format.h>

namespace perfcheck::measuring {
namespace {

// Often enough to see in a log that the program is alive, seldom enough to keep the log readable.
constexpr std::chrono::seconds kLogInterval{10};

}  // namespace

void Progress::session_started(std::string label, std::size_t cases) {
  label_ = std::move(label);
  start_ = last_line_ = Clock::now();
  if (detail_ != Detail::quiet && !terminal_.interactive()) {
    terminal_.message(fmt::format("{}: {} case{}", label_, cases, cases == 1 ? "" : "s"));
  }
}

void Progress::session_finished() { terminal_.wipe_status(); }

std::string Progress::time_left(std::size_t done, std::size_t count) const {
  if (done == 0) {
    return "";
  }
  double const seconds = clock::seconds_since(start_);
  double const left = seconds / static_cast<double>(done) * static_cast<double>(count - done);
  return fmt::format(", about {} left", report::format_duration(left));
}

void Progress::show(std::string const& id, std::string const& phase) {
  if (detail_ == Detail::quiet) {
    return;
  }
  terminal_.status(fmt::format("{}: {}/{}{}, {}{}", label_, index_ + 1, count_, time_left(index_, count_), id,
                               phase.empty() ? "" : " (" + phase + ")"));
}

void Progress::case_started(std::string const& id, std::size_t index, std::size_t count) {
  index_ = index;
  count_ = count;
  show(id, "");
}

void Progress::case_phase(std::string const& id, std::string const& phase) { show(id, phase); }

void Progress::case_finished(model::CaseResult const& result, std::size_t index, std::size_t count) {
  bool const fine = result.status == model::CaseStatus::measured || result.status == model::CaseStatus::skipped;
  if (!fine) {
    terminal_.message(fmt::format("{}: {} {}: {}", label_, model::to_text(result.status), result.id, result.message));
  }
  bool const due = Clock::now() - last_line_ >= kLogInterval;
  if (detail_ != Detail::quiet && !terminal_.interactive() && due) {
    last_line_ = Clock::now();
    terminal_.message(fmt::format("{}: {} of {} cases{}", label_, index + 1, count, time_left(index + 1, count)));
  }
}

void Progress::worker_restarted(std::string const& why) {
  terminal_.message(fmt::format("{}: worker restarted: {}", label_, why));
}

}  // namespace perfcheck::measuring
