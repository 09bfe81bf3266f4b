// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "refusal.h"

#include "finding_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::store {
namespace {

/// What to do about it. Empty for remarks, which refuse nothing.
std::string remedy_for(FindingKind kind) {
  switch (kind) {
    case FindingKind::outlier:
    case FindingKind::session: return "measure it again, or leave the run out";
    case FindingKind::level:
      return "if the level really changed, forget the earlier sessions with --replace; else measure again, or leave "
             "the "
             "run out";
    case FindingKind::duplicate: return "leave it out, and measure another one";
    case FindingKind::mixed_code:
      return "accept runs of one build together, or forget the earlier sessions with --replace";
    case FindingKind::scattered:
    case FindingKind::few_sessions:
    case FindingKind::other_timing: break;
  }
  return "";
}

/// A finding refuses sessions only if all of its sessions are new.
bool concerns(Finding const& finding, std::vector<std::string> const& added) {
  return !remedy_for(finding.kind).empty() && !finding.sessions.empty() &&
         std::all_of(finding.sessions.begin(), finding.sessions.end(), [&added](std::string const& id) {
           return std::find(added.begin(), added.end(), id) != added.end();
         });
}

std::string refusal_text(model::Baseline const& baseline, std::vector<Finding> const& refused) {
  Finding const& first = refused.front();
  auto const session =
      std::find_if(baseline.sessions.begin(), baseline.sessions.end(),
                   [&first](model::BaselineSession const& known) { return known.id == first.sessions.front(); });
  return fmt::format(
      "run {} cannot become part of the baseline: {}; {}; to accept it all the same, add --despite '{}' "
      "REASON{}",
      origin_of(*session).run, first.text, remedy_for(first.kind), first.name,
      refused.size() == 1
          ? ""
          : fmt::format(" (and {} finding{} more)", refused.size() - 1, refused.size() == 2 ? "" : "s"));
}

}  // namespace

void refuse_what_is_odd(model::Baseline& baseline, std::vector<Finding> findings, AcceptOptions const& options) {
  model::Acceptance& acceptance = baseline.accepted.back();
  for (Finding& finding : audit(baseline, *options.audit)) {
    findings.push_back(std::move(finding));
  }
  std::vector<Finding> refused;
  for (Finding& finding : findings) {
    if (!concerns(finding, acceptance.sessions)) {
      continue;
    }
    std::string why = options.despite ? options.despite(finding) : "";
    if (why.empty()) {
      refused.push_back(std::move(finding));
    } else {
      acceptance.despite.push_back({.finding = finding.name, .text = finding.text, .why = std::move(why)});
    }
  }
  if (!refused.empty()) {
    std::map<std::string, std::string> origins;
    for (model::BaselineSession const& session : baseline.sessions) {
      origins[session.id] = session.run_session;
    }
    throw Refused(refusal_text(baseline, refused), refused, std::move(origins));
  }
}

}  // namespace perfcheck::store
