// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/without_base.h"

#include "perfcheck/results/undecided.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

namespace perfcheck::results {
namespace {

/// What the base build's sessions say about cases without times.
class BaseResults {
 public:
  explicit BaseResults(std::vector<model::Session> const& sessions) {
    for (model::Session const& session : sessions) {
      for (model::CaseResult const& result : session.cases) {
        kernels_.insert(model::split_case_id(result.id).kernel);
        if (may_be_chance(result.status)) {
          broken_.try_emplace(result.id, &result);
        }
      }
    }
  }

  bool has_kernel_of(std::string const& case_id) const {
    return kernels_.contains(model::split_case_id(case_id).kernel);
  }
  model::CaseResult const* broken(std::string const& case_id) const {
    auto const found = broken_.find(case_id);
    return found == broken_.end() ? nullptr : found->second;
  }

 private:
  /// Excludes what is a property of the base: it does not offer the case, or its results are wrong.
  static bool may_be_chance(model::CaseStatus status) {
    return status != model::CaseStatus::measured && status != model::CaseStatus::skipped &&
           status != model::CaseStatus::incorrect;
  }

  std::set<std::string> kernels_;
  std::map<std::string, model::CaseResult const*> broken_;
};

constexpr char const* kRemedy =
    "measure again; where the base cannot run it, choose another one, or compare with the stored baseline (perfcheck "
    "check without a base)";

}  // namespace

void tell_without_base(gate::Decisions& decisions, std::vector<model::Session> const& base,
                       model::Baseline const* accepted, gate::Policy const& policy) {
  BaseResults const results(base);
  for (gate::CaseDecision& decision : decisions.cases) {
    if (decision.verdict != model::Verdict::no_baseline) {
      continue;
    }
    std::string const behind =
        decision.behind ? fmt::format("; {:+.2f} % against the accepted baseline", 100 * *decision.behind) : "";
    bool const stored = accepted != nullptr && accepted->cases.contains(decision.id);
    if (model::CaseResult const* const broken = results.broken(decision.id)) {
      decision.reason_code = "base_not_measured";
      decision.reason =
          fmt::format("the base build could not measure it ({}{}{}){}: {}", model::to_text(broken->status),
                      broken->message.empty() ? "" : ": ", broken->message, behind, kRemedy);
    } else if (stored && (decision.behind || results.has_kernel_of(decision.id))) {
      decision.reason_code = "base_without_result";
      decision.reason =
          fmt::format("the accepted baseline holds it, and the base build has no time of it{}: {}", behind, kRemedy);
    } else {
      decision.reason = "the base build has no such case" + behind;
      continue;
    }
    decision.verdict = model::Verdict::inconclusive;
    worsen(decisions, decision.verdict, policy);
  }
}

}  // namespace perfcheck::results
