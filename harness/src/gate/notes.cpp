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

std::vector<std::string> environment_notes(model::Baseline const& baseline, model::BaselineSession const& measured_on) {
  std::vector<std::string> notes;
  using Session = model::BaselineSession;
  auto const cards = values_of(baseline, [](Session const& s) { return s.device_uuid; });
  if (!cards.empty() && !cards.contains(measured_on.device_uuid)) {
    notes.push_back(
        fmt::format("the baseline does not know this card ({}): margins are wider by what cards of one model "
                    "differ; accept sessions of this card to narrow them",
                    or_unknown(measured_on.device_uuid)));
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

}  // namespace perfcheck::gate
