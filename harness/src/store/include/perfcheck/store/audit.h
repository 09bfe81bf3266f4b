// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds what is odd about the sessions of a baseline. docs/how-the-gate-decides.md, "What may become a baseline",
// explains it to people whose runs were refused.
#pragma once

#include "perfcheck/model/baseline.h"

#include <string>
#include <vector>

namespace perfcheck::store {

/// How much sessions may differ if nothing is wrong; the gate's policy has the same numbers.
struct AuditPolicy {
  double min_sd = 0.0005;         ///< between sessions of one card, at least
  double ratio_card_sd = 0.007;   ///< between cards of one model, at least
  double cycles_card_sd = 0.005;  ///< likewise, also of times
  bool shared_device = false;     ///< others use the device, too: far larger differences are usual
  int min_sessions = 3;           ///< a case with fewer decides nothing
};

enum class FindingKind {
  outlier,       ///< a session is off in a case
  session,       ///< a session is off in many of its cases
  level,         ///< sessions agree with each other, but not with those accepted before, or those of other cards
  duplicate,     ///< a session holds the numbers of another one
  mixed_code,    ///< sessions of different machine code or launches
  scattered,     ///< a remark: cases whose sessions differ so much that the gate sees little
  few_sessions,  ///< a remark: cases that decide nothing yet
  other_timing,  ///< a remark: sessions that were timed in another way than the newest
};

/// Stable, for machines: "outlier", "mixed_code", ...
std::string to_text(FindingKind kind);

struct Finding {
  FindingKind kind = FindingKind::outlier;
  std::vector<std::string> sessions;  ///< their ids in the baseline; empty where it is about cases alone
  std::vector<std::string> cases;     ///< sorted
  /// Stable, for machines and for --despite: "outlier:RUN/SESSION:CASE", "session:RUN/SESSION".
  std::string name;
  std::string text;  ///< one line for a person
};

/// Everything that is odd, the gravest kind first. A pure function of what the file holds.
std::vector<Finding> audit(model::Baseline const& baseline, AuditPolicy const& policy);

/// The reason that somebody gave for accepting a finding; empty if nobody did.
std::string accepted_despite(model::Baseline const& baseline, Finding const& finding);

}  // namespace perfcheck::store
