// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Commands that measure again what failed.
#pragma once

#include "command_line/options.h"
#include "perfcheck/report/check_result.h"

namespace perfcheck::cli {

/// Text as one word of a shell command: quoted when it needs to be.
std::string shell_quoted(std::string const& text);

/// One command for each kernel that has failed cases, with the options of this run that matter to them: by the case's
/// name if there is only one, else with all cases of the kernel. `command` is the one that measures, "check"; empty for
/// results that nothing can be measured again for.
std::vector<report::Repro> repros_of(std::vector<report::CaseRow> const& rows, std::string const& command,
                                     Options const& options);

/// For a person, ending with a newline; empty when there is none.
std::string text_of(std::vector<report::Repro> const& repros);

}  // namespace perfcheck::cli
