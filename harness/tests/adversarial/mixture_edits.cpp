// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 7: runs in which only some rounds or only some processes are slow.
#include "edits.h"

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;

using OfSession = std::function<bool(std::size_t)>;
bool every_one(std::size_t) { return true; }
bool every_other(std::size_t i) { return i % 2 == 1; }

/// In the chosen sessions, a share of the rounds takes `factor` times as long.
Run with_slow_rounds(Run run, double share, double factor, OfSession const& chosen) {
  for (std::size_t i = 0; i < run.sessions.size(); ++i) {
    if (chosen(i)) {
      slow_share(run.sessions[i], kCase, share, factor);
    }
  }
  return run;
}

/// The chosen sessions take `factor` times as long.
Run with_slow_sessions(double factor, OfSession const& chosen) {
  Run run = world().head;
  for (std::size_t i = 0; i < run.sessions.size(); ++i) {
    if (chosen(i)) {
      slow(run.sessions[i], kCase, factor);
    }
  }
  return run;
}

std::function<Answer(Desk&)> rounds(double share, double factor, OfSession const& chosen = every_one) {
  return [=](Desk& desk) { return desk.compare(with_slow_rounds(world().head, share, factor, chosen)); };
}

std::function<Answer(Desk&)> sessions(double factor, OfSession const& chosen) {
  return [=](Desk& desk) { return desk.compare(with_slow_sessions(factor, chosen)); };
}

std::vector<Edit> slow_rounds_edits() {
  return {
      {.id = "7.1", .what = "40 % of the rounds 100 times as slow", .ask = rounds(0.4, 100)},
      {.id = "7.2", .what = "40 % of the rounds twice as slow", .ask = rounds(0.4, 2)},
      {.id = "7.3", .what = "one round in eight 50 % slower, in every session", .ask = rounds(0.125, 1.5)},
      {.id = "7.4", .what = "49 % of the rounds +10 %", .ask = rounds(0.49, 1.1)},
      {.id = "7.5", .what = "60 % of the rounds +5 %", .ask = rounds(0.6, 1.05)},
      {.id = "7.6",
       .what = "40 % of the rounds 100 times as slow, in every other process",
       .ask = rounds(0.4, 100, every_other)},
      {.id = "7.7",
       .what = "40 % of the rounds twice as slow in the baseline, 100 times in the run",
       .ask =
           [](Desk& desk) {
             return desk.accept_and_compare({with_slow_rounds(world().baseline, 0.4, 2, every_one)},
                                            with_slow_rounds(world().head, 0.4, 100, every_one));
           }},
      {.id = "7.8",
       .what = "NaN in every other round of a case that is +20 %",
       .ask = [](Desk& desk) { return desk.compare_text(with_value(slowed(1.2), kCase, 2, "NaN")); }},
  };
}

std::vector<Edit> slow_process_edits() {
  return {
      {.id = "7.9", .what = "every other process +5 %, the screen not", .ask = sessions(1.05, every_other)},
      {.id = "7.10",
       .what = "every other process +5 %, the screen too",
       .ask = sessions(1.05, [](std::size_t i) { return i % 2 == 0; })},
      {.id = "7.11",
       .what = "two of six processes that confirm +3 %, the screen not",
       .ask = sessions(1.03, [](std::size_t i) { return i == 2 || i == 5; })},
      {.id = "7.12",
       .what = "five of six processes that confirm +5 %, the screen not",
       .ask = sessions(1.05, [](std::size_t i) { return i > 1; })},
      {.id = "7.13",
       .what = "all six processes that confirm +5 %, the screen not",
       .ask = sessions(1.05, [](std::size_t i) { return i > 0; })},
      {.id = "7.14",
       .what = "the screen and five of six processes that confirm +2 %",
       .ask = sessions(1.02, [](std::size_t i) { return i != 3; })},
      {.id = "7.15",
       .what = "one of six processes that confirm 10 times as slow, the screen not",
       .ask = sessions(10, [](std::size_t i) { return i == 4; })},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "7.16",
       .what = "one round in one session 3 times as slow",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             each_result(now.sessions.at(2), kCase, [](CaseResult& result) { result.rounds->time_ns.at(1) *= 3; });
             return desk.compare(now);
           }},
      {.id = "7.17",
       .what = "one round of every session +1 %",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             each_result(now, kCase, [](CaseResult& result) { result.rounds->time_ns.at(1) *= 1.01; });
             return desk.compare(now);
           }},
      {.id = "7.18",
       .what = "40 % of the rounds twice as slow in one session of seven",
       .hides = Hides::no,
       .ask = rounds(0.4, 2, [](std::size_t i) { return i == 4; })},
      {.id = "7.19",
       .what = "one round in eight 50 % slower, in baseline and run",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             return desk.accept_and_compare({with_slow_rounds(world().baseline, 0.125, 1.5, every_one)},
                                            with_slow_rounds(world().head, 0.125, 1.5, every_one));
           }},
      {.id = "7.20", .what = "every other process -3 %", .hides = Hides::no, .ask = sessions(0.97, every_other)},
      {.id = "7.21",
       .what = "one of six processes that confirm +0.3 %",
       .hides = Hides::no,
       .ask = sessions(1.003, [](std::size_t i) { return i == 4; })},
  };
}

}  // namespace

std::vector<Edit> mixture_edits() {
  std::vector<Edit> edits = slow_rounds_edits();
  for (std::vector<Edit> const& more : {slow_process_edits(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
