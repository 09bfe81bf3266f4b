// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 4: this commit or an earlier one, and creep: small steps that no single check sees.
#include "edits.h"

#include <fmt/format.h>

#include <cmath>

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using model::Session;
using model::SessionPurpose;

constexpr char const* kBehind = "slower than in the accepted baseline";

/// A run as `check --base` writes it on the baseline's card: the base build is measured in the confirming sessions
/// only.
Run beside_base(double base, double head) {
  Run now = world().head, other = world().later;
  slow(now, kCase, head);
  slow(other, kCase, base);
  for (Session& session : other.sessions) {
    if (session.purpose == SessionPurpose::confirm) {
      now.base_sessions.push_back(session);
    }
  }
  return now;
}

/// The same on a card that the baseline does not know: there the base build replaces the baseline and is screened, too.
Run both_on_other_card(double base, double head) {
  Run now = world().other_card, other = world().other_baseline;
  slow(now, kCase, head);
  slow(other, kCase, base);
  return as_ab(std::move(now), std::move(other));
}

/// One run per commit, each a recorded session of the card in which the case is slower by level(number of the run). The
/// machine code of the kernels that match `code_changes` changes every ten commits.
std::vector<Run> history_of(int count, std::function<double(int)> const& level,
                            std::string const& code_changes = kOwn) {
  std::vector<Session> sessions;
  for (Run const* run : {&world().baseline, &world().head, &world().later}) {
    sessions.insert(sessions.end(), run->sessions.begin(), run->sessions.end());
  }
  std::vector<Run> runs;
  for (int number = 0; number < count; ++number) {
    Run run = world().baseline;
    run.id = fmt::format("run-{:03}", number);
    run.source = {.commit = fmt::format("{:08x}{:032x}", 0x9e3779b9U * static_cast<unsigned>(number + 1), number),
                  .subject = fmt::format("Change {}", number),
                  .committed = fmt::format("2026-12-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24)};
    // The order repeats only after 22 runs and is unrelated to the steps.
    run.sessions = {sessions.at(static_cast<std::size_t>(number) * 13 % sessions.size())};
    run.sessions.front().id = "s1";
    run.sessions.front().purpose = SessionPurpose::screen;
    run.started = run.sessions.front().started = run.source.committed;
    slow(run, kCase, 1 + level(number));
    each_result(run, code_changes, [&](CaseResult& result) {
      result.launches.front().machine_code = fmt::format("{:016x}", number / 10);
    });
    runs.push_back(std::move(run));
  }
  return runs;
}

std::function<Answer(Desk&)> history_without_baseline(int count, std::function<double(int)> const& level,
                                                      std::string const& code_changes = kOwn) {
  return [=](Desk& desk) {
    desk.remove_baseline();
    return desk.creep(history_of(count, level, code_changes));
  };
}

std::vector<Edit> against_two() {
  return {
      {.id = "4.1",
       .what = "check --base: the base +20 %, the head +20.5 %",
       .hides = Hides::told,
       .ask = [](Desk& desk) { return desk.compare(beside_base(1.2, 1.205)); },
       .reason = "this commit did not do it",
       .word = kBehind},
      {.id = "4.2",
       .what = "check --base: base and head +20 %",
       .hides = Hides::told,
       .ask = [](Desk& desk) { return desk.compare(beside_base(1.2, 1.2)); },
       .reason = "this commit did not do it",
       .word = kBehind},
      {.id = "4.3",
       .what = "check --base on an unknown card: the base +20 %, the head +20.5 %",
       .hides = Hides::told,
       .ask = [](Desk& desk) { return desk.compare(both_on_other_card(1.2, 1.205)); },
       .reason = "this commit did not do it",
       .word = kBehind},
      {.id = "4.4",
       .what = "two run files: the earlier +20 %, the later +20.5 %",
       .hides = Hides::told,
       .ask =
           [](Desk& desk) {
             Run base = world().later, now = world().head;
             slow(base, kCase, 1.2);
             slow(now, kCase, 1.205);
             return desk.compare_runs(base, now);
           },
       .reason = "the later did not do it",
       .word = kBehind},
      {.id = "4.5",
       .what = "check --base: the base +20 %, the head +25 %",
       .ask = [](Desk& desk) { return desk.compare(beside_base(1.2, 1.25)); }},
      {.id = "4.6",
       .what = "check --base: the base as it was, the head +2 %",
       .ask = [](Desk& desk) { return desk.compare(beside_base(1, 1.02)); }},
      {.id = "4.7",
       .what = "check --base on an unknown card: the base as it was, the head +2 %",
       .ask = [](Desk& desk) { return desk.compare(both_on_other_card(1, 1.02)); }},
      {.id = "4.8",
       .what = "sessions that are +20 % accepted with --replace, and +20.5 % compared with them",
       .hides = Hides::told,
       .ask =
           [](Desk& desk) {
             Run base = world().later, now = world().head;
             slow(base, kCase, 1.2);
             slow(now, kCase, 1.205);
             Answer const accepted = desk.accept({base}, {"--replace"});
             Answer answer = after("accepted", desk.compare(now));
             answer.words += accepted.words;
             return answer;
           },
       .reason = "somebody accepted it, and accept said what became slower",
       .word = "slower"},
  };
}

/// Number of steps so far, with a step at every tenth commit.
int tens(int run) { return run / 10; }

std::vector<Edit> over_a_history() {
  return {
      {.id = "4.9",
       .what = "history of 100 commits, +0.2 % in every tenth one",
       .ask = history_without_baseline(100, [](int run) { return 0.002 * tens(run); })},
      {.id = "4.10",
       .what = "history of 60 commits, +0.2 % in each of the last 20",
       .ask = history_without_baseline(60, [](int run) { return run < 40 ? 0 : 0.002 * (run - 39); })},
      {.id = "4.11",
       .what = "history of 100 commits, three steps of +0.4 %",
       .ask = history_without_baseline(100, [](int run) { return 0.004 * std::min(tens(run + 10) / 3, 3); })},
      {.id = "4.12",
       .what = "history of 100 commits, +0.02 % in each",
       .ask = history_without_baseline(100, [](int run) { return 0.0002 * run; })},
      {.id = "4.13",
       .what = "the same, and the sessions of the last run's build accepted anew, without --replace",
       .ask =
           [](Desk& desk) {
             Run last = world().later;
             slow(last, kCase, 1.004);
             Answer const accepted = desk.accept({last});
             return accepted.code == 0
                        ? after("accepted", desk.creep(history_of(100, [](int run) { return 0.0002 * run; })))
                        : accepted;
           }},
      {.id = "4.14",
       .what = "history of 100 commits, +0.2 % in every tenth one, compared with the commit in the middle",
       .ask =
           [](Desk& desk) {
             desk.remove_baseline();
             std::vector<Run> const runs = history_of(100, [](int run) { return 0.002 * tens(run); });
             return desk.creep(runs, {"--anchor", runs.at(45).source.commit});
           }},
      {.id = "4.15",
       .what = "history of 100 commits, +0.2 % in every tenth one, of a kernel whose machine code never changes",
       .ask = history_without_baseline(
           100, [](int run) { return 0.002 * tens(run); }, "gemm/[sw]*")},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "4.16",
       .what = "check --base: nothing changed",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(beside_base(1, 1), kAll); }},
      {.id = "4.17",
       .what = "check --base on an unknown card: nothing changed",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(both_on_other_card(1, 1), kAll); }},
      {.id = "4.18",
       .what = "check --base: the base +20 %, the head as the baseline was",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(beside_base(1.2, 1)); }},
      {.id = "4.19",
       .what = "history of 100 commits without a step",
       .hides = Hides::no,
       .ask = history_without_baseline(100, [](int) { return 0.0; })},
      {.id = "4.20",
       .what = "history of 100 commits, one of them +3 %",
       .hides = Hides::no,
       .ask = history_without_baseline(100, [](int run) { return run == 50 ? 0.03 : 0; })},
      {.id = "4.21",
       .what = "history of 100 commits, -0.2 % in every tenth one",
       .hides = Hides::no,
       .ask = history_without_baseline(100, [](int run) { return -0.002 * tens(run); })},
      {.id = "4.22",
       .what = "history of 6 commits without a step",
       .hides = Hides::no,
       .ask = history_without_baseline(6, [](int) { return 0.0; }),
       .reason = "so few runs tell nothing about steps"},
  };
}

}  // namespace

std::vector<Edit> anchor_edits() {
  std::vector<Edit> edits = against_two();
  for (std::vector<Edit> const& more : {over_a_history(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
