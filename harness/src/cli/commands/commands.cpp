// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.h"

namespace perfcheck::cli {

void add_list(CommandLine& line);
void add_doctor(CommandLine& line);
void add_run(CommandLine& line);
void add_check(CommandLine& line);
void add_audit(CommandLine& line);
void add_compare(CommandLine& line);
void add_merge(CommandLine& line);
void add_ab(CommandLine& line);
void add_calibrate(CommandLine& line);
void add_tune(CommandLine& line);
void add_baseline(CommandLine& line);
void add_history(CommandLine& line);
void add_report(CommandLine& line);

void add_commands(CommandLine& line) {
  for (auto* const add : {add_list, add_doctor, add_run, add_check, add_audit, add_compare, add_merge, add_ab,
                          add_calibrate, add_tune, add_baseline, add_history, add_report}) {
    add(line);
  }
}

}  // namespace perfcheck::cli
