// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::gate {
namespace {

template <typename Get>
auto values_of(model::Baseline const& baseline, Get get) {
  std::set<decltype(get(baseline.sessions.front()))> values;
  for (model::BaselineSession const& session : baseline.sessions) {
    values.insert(get(session));
  }
  return values;
}

std::string or_unknown(std::string const& text) { return text.empty() ? "unknown" : text; }

void note_text(std::vector<std::string>& notes, char const* what, std::set<std::string> const& stored,
               std::string const& now) {
  if (!stored.empty() && !stored.contains(now)) {
    notes.push_back(fmt::format("{} is {} now; the baseline was measured with {}", what, or_unknown(now),
                                or_unknown(*stored.rbegin())));
  }
}

}  // namespace

std::vector<std::string> environment_notes(model::Baseline const& baseline, model::BaselineSession const& measured_on,
                                           int wanted) {
  std::vector<std::string> notes;
  using Session = model::BaselineSession;
  auto const of_card = std::ranges::count(baseline.sessions, measured_on.device_uuid, &Session::device_uuid);
  if (!baseline.sessions.empty() && of_card < wanted) {
    std::string const card = or_unknown(measured_on.device_uuid);
    std::string const unknown =
        of_card == 0
            ? fmt::format("the baseline does not know this card ({})", card)
            : fmt::format("the baseline holds {} of the {} sessions of this card ({}) that it takes to know it",
                          of_card, wanted, card);
    notes.push_back(unknown +
                    ": margins are wider by what cards of one model differ; accept sessions of this card to narrow "
                    "them");
  }
  auto const timings = values_of(baseline, [](Session const& s) { return s.timing; });
  if (!timings.empty() && !timings.contains(measured_on.timing)) {
    notes.push_back(fmt::format(
        "the harness times in another way now ({}) than when the baseline was measured ({}), so that times of "
        "equal code may differ: margins are as wide as for another card; accept sessions of this harness to "
        "narrow them",
        measured_on.timing, *timings.rbegin()));
  }
  note_text(notes, "the driver", values_of(baseline, [](Session const& s) { return s.driver; }), measured_on.driver);
  note_text(notes, "the CUDA runtime", values_of(baseline, [](Session const& s) { return s.cuda_runtime; }),
            measured_on.cuda_runtime);
  std::set<std::string> names;
  for (auto const& [name, version] : measured_on.libraries) {
    names.insert(name);
  }
  for (std::string const& name : names) {
    auto const version_in = [&](Session const& s) {
      auto const found = s.libraries.find(name);
      return found == s.libraries.end() ? std::string() : found->second;
    };
    note_text(notes, name.c_str(), values_of(baseline, version_in), version_in(measured_on));
  }
  auto const limits = values_of(baseline, [](Session const& s) { return s.power_limit_w; });
  if (!limits.empty() && measured_on.power_limit_w && !limits.contains(measured_on.power_limit_w) && *limits.rbegin()) {
    notes.push_back(fmt::format("the power limit is {:.0f} W now; the baseline was measured with {:.0f} W",
                                *measured_on.power_limit_w, **limits.rbegin()));
  }
  return notes;
}

std::vector<std::string> unfit_notes(Observations const& observations) {
  int results = 0, cases = 0;
  std::string why;
  for (Observation const& seen : observations.cases) {
    results += seen.unfit_results;
    cases += seen.unfit_results > 0 ? 1 : 0;
    why = why.empty() && !seen.unfit.empty() ? seen.unfit.front() : why;
  }
  if (results == 0) {
    return {};
  }
  return {fmt::format("{} result{} of {} case{} left out, as the machine was not fit: {}", results,
                      results == 1 ? "" : "s", cases, cases == 1 ? " was" : "s were", why)};
}

}  // namespace perfcheck::gate
