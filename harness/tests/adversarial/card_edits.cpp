// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Item 5: cards that the baseline does not know, other days, drivers and ways of timing.
#include "edits.h"

namespace perfcheck::adversarial {
namespace {

using model::CaseResult;
using model::Run;
using model::Session;

constexpr char const* kUnknown = "GPU-00000000-0000-0000-0000-000000000000";
constexpr char const* kAnotherDay = "2026-11-24";

Run on_unknown_card(Run run) {
  move_to_card(run, kUnknown);
  return run;
}

std::vector<Edit> unknown_cards() {
  return {
      {.id = "5.1",
       .what = "the run's card is another one (uuid), one case +20 %",
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(1.2))); }},
      {.id = "5.2",
       .what = "the run's card is another one (uuid), one case +4 %",
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(1.04))); }},
      {.id = "5.3",
       .what = "the run's card is another one (uuid), every own case +4 %",
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(1.04, kOwn)), kOwn); }},
      {.id = "5.4",
       .what = "the run's card is another one (uuid), every own case +5 %",
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(1.05, kOwn)), kOwn); }},
      {.id = "5.5",
       .what = "a recorded run of another card, every own case +4 %",
       .ask =
           [](Desk& desk) {
             Run now = world().other_card;
             slow(now, kOwn, 1.04);
             return desk.compare(now, kOwn);
           }},
      {.id = "5.6",
       .what = "the run's card is another one (uuid), one case and its reference +6 %: cycles alone moved",
       .ask =
           [](Desk& desk) {
             Run now = on_unknown_card(slowed(1.06));
             slow_reference(now, kCase, 1.06);
             return desk.compare(now);
           }},
      {.id = "5.7",
       .what = "the run's card is another one (uuid), one case +6 % at a clock lower by as much: the ratio alone moved",
       .ask =
           [](Desk& desk) {
             Run now = on_unknown_card(slowed(1.06));
             clock(now, kCase, 1 / 1.06);
             return desk.compare(now);
           }},
      {.id = "5.8",
       .what = "the run's card has no uuid, one case +5 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.05);
             move_to_card(now, "");
             return desk.compare(now);
           }},
      {.id = "5.9",
       .what = "a recorded run of another card, one case +5 %",
       .ask =
           [](Desk& desk) {
             Run now = world().other_card;
             slow(now, kCase, 1.05);
             return desk.compare(now);
           }},
      {.id = "5.10",
       .what = "half of the run's sessions on another card (uuid), one case +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             for (std::size_t i = 0; i < now.sessions.size(); i += 2) now.sessions[i].device.uuid = kUnknown;
             return desk.compare(now);
           }},
      {.id = "5.11",
       .what = "the run's device is another model (slug), one case +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             for (Session& session : now.sessions) session.device.slug = "nvidia-h100-pcie";
             return desk.compare(now);
           }},
      {.id = "5.12",
       .what = "the run's card is another one (uuid), one case +1 %",
       .hides = Hides::told,
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(1.01))); },
       .reason = "cards of one model differ by more, and the pass says so",
       .within = 0.01},
  };
}

std::vector<Edit> other_days() {
  return {
      {.id = "5.13",
       .what = "measured two days later, one case +1 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.01);
             start_on(now, kAnotherDay);
             return desk.compare(now);
           }},
      {.id = "5.14",
       .what = "measured under another driver, one case +2 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.02);
             for (Session& session : now.sessions) session.environment.driver = "590.10.01";
             return desk.compare(now);
           }},
      {.id = "5.15",
       .what = "another version of cuBLAS, one case +2 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.02);
             for (Session& session : now.sessions) session.environment.libraries["cuBLAS"] = "13.2.0";
             return desk.compare(now);
           }},
      {.id = "5.16",
       .what = "another way of timing (environment.timing), one case +5 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.05);
             for (Session& session : now.sessions) session.environment.timing += 1;
             return desk.compare(now);
           }},
      {.id = "5.17",
       .what = "another process was on the device (unfit) in every session of a case that is +20 %",
       .ask =
           [](Desk& desk) {
             Run now = slowed(1.2);
             each_result(now, kCase, [](CaseResult& result) {
               result.unfit = {"busy: pid 8123 (python)"};
               if (result.state) result.state->other_processes = 1;
             });
             return desk.compare(now);
           }},
  };
}

std::vector<Edit> harmless() {
  return {
      {.id = "5.18",
       .what = "a recorded run of another card",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(world().other_card, kAll); }},
      {.id = "5.19",
       .what = "a recorded run of a third card, of another commit",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(world().third_card, kAll); }},
      {.id = "5.20",
       .what = "the run's card is another one (uuid)",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(world().head), kAll); }},
      {.id = "5.21",
       .what = "the baseline holds three other cards, and not this one",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             desk.remove_baseline();
             Answer const accepted =
                 desk.accept({world().other_baseline, world().third_baseline, world().fourth_baseline});
             return accepted.code == 0 ? after("accepted", desk.compare(world().head, kAll)) : accepted;
           }},
      {.id = "5.22",
       .what = "measured two days later",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             start_on(now, kAnotherDay);
             return desk.compare(now, kAll);
           }},
      {.id = "5.23",
       .what = "measured under another driver",
       .hides = Hides::no,
       .ask =
           [](Desk& desk) {
             Run now = world().head;
             for (Session& session : now.sessions) session.environment.driver = "590.10.01";
             return desk.compare(now, kAll);
           }},
      {.id = "5.24",
       .what = "the run's card is another one (uuid), one case 5 % faster",
       .hides = Hides::no,
       .ask = [](Desk& desk) { return desk.compare(on_unknown_card(slowed(0.95))); }},
  };
}

}  // namespace

std::vector<Edit> card_edits() {
  std::vector<Edit> edits = unknown_cards();
  for (std::vector<Edit> const& more : {other_days(), harmless()}) {
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return edits;
}

}  // namespace perfcheck::adversarial
