// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 2: what may become a baseline, and how edited baselines are treated.
#include "edits.h"

#include <algorithm>

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using nlohmann::json;

/// Accepts the baseline's sessions after `edit`, and compares a run that is slower by `factor` with the result.
std::function<Answer(Desk&)> accepting(std::function<void(Run&)> const& edit, double factor,
                                       std::vector<std::string> const& more = {}) {
  return [=](Desk& desk) {
    Run base = world().baseline;
    edit(base);
    return desk.accept_and_compare({base}, slowed(factor), more);
  };
}

/// Slows one of the sessions.
std::function<void(Run&)> one_session(std::string const& pattern, double factor) {
  return [=](Run& run) { slow(run.sessions.at(3), pattern, factor); };
}

/// Slows every other session, in one case.
std::function<void(Run&)> half_of_sessions(double factor) {
  return [=](Run& run) {
    for (std::size_t i = 0; i < run.sessions.size(); i += 2) slow(run.sessions[i], kCase, factor);
  };
}

/// Edits the accepted file by hand, and compares a run that is slower by `factor` with it.
std::function<Answer(Desk&)> by_hand(std::function<void(json&)> const& edit, Digest digest, double factor) {
  return [=](Desk& desk) {
    desk.edit_baseline(edit, digest);
    return desk.compare(slowed(factor));
  };
}

/// A copy of one session under the name of another run, with its rounds rotated.
Run copy_of_one(std::size_t rotated_by) {
  Run copy = world().baseline;
  rename(copy, "20261121T210000Z-c0ffee");
  copy.sessions = {copy.sessions.at(2)};
  each_result(copy, kAll, [&](CaseResult& result) {
    for (auto* column : {&result.rounds->time_ns, &result.rounds->reference_time_ns, &result.rounds->clock_mhz,
                         &result.rounds->reference_clock_mhz}) {
      std::rotate(column->begin(), column->begin() + static_cast<std::ptrdiff_t>(rotated_by), column->end());
    }
  });
  return copy;
}

std::vector<Edit> accepted_sessions() {
  return {
      {.id = "2.1",
       .what = "one of eight sessions to be accepted twice as slow in one case; the run is +8 %",
       .ask = accepting(one_session(kCase, 2), 1.08)},
      {.id = "2.2",
       .what = "one of eight sessions to be accepted 10 times as slow in one case; the run is +30 %",
       .ask = accepting(one_session(kCase, 10), 1.3)},
      {.id = "2.3",
       .what = "the same, accepted with --despite and a reason; the run is +30 %",
       .ask = accepting(one_session(kCase, 10), 1.3, {"--despite", "outlier:*", "it was noon"})},
      {.id = "2.4",
       .what = "one of eight sessions to be accepted +20 % in every case; the run is +2 %",
       .ask = accepting(one_session(kAll, 1.2), 1.02)},
      {.id = "2.5",
       .what = "half of the sessions to be accepted +50 % in one case; the run is +20 %",
       .ask = accepting(half_of_sessions(1.5), 1.2)},
      {.id = "2.6",
       .what = "half of the sessions to be accepted +20 % in one case; the run is +8 %",
       .ask = accepting(half_of_sessions(1.2), 1.08)},
      {.id = "2.7",
       .what = "half of the sessions to be accepted of other machine code that is 4 % slower; the run is +4 %",
       .ask = accepting(
           [](Run& run) {
             for (std::size_t i = 0; i < run.sessions.size(); i += 2) {
               slow(run.sessions[i], kCase, 1.04);
               each_result(run.sessions[i], kCase,
                           [](CaseResult& result) { result.launches.front().machine_code = "00c0ffee00c0ffee"; });
             }
           },
           1.04)},
      {.id = "2.8",
       .what = "sessions to be accepted that --inject-slowdown made 20 % slower; the run is +20 %",
       .ask = accepting(
           [](Run& run) {
             slow(run, kCase, 1.2);
             each_result(run, kCase, [](CaseResult& result) { result.injected_percent = 20; });
           },
           1.2)},
      {.id = "2.9",
       .what = "two sessions accepted, no more; the run is +20 %",
       .ask = accepting([](Run& run) { run.sessions.resize(2); }, 1.2)},
      {.id = "2.10",
       .what = "a session accepted twice, the second time under another run's name; the run is +2 %",
       .ask = [](Desk& desk) { return desk.accept_and_compare({world().baseline, copy_of_one(0)}, slowed(1.02)); }},
      {.id = "2.11",
       .what = "the same with its rounds rotated",
       .ask = [](Desk& desk) { return desk.accept_and_compare({world().baseline, copy_of_one(3)}, slowed(1.02)); }},
      {.id = "2.12",
       .what = "the baseline's own run accepted once more",
       .ask = [](Desk& desk) { return desk.accept({world().baseline}); }},
      {.id = "2.13",
       .what = "three sessions that are +20 % join the accepted ones of the card",
       .ask =
           [](Desk& desk) {
             Run more = slowed(1.2);
             more.sessions.resize(3);
             return desk.accept({more});
           }},
      {.id = "2.29",
       .what = "half of the sessions to be accepted +8 % in one case; the run is +4 %",
       .ask = accepting(half_of_sessions(1.08), 1.04)},
  };
}

std::vector<Edit> edited_files() {
  auto const all = [](double factor) { return [factor](json& stored) { scale_stored(stored, kCase, factor); }; };
  auto const one = [](double factor) { return [factor](json& stored) { scale_stored(stored, kCase, factor, 3); }; };
  return {
      {.id = "2.14",
       .what = "the file's times, ratios and cycles of one case x 1.5, digest as it was; the run is +40 %",
       .ask = by_hand(all(1.5), Digest::kept, 1.4)},
      {.id = "2.15", .what = "the same without the digest", .ask = by_hand(all(1.5), Digest::taken, 1.4)},
      {.id = "2.16",
       .what = "the same as a file of version 2, which had no digest",
       .ask = by_hand(
           [](json& stored) {
             scale_stored(stored, kCase, 1.5);
             stored["schema"] = "perfcheck.baseline/2";
             for (json& session : stored.at("sessions")) session.erase("suite");
             for (json& entry : stored.at("cases")) {
               entry.erase("tail");
               entry.erase("work");
             }
           },
           Digest::taken, 1.4)},
      {.id = "2.17",
       .what = "one session of eight in the file twice as slow, with a digest that fits; the run is +8 %",
       .ask = by_hand(one(2), Digest::renewed, 1.08)},
      {.id = "2.18",
       .what = "one session of eight in the file 10 times as slow, with a digest that fits; the run is +30 %",
       .ask = by_hand(one(10), Digest::renewed, 1.3)},
      {.id = "2.19",
       .what = "a case taken out of the file, with a digest that fits; the run is +20 %",
       .ask = by_hand([](json& stored) { stored.at("cases").erase(kCase); }, Digest::renewed, 1.2)},
      {.id = "2.20",
       .what = "all sessions but two taken out of the file for one case, with a digest that fits; the run is +20 %",
       .ask = by_hand(
           [](json& stored) {
             for (char const* column : {"session", "time_ns", "ratio", "cycles", "clock_mhz", "power_w", "tail"}) {
               json& values = stored.at("cases").at(kCase)[column];
               values.erase(values.begin() + 2, values.end());
             }
           },
           Digest::renewed, 1.2)},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "2.21",
       .what = "sessions accepted in another order",
       .hides = Hides::no,
       .ask = accepting([](Run& run) { std::ranges::reverse(run.sessions); }, 1)},
      {.id = "2.22",
       .what = "sessions accepted as two runs of four",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run first = world().baseline, second = world().baseline;
             first.sessions.resize(4);
             second.sessions.erase(second.sessions.begin(), second.sessions.begin() + 4);
             rename(second, "20261121T210000Z-c0ffee");
             return desk.accept_and_compare({first, second}, world().head);
           }},
      {.id = "2.23",
       .what = "three sessions accepted, no more",
       .hides = Hides::no,
       .ask = accepting([](Run& run) { run.sessions.resize(3); }, 1)},
      {.id = "2.24",
       .what = "one of eight sessions to be accepted +0.3 % in one case",
       .hides = Hides::no,
       .ask = accepting(one_session(kCase, 1.003), 1)},
      {.id = "2.25",
       .what = "the sessions of a second card, of an equal build, join the accepted ones",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Answer const accepted = desk.accept({world().other_baseline});
             return accepted.code == 0 ? after("accepted", desk.compare(world().head, kAll)) : accepted;
           }},
      {.id = "2.26",
       .what = "the file written again with other blanks and keys in another order",
       .hides = Hides::no,
       .ask = by_hand([](json&) {}, Digest::kept, 1)},
      {.id = "2.27",
       .what =
           "one session of eight in the file twice as slow in one case, with a digest that fits; the run is as it was",
       .hides = Hides::no,
       .ask = by_hand([](json& stored) { scale_stored(stored, kCase, 2, 3); }, Digest::renewed, 1),
       .reason =
           "nothing below 20 % could have been seen past such a session (max_detectable); baseline show names it"},
      {.id = "2.28",
       .what = "the run taken for the same code, 5 % faster, is accepted with --replace",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run faster = slowed(0.95);
             Answer const accepted = desk.accept({faster}, {"--replace"});
             Run later = world().later;
             slow(later, kCase, 0.95);
             return accepted.code == 0 ? after("accepted", desk.compare(later)) : accepted;
           }},
  };
}

}  // namespace

std::vector<Edit> forged_edits() {
  return {{.id = "F.1",
           .what = "the file's times, ratios and cycles of one case x 1.5, with a digest that fits; the run is +40 %",
           .ask = by_hand([](json& stored) { scale_stored(stored, kCase, 1.5); }, Digest::renewed, 1.4)}};
}

std::vector<Edit> baseline_edits() {
  std::vector<Edit> edits = accepted_sessions();
  for (std::vector<Edit> const& more : {edited_files(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
