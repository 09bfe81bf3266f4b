// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/sealed_objection.h"

#include "belief.h"
#include "perfcheck/model/median.h"
#include "worker_text.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

namespace perfcheck::session {
namespace {

using model::SealedStatus;
using model::SessionSummary;

/// The objection if the judge gave no times.
std::string objection_without_times(model::SealedResult const& sealed) {
  std::string const message = beginning(sealed.message);
  if (sealed.status == SealedStatus::refused) {
    return fmt::format(
        "the judge refused it: {}; without a sealed time nothing supports the worker's: mend what is named, leave the "
        "case out with --filter, or ask for no sealed time of it (--sealed)",
        message);
  }
  return fmt::format("timed sealed it is {}: {}", to_text(sealed.status), message);
}

std::string told(SessionSummary const& summary, char const* of) {
  std::string const time = fmt::format("{:.2f} us", summary.time_ns / 1000);
  return summary.ratio ? fmt::format("{} ({:.3f}{})", time, *summary.ratio, of) : time;
}

/// Written so that NaN counts as no support.
bool time_supports(double sealed_ns, SessionSummary const& ordinary) {
  return sealed_ns <= kSealedTimeShare * ordinary.time_ns + kSealedTimeSlackNs;
}

bool supports(SessionSummary const& sealed, SessionSummary const& ordinary) {
  if (!time_supports(sealed.time_ns, ordinary)) return false;
  if (!ordinary.ratio) return true;
  // The judge's own time of the reference, because the worker's is in question.
  double const allowed = kSealedRatioShare + kSealedRatioSlackNs / sealed.reference_time_ns;
  return sealed.ratio && *sealed.ratio <= *ordinary.ratio * allowed;
}

}  // namespace

std::optional<SessionSummary> summary_of(model::SealedResult const& sealed, std::string* why) {
  // Summaries are made of a case's result, so this builds one.
  model::CaseResult result;
  result.id = sealed.id;
  result.reference = sealed.reference.empty() ? sealed.id : sealed.reference;
  result.status = sealed.status == SealedStatus::timed ? model::CaseStatus::measured : model::CaseStatus::failed;
  result.rounds = model::Rounds{.launches = sealed.launches,
                                .reference_launches = sealed.reference_launches,
                                .time_ns = sealed.time_ns,
                                .reference_time_ns = sealed.reference_time_ns,
                                .clock_mhz = {},
                                .reference_clock_mhz = {}};
  return model::summarize(result, why);
}

std::string objection_of(model::CaseResult const& ordinary, model::SealedResult const& sealed) {
  if (sealed.status != SealedStatus::timed) return objection_without_times(sealed);
  if (sealed.id != ordinary.id) return fmt::format("the judge timed another case, {}", beginning(sealed.id));
  std::string why;
  std::optional<SessionSummary> const worker = model::summarize(ordinary, &why);
  if (!worker) return fmt::format("there is no ordinary time to compare with: {}", why);
  std::optional<SessionSummary> const judge = summary_of(sealed, &why);
  if (!judge) return fmt::format("the judge's numbers cannot be used: {}", why);
  if (worker->ratio && sealed.reference != ordinary.reference) {
    return fmt::format("the judge timed it beside {}, the worker beside {}: their ratios cannot be compared",
                       sealed.reference.empty() ? "no reference" : beginning(sealed.reference), ordinary.reference);
  }
  // With its inputs in the cache a launch takes no longer, except to write back what is still in there.
  double const warm = model::median(sealed.warm_time_ns).value_or(std::numeric_limits<double>::quiet_NaN());
  if (!sealed.warm_time_ns.empty() && !time_supports(warm - sealed.write_back_ns, *worker)) {
    return fmt::format(
        "timed sealed, a launch takes {:.2f} us with its inputs in the cache, the worker's own timing says {}: what "
        "the "
        "worker measured is not what the kernel takes",
        warm / 1000, told(*worker, ""));
  }
  if (supports(*judge, *worker)) return {};
  return fmt::format(
      "timed sealed, a launch takes {}, the worker's own timing says {}: what the worker measured is not what the "
      "kernel takes",
      told(*judge, " of its reference"), told(*worker, ""));
}

bool may_be_a_disturbance(model::SealedResult const& sealed) {
  return sealed.status == SealedStatus::timed || sealed.status == SealedStatus::invalid;
}

void uphold(std::string const& objection, model::CaseResult& ordinary) {
  withhold(ordinary, model::CaseStatus::invalid, "sealed timing: " + objection);
}

}  // namespace perfcheck::session
