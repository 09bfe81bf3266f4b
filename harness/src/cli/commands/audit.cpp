// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck audit: what stands behind each kernel's time, and a judge's time beside it.
#include "perfcheck/auditing/audit.h"
#include "commands/commands.h"

namespace perfcheck::cli {

model::ExitCode command_audit(Options const& options, Context& context) {
  Audit const audit = make_audit(options, context);
  context.terminal.print(options.output == Output::json ? audit_json(audit) : audit_text(audit, options.detail));
  return audit.exit_code();
}

}  // namespace perfcheck::cli
