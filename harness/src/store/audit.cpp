// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/store/audit.h"

#include "duplicates.h"
#include "finding_text.h"
#include "outliers.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/stats/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace perfcheck::store {
namespace {

using model::Baseline;

/// Cases for which `is_so` holds.
template <typename Holds>
std::vector<std::string> cases_where(Baseline const& baseline, Holds is_so) {
  std::vector<std::string> cases;
  for (auto const& [id, entry] : baseline.cases) {
    if (is_so(entry)) {
      cases.push_back(id);
    }
  }
  return cases;
}

void add_about_cases(FindingKind kind, std::string const& subject, std::vector<std::string> cases,
                     std::string const& what, std::vector<Finding>& findings) {
  if (!cases.empty()) {
    std::string const text =
        fmt::format("{} case{} {} ({})", cases.size(), cases.size() == 1 ? "" : "s", what, cases.front());
    findings.push_back({.kind = kind,
                        .sessions = {},
                        .cases = std::move(cases),
                        .name = fmt::format("{}:{}", to_text(kind), subject),
                        .text = text});
  }
}

/// A file keeps hashes of machine code and launches only while all sessions agree. The last session's launches tell
/// whether there was one to keep.
void find_mixed_code(Baseline const& baseline, std::vector<Finding>& findings) {
  add_about_cases(FindingKind::mixed_code, "machine_code",
                  cases_where(baseline,
                              [](model::BaselineCase const& entry) {
                                return entry.machine_code.empty() && !model::machine_code_of(entry.launched).empty();
                              }),
                  "with sessions of different or unknown machine code", findings);
  add_about_cases(
      FindingKind::mixed_code, "launches",
      cases_where(baseline,
                  [](model::BaselineCase const& entry) { return entry.launches.empty() && !entry.launched.empty(); }),
      "with sessions that launched different or unknown things", findings);
}

/// If cycles scatter by more between sessions of a card (standard deviation), the gate passes what others fail for. In
/// 3200 pairs of a card and an own kernel's case of the recordings and baselines here, it was 1.0 % at most.
constexpr double kScattered = 0.02;

/// The largest scatter over cards with `least` sessions; 0 if cycles are unknown, or if the case is its own reference.
double scatter_of(Baseline const& baseline, std::string const& id, model::BaselineCase const& entry,
                  std::size_t least) {
  if (entry.reference == id || entry.cycles.size() != entry.session.size()) {
    return 0;
  }
  std::map<std::pair<std::string, int>, std::vector<double>> by_card;
  for (std::size_t i = 0; i < entry.session.size(); ++i) {
    auto const session = std::ranges::find(baseline.sessions, entry.session[i], &model::BaselineSession::id);
    if (session != baseline.sessions.end()) {
      by_card[{session->device_uuid, session->timing}].push_back(std::log(entry.cycles[i]));
    }
  }
  double largest = 0;
  for (auto const& [card, logs] : by_card) {
    largest = logs.size() < least ? largest : std::max(largest, stats::sample_sd(logs).value_or(0));
  }
  return largest;
}

/// Leaves out cases whose scatter other findings explain.
void find_scattered(Baseline const& baseline, AuditPolicy const& policy, std::vector<Finding>& findings) {
  if (policy.shared_device) {
    return;
  }
  std::set<std::string> explained;
  for (Finding const& finding : findings) {
    explained.insert(finding.cases.begin(), finding.cases.end());
  }
  auto const least = static_cast<std::size_t>(std::max(policy.min_sessions, 2));
  std::vector<std::string> cases;
  double largest = 0;
  for (auto const& [id, entry] : baseline.cases) {
    if (double const scatter = scatter_of(baseline, id, entry, least);
        scatter > kScattered && !explained.contains(id)) {
      cases.push_back(id);
      largest = std::max(largest, scatter);
    }
  }
  add_about_cases(FindingKind::scattered, "cycles", std::move(cases),
                  fmt::format("whose sessions of one card differ by up to {:.2g} % in cycles (standard deviation; 2 % "
                              "is much), so that slowdowns of that size pass",
                              100 * std::expm1(largest)),
                  findings);
}

void find_few_sessions(Baseline const& baseline, int least, std::vector<Finding>& findings) {
  add_about_cases(FindingKind::few_sessions, fmt::format("{}", least),
                  cases_where(baseline,
                              [least](model::BaselineCase const& entry) {
                                return entry.session.size() < static_cast<std::size_t>(least);
                              }),
                  fmt::format("with fewer than {} sessions, which decide nothing", least), findings);
}

void find_other_timing(Baseline const& baseline, std::vector<Finding>& findings) {
  int newest = 0;
  for (model::BaselineSession const& session : baseline.sessions) {
    newest = std::max(newest, session.timing);
  }
  std::vector<std::size_t> older;
  Finding finding{.kind = FindingKind::other_timing, .sessions = {}, .cases = {}, .name = "", .text = ""};
  for (std::size_t i = 0; i < baseline.sessions.size(); ++i) {
    if (baseline.sessions[i].timing != newest) {
      older.push_back(i);
      finding.sessions.push_back(baseline.sessions[i].id);
    }
  }
  if (!older.empty()) {
    finding.name = finding_name(FindingKind::other_timing, baseline.sessions[older.front()], "");
    finding.text = fmt::format("{}: timed in another way than the newest (timing {}), and so as if on another card",
                               sessions_text(baseline, older), newest);
    findings.push_back(std::move(finding));
  }
}

}  // namespace

std::string to_text(FindingKind kind) {
  constexpr std::array<char const*, 8> kTexts = {"outlier",    "session",   "level",        "duplicate",
                                                 "mixed_code", "scattered", "few_sessions", "other_timing"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::vector<Finding> audit(Baseline const& baseline, AuditPolicy const& policy) {
  std::vector<Finding> findings = find_duplicates(baseline);
  std::vector<Finding> const outliers = find_outliers(baseline, policy);
  findings.insert(findings.end(), outliers.begin(), outliers.end());
  find_mixed_code(baseline, findings);
  find_scattered(baseline, policy, findings);
  find_few_sessions(baseline, policy.min_sessions, findings);
  find_other_timing(baseline, findings);
  for (Finding& finding : findings) {
    finding.text = model::one_line(finding.text);  // ids come from files
  }
  constexpr std::array<FindingKind, 8> kGravest = {
      FindingKind::duplicate,  FindingKind::session,   FindingKind::level,        FindingKind::outlier,
      FindingKind::mixed_code, FindingKind::scattered, FindingKind::few_sessions, FindingKind::other_timing};
  auto const rank = [&kGravest](Finding const& finding) {
    return std::find(kGravest.begin(), kGravest.end(), finding.kind) - kGravest.begin();
  };
  std::stable_sort(findings.begin(), findings.end(),
                   [&rank](Finding const& a, Finding const& b) { return rank(a) < rank(b); });
  return findings;
}

std::string accepted_despite(Baseline const& baseline, Finding const& finding) {
  for (model::Acceptance const& acceptance : baseline.accepted) {
    for (model::Despite const& one : acceptance.despite) {
      if (one.finding == finding.name) {
        return one.why;
      }
    }
  }
  return "";
}

}  // namespace perfcheck::store
