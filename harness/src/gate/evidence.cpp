// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence.h"

#include "occasion.h"
#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace perfcheck::gate {
namespace {

using Summaries = std::vector<model::SessionSummary>;

/// Summaries of every session of a stage; empty, with the reason in `why`, when one of them cannot be used.
std::optional<Summaries> summaries_of(std::vector<model::CaseResult const*> const& results, std::string& why) {
  Summaries summaries;
  for (model::CaseResult const* result : results) {
    std::optional<model::SessionSummary> const summary = model::summarize(*result, &why);
    if (!summary) {
      return std::nullopt;
    }
    summaries.push_back(*summary);
  }
  return summaries;
}

std::optional<double> value_of(model::SessionSummary const& summary, Metric metric) {
  switch (metric) {
    case Metric::ratio: return summary.ratio;
    case Metric::cycles: return summary.cycles;
    case Metric::time: return summary.time_ns;
  }
  throw std::logic_error("unknown metric");
}

/// Logarithms of one metric; empty when any session lacks it.
std::optional<std::vector<double>> logs_of(Summaries const& summaries, Metric metric) {
  std::vector<double> logs;
  for (model::SessionSummary const& summary : summaries) {
    std::optional<double> const value = value_of(summary, metric);
    if (!value) {
      return std::nullopt;
    }
    logs.push_back(std::log(*value));
  }
  return logs;
}

std::vector<double> tails_of(Summaries const& summaries) {
  std::vector<double> tails;
  std::transform(summaries.begin(), summaries.end(), std::back_inserter(tails),
                 [](model::SessionSummary const& summary) { return summary.tail; });
  return tails;
}

bool usable_column(std::vector<double> const& column, std::size_t size) {
  return column.size() == size &&
         std::all_of(column.begin(), column.end(), [](double value) { return std::isfinite(value) && value > 0; });
}

bool usable(model::BaselineCase const& stored, std::string& why) {
  std::size_t const size = stored.session.size();
  if (size == 0 || !usable_column(stored.time_ns, size) || !usable_column(stored.ratio, size) ||
      !(stored.cycles.empty() || usable_column(stored.cycles, size))) {
    why = "the baseline's numbers for this case are empty, of unequal length or not positive";
    return false;
  }
  return true;
}

std::vector<double> const& column_of(model::BaselineCase const& stored, Metric metric) {
  switch (metric) {
    case Metric::ratio: return stored.ratio;
    case Metric::cycles: return stored.cycles;
    case Metric::time: return stored.time_ns;
  }
  throw std::logic_error("unknown metric");
}

using SessionFilter = std::function<bool(model::BaselineSession const&)>;

/// The stored column by card, for the sessions that `use` accepts. Sessions of a card that were timed in another way
/// count as those of another card.
ByCard by_card(model::Baseline const& baseline, model::BaselineCase const& stored, Metric metric,
               model::BaselineSession const& measured_on, SessionFilter const& use) {
  ByCard groups;
  std::vector<double> const& column = column_of(stored, metric);
  for (std::size_t i = 0; i < column.size(); ++i) {
    auto const session = std::find_if(baseline.sessions.begin(), baseline.sessions.end(),
                                      [&](model::BaselineSession const& s) { return s.id == stored.session[i]; });
    if (session != baseline.sessions.end() && use(*session)) {
      bool const same_timing = session->timing == measured_on.timing;
      std::string const card = session->device_uuid + (same_timing ? "" : fmt::format(", timing {}", session->timing));
      OfCard& group = groups[card];
      group.logs.push_back(std::log(column[i]));
      group.occasions.push_back(occasion_of(session->started, measured_on.started));
    }
  }
  return groups;
}

/// Version of a library in a session; empty where the session does not record it.
std::string version_in(model::BaselineSession const& session, std::string const& library) {
  auto const found = session.libraries.find(library);
  return found == session.libraries.end() ? "" : found->second;
}

/// Sessions that were measured with the same version of a library; all of them when there is no library.
SessionFilter same_version(std::string const& library, model::BaselineSession const& measured_on) {
  return [library, version = version_in(measured_on, library)](model::BaselineSession const& session) {
    return library.empty() || version_in(session, library) == version;
  };
}

std::string common_reference(Observation const& seen, std::string& why) {
  std::string reference;
  for (auto const* results : {&seen.screen, &seen.confirm}) {
    for (model::CaseResult const* result : *results) {
      if (!reference.empty() && result->reference != reference) {
        why = fmt::format("its sessions were timed against different references, {} and {}", reference,
                          result->reference);
        return "";
      }
      reference = result->reference;
    }
  }
  if (reference.empty()) {
    why = "its results name no reference";
  }
  return reference;
}

/// Records why the ratio cannot be compared, if both sides have one but they cannot be compared.
void find_ratio_obstacle(Evidence& evidence, model::Baseline const& baseline, model::BaselineCase const& stored,
                         model::BaselineSession const& measured_on, Observation const& seen,
                         std::string const& reference) {
  if (reference != stored.reference) {
    evidence.obstacle_code = "reference_changed";
    evidence.obstacle = fmt::format("its reference is now {}, in the baseline {}", reference, stored.reference);
  } else if (reference != evidence.id && !evidence.series[Metric::ratio]) {
    evidence.obstacle_code = "reference_library_changed";
    std::string const& library = seen.reference_library;
    evidence.obstacle = fmt::format("the reference comes from {} {} now, in the baseline from {}", library,
                                    version_in(measured_on, library), version_in(baseline.sessions.back(), library));
  }
}

/// Whether a commit is unlikely to have changed a case. It must launch the same as for the baseline. For a kernel of
/// the program, machine code and everything else that is hashed must be equal too; for a library's kernel, the baseline
/// must know the library's version. A library's kernel whose launches cannot be read, as on a CPU, is also a control if
/// others share the device: without a ratio, nothing there can tell a slower call from a busy neighbour.
Control control_of(Sources const& sources, model::BaselineCase const& stored, model::CaseResult const& now,
                   std::string const& library) {
  std::string const launches = model::launch_hash_of(now);
  if (now.injected_percent != 0 || stored.launches != launches) {
    return Control::no;
  }
  std::vector<model::BaselineSession> const& sessions = sources.baseline.sessions;
  if (!library.empty()) {
    bool const known = std::any_of(sessions.begin(), sessions.end(), same_version(library, sources.measured_on));
    bool const can_tell = !launches.empty() || sources.policy.shared_device;
    return known && can_tell && now.reference == now.id ? Control::library : Control::no;
  }
  bool const same_code = !stored.machine_code.empty() && stored.machine_code == model::machine_code_of(now);
  bool const same_work = !model::work_differs(stored.work, model::work_of(now));
  return same_code && same_work && !launches.empty() ? Control::equal_code : Control::no;
}

/// One metric of the base build's sessions measured beside the confirmation; empty where there are none.
ByCard confirm_base_of(Sources const& sources, std::string const& id, Metric metric, std::string const& reference) {
  if (sources.confirm_base == nullptr) {
    return {};
  }
  auto const found = sources.confirm_base->cases.find(id);
  if (found == sources.confirm_base->cases.end() || column_of(found->second, metric).empty() ||
      (metric == Metric::ratio && found->second.reference != reference)) {
    return {};
  }
  return by_card(*sources.confirm_base, found->second, metric, sources.measured_on,
                 [](model::BaselineSession const&) { return true; });
}

/// What slow rounds cost in the same sessions.
std::vector<double> confirm_base_tails_of(Sources const& sources, std::string const& id) {
  if (sources.confirm_base == nullptr) {
    return {};
  }
  auto const found = sources.confirm_base->cases.find(id);
  return found == sources.confirm_base->cases.end() ? std::vector<double>() : found->second.tail;
}

Basis basis_of(Evidence const& evidence, bool was_clocked) {
  if (evidence.series[Metric::ratio]) {
    return Basis::ratio;
  }
  if (evidence.series[Metric::cycles]) {
    return Basis::cycles;
  }
  // Wall time decides only where there never was anything better, not where a clock or a reference was lost.
  return was_clocked || !evidence.obstacle.empty() ? Basis::incomparable : Basis::time;
}

}  // namespace

std::size_t Series::baseline_sessions() const {
  std::size_t count = 0;
  for (auto const& [card, of_card] : baseline) {
    count += of_card.logs.size();
  }
  return count;
}

std::optional<Evidence> gather(Sources const& sources, model::BaselineCase const& stored, Observation const& seen,
                               std::string& why_not) {
  if (seen.screen.empty()) {
    why_not = "it was measured only to confirm, never to screen";
    return std::nullopt;
  }
  std::string const reference = common_reference(seen, why_not);
  std::optional<Summaries> const screen = summaries_of(seen.screen, why_not);
  std::optional<Summaries> const confirm = screen ? summaries_of(seen.confirm, why_not) : std::nullopt;
  if (reference.empty() || !screen || !confirm || !usable(stored, why_not)) {
    return std::nullopt;
  }
  auto const [baseline, confirm_base, measured_on, policy] = sources;

  Evidence evidence{.id = seen.id,
                    .card = measured_on.device_uuid,
                    .margin = std::log1p(margin_of(policy, seen.id)),
                    .series = {},
                    .obstacle = {},
                    .obstacle_code = {}};
  SessionFilter const any = [](model::BaselineSession const&) { return true; };
  SessionFilter const same_reference = same_version(seen.reference_library, measured_on);
  auto const wanted = static_cast<std::size_t>(policy.min_baseline_sessions);
  evidence.baseline_sessions = stored.session.size();
  evidence.needs_sessions = evidence.baseline_sessions < wanted;
  for (Metric const metric : kMetrics) {
    bool const is_ratio = metric == Metric::ratio;
    if (is_ratio && (reference == seen.id || reference != stored.reference)) {
      continue;
    }
    Series series{.baseline = by_card(baseline, stored, metric, measured_on, is_ratio ? same_reference : any),
                  .confirm_base = confirm_base_of(sources, seen.id, metric, reference),
                  .screen = {},
                  .confirm = {},
                  .occasion = occasion_of(measured_on.started, measured_on.started)};
    std::optional<std::vector<double>> screen_logs = logs_of(*screen, metric);
    std::optional<std::vector<double>> confirm_logs = logs_of(*confirm, metric);
    std::size_t const sessions = series.baseline_sessions();
    // If too few sessions have the reference library's present version, cycles replace the ratio. If there are too few
    // sessions altogether, the caller reports that.
    if (screen_logs && confirm_logs && sessions > 0 && (!is_ratio || sessions >= wanted || evidence.needs_sessions)) {
      series.screen = std::move(*screen_logs);
      series.confirm = std::move(*confirm_logs);
      evidence.series[metric] = std::move(series);
    }
  }
  find_ratio_obstacle(evidence, baseline, stored, measured_on, seen, reference);
  evidence.lost_clock = !stored.cycles.empty() && !evidence.series[Metric::cycles];
  bool const was_clocked = !stored.cycles.empty() || screen->front().cycles.has_value();
  evidence.basis = basis_of(evidence, was_clocked);
  if (evidence.basis == Basis::incomparable && evidence.obstacle.empty()) {
    evidence.obstacle_code = "clock_unreadable";
    evidence.obstacle = "the device's clock was readable on one side only";
  }
  evidence.baseline_time_ns = stats::median(stored.time_ns).value_or(0);
  evidence.stored_sessions = stored.session;
  evidence.reference = reference;
  evidence.tails = {.baseline = stored.tail,
                    .confirm_base = confirm_base_tails_of(sources, seen.id),
                    .screen = tails_of(*screen),
                    .confirm = tails_of(*confirm)};
  evidence.control = control_of(sources, stored, *seen.screen.front(), seen.library);
  return evidence;
}

}  // namespace perfcheck::gate
