// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 3: a pass says what it excludes, and a case whose slowdown could not have been seen does not pass.
#include "edits.h"

#include <algorithm>
#include <array>

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using nlohmann::json;

// Factors between sessions that hide every slowdown below 20 %.
constexpr std::array<double, 8> kScatter = {0.75, 1.3, 0.9, 1.2, 0.8, 1.15, 0.7, 1.25};

void scatter(Run& run, std::string const& pattern) {
  for (std::size_t i = 0; i < run.sessions.size(); ++i) {
    slow(run.sessions[i], pattern, kScatter.at(i % kScatter.size()));
  }
}

void scatter_stored(json& stored, std::string const& case_id, std::size_t sessions) {
  for (std::size_t i = 0; i < sessions; ++i) {
    scale_stored(stored, case_id, kScatter.at(i), static_cast<int>(i));
  }
}

/// Compares a run with +20 % in which `value` replaces the case's first time in every session.
Answer with_first_time(Desk& desk, char const* value) {
  return desk.compare_text(with_value(slowed(1.2), kCase, kFirstOnly, value));
}

std::function<Answer(Desk&)> with_rounds(std::function<void(model::Rounds&)> const& edit, double factor) {
  return [=](Desk& desk) {
    Run now = slowed(factor);
    each_result(now, kCase, [&](CaseResult& result) { edit(*result.rounds); });
    return desk.compare(now);
  };
}

void keep_rounds(model::Rounds& rounds, std::size_t count) {
  for (auto* column : {&rounds.time_ns, &rounds.reference_time_ns, &rounds.clock_mhz, &rounds.reference_clock_mhz}) {
    column->resize(std::min(column->size(), count));
  }
}

std::vector<Edit> sessions_that_scatter() {
  return {
      {.id = "3.1",
       .what = "the stored sessions of a case scatter by 25 %, with a digest that fits; the run is +10 %",
       .ask =
           [](Desk& desk) {
             desk.edit_baseline([](json& stored) { scatter_stored(stored, kCase, 8); }, Digest::renewed);
             return desk.compare(slowed(1.1));
           }},
      {.id = "3.2",
       .what = "the run's sessions of a case scatter by 25 % about +10 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.1);
             scatter(now, kCase);
             return desk.compare(now);
           }},
      {.id = "3.3",
       .what = "all cases of the baseline scatter by 25 %, with a digest that fits; one case of the run is +15 %",
       .ask =
           [](Desk& desk) {
             desk.edit_baseline(
                 [](json& stored) {
                   for (auto const& [id, entry] : stored.at("cases").items()) scatter_stored(stored, id, 8);
                 },
                 Digest::renewed);
             return desk.compare(slowed(1.15));
           }},
      {.id = "3.4",
       .what = "no clock is readable in the run and its reference scatters by 25 %; one case is +10 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.1);
             for (std::size_t i = 0; i < now.sessions.size(); ++i) {
               each_result(now.sessions[i], kCase, [&](CaseResult& result) {
                 result.rounds->clock_mhz.clear();
                 result.rounds->reference_clock_mhz.clear();
                 for (double& time : result.rounds->reference_time_ns) time *= kScatter.at(i);
               });
             }
             return desk.compare(now);
           }},
      {.id = "3.5",
       .what = "one session and none that confirms; one case is +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             now.sessions.resize(1);
             return desk.compare(now);
           }},
      {.id = "3.6",
       .what = "one session and none that confirms; one case is +1 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.01);
             now.sessions.resize(1);
             return desk.compare(now);
           }},
      {.id = "3.7",
       .what = "a single round in each session; one case is +3 %",
       .ask = with_rounds([](model::Rounds& rounds) { keep_rounds(rounds, 1); }, 1.03)},
  };
}

std::vector<Edit> impossible_numbers() {
  return {
      {.id = "3.8",
       .what = "NaN in one round of a case that is +20 %",
       .ask = [](Desk& desk) { return with_first_time(desk, "NaN"); }},
      {.id = "3.9",
       .what = "null in one round of a case that is +20 %",
       .ask = [](Desk& desk) { return with_first_time(desk, "null"); }},
      {.id = "3.10",
       .what = "1e999 in one round of a case that is +20 %",
       .ask = [](Desk& desk) { return with_first_time(desk, "1e999"); }},
      {.id = "3.11",
       .what = "0 in one round of a case that is +20 %",
       .ask = [](Desk& desk) { return with_first_time(desk, "0"); }},
      {.id = "3.12",
       .what = "a negative time in one round of a case that is +20 %",
       .ask = [](Desk& desk) { return with_first_time(desk, "-5"); }},
      {.id = "3.13",
       .what = "no rounds in a case that was +20 %",
       .ask = with_rounds([](model::Rounds& rounds) { keep_rounds(rounds, 0); }, 1.2)},
      {.id = "3.14",
       .what = "fewer times than times of the reference in a case that is +20 %",
       .ask = with_rounds([](model::Rounds& rounds) { rounds.time_ns.pop_back(); }, 1.2)},
      {.id = "3.15",
       .what = "rounds taken out of a case that is +20 %, as if it had not been measured",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) { result.rounds.reset(); });
             return desk.compare(now);
           }},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "3.16",
       .what = "one round in eight 50 % slower in one session of seven",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             slow_share(now.sessions.at(4), kCase, 0.125, 1.5);
             return desk.compare(now);
           }},
      {.id = "3.17",
       .what = "rounds in reverse order",
       .hides = Hides::no,
       .ask = with_rounds(
           [](model::Rounds& rounds) {
             for (auto* column :
                  {&rounds.time_ns, &rounds.reference_time_ns, &rounds.clock_mhz, &rounds.reference_clock_mhz}) {
               std::ranges::reverse(*column);
             }
           },
           1)},
      {.id = "3.18",
       .what = "every case +0.1 %, which is within what sessions differ by",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             slow(now, kAll, 1.001);
             return desk.compare(now, kAll);
           }},
      {.id = "3.19",
       .what = "four rounds in each session, no more",
       .hides = Hides::no,
       .ask = with_rounds([](model::Rounds& rounds) { keep_rounds(rounds, 4); }, 1)},
      {.id = "3.20",
       .what = "the stored sessions of a case scatter by 25 %, with a digest that fits; the run is as it was",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             desk.edit_baseline([](json& stored) { scatter_stored(stored, kCase, 8); }, Digest::renewed);
             return desk.compare(world().head);
           },
       .reason = "nothing below 20 % could have been seen (max_detectable), so a pass would say nothing"},
      {.id = "3.21",
       .what = "one session and none that confirms",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             now.sessions.resize(1);
             return desk.compare(now, kAll);
           },
       .reason =
           "a session alone may look slow by chance; check measures such cases again, a file of one session cannot"},
  };
}

}  // namespace

std::vector<Edit> bound_edits() {
  std::vector<Edit> edits = sessions_that_scatter();
  for (std::vector<Edit> const& more : {impossible_numbers(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
