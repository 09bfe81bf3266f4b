// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "outcome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace perfcheck::gate {
namespace {

using model::CaseStatus;
using model::Verdict;

struct Failure {
  CaseStatus status;
  Verdict verdict;
};

// The most telling first: one wrong result outranks any number of good sessions.
constexpr std::array<Failure, 6> kFailures = {{{CaseStatus::incorrect, Verdict::incorrect},
                                               {CaseStatus::implausible, Verdict::implausible},
                                               {CaseStatus::invalid, Verdict::invalid},
                                               {CaseStatus::crashed, Verdict::crashed},
                                               {CaseStatus::timed_out, Verdict::timed_out},
                                               {CaseStatus::failed, Verdict::failed}}};

std::vector<model::CaseResult const*> all_results(Observation const& seen) {
  std::vector<model::CaseResult const*> results = seen.screen;
  results.insert(results.end(), seen.confirm.begin(), seen.confirm.end());
  return results;
}

model::CaseResult const* first_with(std::vector<model::CaseResult const*> const& results, CaseStatus status) {
  for (model::CaseResult const* result : results) {
    if (result->status == status) {
      return result;
    }
  }
  return nullptr;
}

std::string message_of(model::CaseResult const& result) {
  return result.message.empty() ? "the worker gave no message" : result.message;
}

CaseDecision missing(std::string const& id, model::BaselineCase const* stored) {
  if (stored == nullptr) {
    return verdict_of(id, Verdict::missing, "planned_but_not_run", "it was planned but brought no result");
  }
  return verdict_of(
      id, Verdict::missing, "in_baseline_but_not_run",
      fmt::format(
          "the baseline holds {} sessions of it, but it did not run; if it was renamed or removed on purpose, say "
          "so in perfcheck.toml ([renamed], [retired]), or: perfcheck baseline accept --drop",
          stored->session.size()));
}

CaseDecision unfit(std::string const& id, Observation const& seen) {
  return verdict_of(
      id, Verdict::incomparable, kUnfitCode,
      fmt::format("the machine was not fit to measure it ({}); check again when it is", fmt::join(seen.unfit, "; ")));
}

CaseDecision skipped(std::string const& id, model::CaseResult const& result, model::BaselineCase const* stored) {
  if (stored == nullptr) {
    std::string const code = result.skip_reason ? std::string(model::to_text(*result.skip_reason)) : "skipped";
    return verdict_of(id, Verdict::skipped, code, message_of(result));
  }
  return verdict_of(id, Verdict::missing, "in_baseline_but_skipped",
                    fmt::format("the baseline holds {} sessions of it, but now it is skipped: {}",
                                stored->session.size(), message_of(result)));
}

}  // namespace

CaseDecision verdict_of(std::string id, Verdict verdict, std::string code, std::string reason) {
  CaseDecision decision;
  decision.id = std::move(id);
  decision.verdict = verdict;
  decision.reason_code = std::move(code);
  decision.reason = std::move(reason);
  return decision;
}

std::optional<CaseDecision> outcome_without_numbers(std::string const& id, Observation const* seen,
                                                    model::BaselineCase const* stored, bool any_baseline) {
  std::vector<model::CaseResult const*> const results =
      seen == nullptr ? std::vector<model::CaseResult const*>{} : all_results(*seen);
  if (results.empty()) {
    return seen != nullptr && !seen->unfit.empty() ? unfit(id, *seen) : missing(id, stored);
  }
  for (Failure const& failure : kFailures) {
    if (model::CaseResult const* result = first_with(results, failure.status)) {
      return verdict_of(id, failure.verdict, std::string(model::to_text(failure.status)), message_of(*result));
    }
  }
  if (model::CaseResult const* result = first_with(results, CaseStatus::skipped)) {
    if (first_with(results, CaseStatus::measured) != nullptr) {
      return verdict_of(id, Verdict::invalid, "mixed_statuses", "some sessions measured it and some skipped it");
    }
    return skipped(id, *result, stored);
  }
  for (model::CaseResult const* result : results) {
    if (result->proof && result->proof->compared == 0) {
      return verdict_of(id, Verdict::invalid, "nothing_compared",
                        "of the outputs of timed launches none was compared, so nothing says that the work was done");
    }
    std::string why;
    if (!model::summarize(*result, &why)) {
      return verdict_of(id, Verdict::invalid, "unusable_numbers", std::move(why));
    }
  }
  if (stored == nullptr) {
    return verdict_of(
        id, Verdict::no_baseline, any_baseline ? "new_case" : "no_baseline_on_this_device",
        "never accepted on this device; record it with: perfcheck check --record-missing-baseline, or accept runs "
        "with: perfcheck baseline accept");
  }
  return std::nullopt;
}

}  // namespace perfcheck::gate
