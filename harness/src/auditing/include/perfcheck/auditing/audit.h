// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck audit: each case by its worker and by a judge, side by side.
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

/// What came of one case.
enum class Finding {
  agrees,     ///< the judge supports the worker's time
  objection,  ///< it does not
  no_time,    ///< the worker has no time that could be supported
  unfit       ///< the machine was not fit to measure it
};
std::string_view to_text(Finding finding);
/// All texts, in the order of the enum.
std::vector<std::string> finding_texts();

struct AuditedCase {
  model::CaseResult ordinary;
  std::optional<model::SealedResult> sealed;  ///< absent where there is no time to hold it against
  std::string objection;

  Finding finding() const;
};

struct Audit {
  model::Run run;  ///< of the worker
  std::string judge;
  std::vector<AuditedCase> cases;  ///< sorted by id
  std::vector<protocol::PlannedCase> skipped;

  /// broken for an objection, a case without a time, or no case at all; undecided for an unfit machine.
  model::ExitCode exit_code() const;
};

/// Measures. Throws UsageError and CommandError as judge_for(), session::Interrupted.
Audit make_audit(measuring::Options options, Context& context);

/// The report for a person.
std::string audit_text(Audit const& audit, Detail detail);
/// perfcheck.audit/1: docs/schemas/audit.schema.json.
std::string audit_json(Audit const& audit);

}  // namespace perfcheck::auditing
