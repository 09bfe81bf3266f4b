// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck audit: times each case with its worker and with a judge, and compares the two.
#pragma once

#include "perfcheck/console/context.h"
#include "perfcheck/measuring/options.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/sealed.h"
#include "perfcheck/protocol/messages.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::auditing {

/// The outcome for one case.
enum class Finding {
  agrees,     ///< the judge supports the worker's time
  objection,  ///< the judge does not support it
  no_time,    ///< the worker has no time that the judge could support
  unfit       ///< the machine was not fit to measure it
};
std::string_view to_text(Finding finding);
/// All texts, in the order of the enum.
std::vector<std::string> finding_texts();

struct AuditedCase {
  model::CaseResult ordinary;
  std::optional<model::SealedResult> sealed;  ///< absent if the worker has no time to compare with
  std::string objection;

  Finding finding() const;
};

struct Audit {
  model::Run run;  ///< of the worker
  std::string judge;
  std::vector<AuditedCase> cases;  ///< sorted by id
  std::vector<protocol::PlannedCase> skipped;

  /// `broken` if a case has an objection or no time, or if there is no case; `undecided` if the machine was unfit.
  model::ExitCode exit_code() const;
};

/// Measures and judges. Throws UsageError and CommandError like judge_for(), and session::Interrupted.
Audit make_audit(measuring::Options options, Context& context);

/// The report for a person.
std::string audit_text(Audit const& audit, Detail detail);
/// perfcheck.audit/1: docs/schemas/audit.schema.json.
std::string audit_json(Audit const& audit);

}  // namespace perfcheck::auditing
