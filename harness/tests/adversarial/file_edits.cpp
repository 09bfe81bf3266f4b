// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// For several items: run files that contradict themselves or hold less than was measured.
#include "edits.h"

#include <algorithm>
#include <array>

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using model::Session;

Run slowed_beside_base(double factor, std::string const& pattern = kCase) {
  return as_ab(slowed(factor, pattern), world().later);
}

std::vector<Edit> of_code() {
  return {
      {.id = "1.22",
       .what = "one case +20 %, its reference a name of its own and the clock lower by as much",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             clock(now, kCase, 1 / 1.2);
             each_result(now, kCase, [](CaseResult& result) { result.reference = result.id; });
             return desk.compare(now);
           }},
      {.id = "1.23",
       .what = "one case and its reference +20 %, and its clock taken out",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             slow_reference(now, kCase, 1.2);
             each_result(now, kCase, [](CaseResult& result) {
               result.rounds->clock_mhz.clear();
               result.rounds->reference_clock_mhz.clear();
             });
             return desk.compare(now);
           }},
      {.id = "1.24",
       .what = "every own case +8 %, and the worker said to be of the CPU, where 10 % is allowed",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.08, kOwn);
             now.worker.backend = "cpu";
             return desk.compare(now, kOwn);
           }},
      {.id = "1.25",
       .what = "the same, and the device too",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.08, kOwn);
             now.worker.backend = "cpu";
             for (Session& session : now.sessions) session.device.backend = "cpu";
             return desk.compare(now, kOwn);
           }},
      {.id = "1.26",
       .what = "one case +20 %, of whose outputs none was compared",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) {
               result.proof = model::Proof{.replays = 30, .compared = 0, .outputs_compared = 0, .clock_deviation = 0};
             });
             return desk.compare(now);
           }},
  };
}

std::vector<Edit> of_baselines() {
  return {
      {.id = "2.30",
       .what = "sessions to be accepted of one case spread from 0 to +10 %, too wide for two levels; the run is +3 %",
       .hides = Hides::told,
       .ask =
           [](Desk& desk) {
             Run base = world().baseline;
             constexpr std::array kSpread = {1.0, 1.08, 1.01, 1.09, 1.02, 1.10, 1.005, 1.085};
             for (std::size_t i = 0; i < base.sessions.size(); ++i) {
               slow(base.sessions[i], kCase, kSpread[i % kSpread.size()]);
             }
             desk.remove_baseline();
             Answer const accepted = desk.accept({base});
             Answer answer = after("accepted", desk.compare(slowed(1.03)));
             answer.words += accepted.words;
             return answer;
           },
       .reason = "half of what was accepted is slower than the run, and accept and show remark on it",
       .word = "differ by up to"},
  };
}

std::vector<Edit> of_bases() {
  return {
      {.id = "4.23",
       .what = "check --base: every own case +20 %, and all but one library's taken out of the base's sessions",
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1.2, kOwn);
             for (Session& session : now.base_sessions) {
               std::erase_if(session.cases, [](CaseResult const& result) { return result.id != kLibraryCase; });
             }
             return desk.compare(now, kOwn);
           }},
      {.id = "4.24",
       .what = "check --base: one case +20 %, and taken out of the base's sessions",
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1.2);
             for (Session& session : now.base_sessions) take(session, kCase);
             return desk.compare(now);
           }},
      {.id = "4.25",
       .what = "check --base: one case +5 %, in one of the base's sessions that confirm too, and out of the others",
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1.05);
             slow(now.base_sessions.at(2), kCase, 1.05);
             for (std::size_t i = 3; i < now.base_sessions.size(); ++i) take(now.base_sessions[i], kCase);
             return desk.compare(now);
           }},
      {.id = "4.26",
       .what = "check --base: every own case +20 %, and the base's sessions copied from the head's",
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1.2, kOwn);
             now.base_sessions = now.sessions;
             return desk.compare(now, kOwn);
           }},
      {.id = "4.27",
       .what = "check --base: one case +20 %, which the base failed to measure",
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1.2);
             for (Session& session : now.base_sessions) {
               each_result(session, kCase, [](CaseResult& result) {
                 result.status = model::CaseStatus::failed;
                 result.message = "no device memory";
                 result.rounds.reset();
                 result.proof.reset();
               });
             }
             return desk.compare(now);
           }},
      {.id = "4.28",
       .what = "check --base: a kernel that neither the base nor the baseline has",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = slowed_beside_base(1);
             for (Session& session : now.sessions) {
               CaseResult added = session.cases.back();
               added.id = "gemm/simt/novel@" + model::split_case_id(added.id).problem;
               session.cases.push_back(std::move(added));
             }
             return desk.compare(now, "gemm/simt/novel");
           }},
  };
}

/// One case +20 %, with all of its results marked as measured on an unfit machine.
Run marked_unfit(int other_processes) {
  Run now = slowed(1.2);
  each_result(now, kCase, [&](CaseResult& result) {
    result.unfit = {"busy: pid 8123 (python)"};
    result.state = result.state.value_or(model::DeviceState());
    result.state->other_processes = other_processes;
  });
  return now;
}

std::vector<Edit> of_cards() {
  return {
      {.id = "5.25",
       .what = "the same, and the device's state says that nobody else was there",
       .ask = [](Desk& desk) { return desk.compare(marked_unfit(0)); }},
      {.id = "5.26",
       .what = "one case computed something wrong, and is marked as measured on a busy machine",
       .ask =
           [](Desk& desk) {
             Run now = marked_unfit(1);
             each_result(now.sessions.at(1), kCase, [](CaseResult& result) {
               result.status = model::CaseStatus::incorrect;
               result.message = "timed_output: 1 element wrong";
               result.verification = model::Verification{.passed = false, .checks = {}};
               result.rounds.reset();
               result.proof.reset();
             });
             return desk.compare(now);
           }},
      {.id = "5.27",
       .what = "one case +1 %, and a session without cases in front that names another way of timing",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.01);
             Session empty = now.sessions.front();
             empty.id = "s0";
             empty.cases.clear();
             empty.environment.timing += 1;
             now.sessions.insert(now.sessions.begin(), empty);
             return desk.compare(now);
           }},
      {.id = "5.28",
       .what = "one case +1 %, and every other session said to be timed in another way",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.01);
             for (std::size_t i = 1; i < now.sessions.size(); i += 2) now.sessions[i].environment.timing += 1;
             return desk.compare(now);
           }},
  };
}

/// Slower by about the margin in the screen and in the first two confirming sessions, and by far more in the last four.
Run slow_at_last() {
  Run now = world().head;
  slow(now.sessions.front(), kCase, 1.0055);
  for (std::size_t i = 1; i < now.sessions.size(); ++i) slow(now.sessions[i], kCase, i < 3 ? 1.0049 : 1.04);
  return now;
}

std::vector<Edit> of_sessions() {
  auto const keep = [](std::size_t sessions) {
    return [sessions](Desk& desk) {
      Run now = slow_at_last();
      for (std::size_t i = 1 + sessions; i < now.sessions.size(); ++i) take(now.sessions[i], kCase);
      return desk.compare(now);
    };
  };
  return {
      {.id = "6.29",
       .what = "one case +4 % in the last four of six sessions that confirm, and near the margin before: nothing gone",
       .ask = [](Desk& desk) { return desk.compare(slow_at_last()); }},
      {.id = "6.30", .what = "the same without its last session", .ask = keep(5)},
      {.id = "6.31", .what = "the same without the last three", .ask = keep(3)},
      {.id = "6.32", .what = "the same without the last four, of a look that was not clear", .ask = keep(2)},
      {.id = "6.33", .what = "the same without the last five", .ask = keep(1)},
      {.id = "6.34",
       .what = "one case +2 % in the screen, and its results that confirm are copies of one that is not slower",
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             slow(now.sessions.front(), kCase, 1.02);
             auto const of = [](Session& session) {
               return std::ranges::find(session.cases, std::string(kCase), &CaseResult::id);
             };
             for (std::size_t i = 2; i < now.sessions.size(); ++i) *of(now.sessions[i]) = *of(now.sessions[1]);
             return desk.compare(now);
           }},
  };
}

std::vector<Edit> of_rounds() {
  return {
      {.id = "7.22",
       .what = "rounds that scatter from 0.7 to 3 times the median one, which make the mean a third longer",
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             constexpr std::array kShares = {0.7, 0.7, 0.7, 1.0, 1.0, 1.3, 2.5, 3.0};
             each_result(now, kCase, [&](CaseResult& result) {
               auto& times = result.rounds->time_ns;
               for (std::size_t i = 0; i < times.size(); ++i) times[i] *= kShares[i % kShares.size()];
             });
             return desk.compare(now);
           }},
      {.id = "7.23",
       .what = "one case +20 %, and a reference that took 1e-310 ns in one round",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) { result.rounds->reference_time_ns.at(0) = 1e-310; });
             return desk.compare(now);
           }},
  };
}

}  // namespace

std::vector<Edit> file_edits(int item) {
  switch (item) {
    case 1: return of_code();
    case 2: return of_baselines();
    case 4: return of_bases();
    case 5: return of_cards();
    case 6: return of_sessions();
    case 7: return of_rounds();
    default: return {};
  }
}

}  // namespace perfcheck::adversarial
