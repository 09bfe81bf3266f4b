// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// perfcheck doctor: what this machine is, and what on it will disturb measurements.
#include "perfcheck/measuring/doctor.h"
#include "command_line/command_line.h"
#include "command_line/option_groups.h"
#include "perfcheck/model/json_members.h"

#include <nlohmann/json.hpp>

namespace perfcheck::cli {
namespace {

struct DoctorOptions {
  measuring::Options measuring;
  enum class Question { examine, require_fit } question = Question::examine;
};

model::ExitCode run_doctor(DoctorOptions const& options, Context& context) {
  measuring::Examination const found = measuring::examine(options.measuring, context);
  context.terminal.print(context.output == Output::json ? model::document_text(measuring::examination_json(found))
                                                        : measuring::examination_text(found));
  bool const warned = options.question == DoctorOptions::Question::examine && !found.warnings.empty();
  return found.unfit.empty() && !warned ? model::ExitCode::ok : model::ExitCode::undecided;
}

}  // namespace

void add_doctor(CommandLine& line) {
  auto [sub, options] =
      line.add("doctor", "What on this machine will disturb measurements, and how to fix it", run_doctor);
  add_worker(sub, options.measuring);
  add_flag(sub, "--fit", options.question, DoctorOptions::Question::require_fit,
           "only ask whether the machine can be measured on: 0 it can, 3 it cannot; warnings do not count");
  add_retry(sub, options.measuring, "wait this long for it to become fit (default 0)");
}

}  // namespace perfcheck::cli
