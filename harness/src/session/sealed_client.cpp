// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/sealed_client.h"

#include "perfcheck/model/json.h"
#include "perfcheck/protocol/messages.h"
#include "perfcheck/session/child_process.h"
#include "worker_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace perfcheck::session {
namespace {

/// A judge that has closed its output is about to exit, but has its device context to release first.
constexpr double kExitPatience = 10.0;

/// Why there is no result; what() goes into the message of a failed one.
class NoResult : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the one line that must be all of the judge's output.
std::string only_line(ChildProcess& judge, double timeout_s) {
  Deadline const deadline = deadline_after(timeout_s);
  std::string line, rest;
  ReadOutcome outcome = judge.read_line(line, deadline);
  bool const has_line = outcome == ReadOutcome::line;
  if (has_line) outcome = judge.read_line(rest, deadline);
  switch (outcome) {
    case ReadOutcome::deadline:
      throw NoResult(fmt::format("exceeded its time limit of {} s and was killed", timeout_s));
    case ReadOutcome::too_long:
      throw NoResult(fmt::format("printed a line of more than {} bytes", protocol::kMaxLineBytes));
    case ReadOutcome::line: throw NoResult("printed more than one line: " + beginning(rest, kQuoteBytes));
    case ReadOutcome::end_of_file: break;
  }
  std::optional<ExitState> const exit = judge.wait(deadline_after(kExitPatience));
  if (!exit) throw NoResult("closed its output without exiting and was killed");
  if (exit->signalled || exit->code != 0) throw NoResult("died: " + exit->describe());
  if (!has_line) throw NoResult(line.empty() ? "printed no line" : "left half a line: " + beginning(line, kQuoteBytes));
  if (!rest.empty()) throw NoResult("printed more than one line: " + beginning(rest, kQuoteBytes));
  return line;
}

model::SealedResult result_in(std::string const& line, std::string const& case_id) {
  try {
    model::SealedResult result = model::parse_sealed(line, "its line");
    if (result.id != case_id) throw NoResult("answered about another case: " + beginning(result.id, kQuoteBytes));
    return result;
  } catch (model::FormatError const& error) {
    throw NoResult(fmt::format("printed what it should not: {}; it said: {}", beginning(error.what()),
                               beginning(line, kQuoteBytes)));
  }
}

model::SealedResult failed(std::string const& case_id, std::string message) {
  model::SealedResult result;
  result.id = case_id;
  result.status = model::SealedStatus::failed;
  result.message = std::move(message);
  return result;
}

}  // namespace

model::SealedResult time_sealed(SealedCommand const& command, std::string const& case_id, double timeout_s,
                                Interrupt const* interrupt) {
  std::string const name = std::filesystem::path(command.judge).filename().string();
  try {
    ChildProcess judge({command.judge, "--program", command.program, "--case", case_id, "--device",
                        std::to_string(command.device), "--batches", std::to_string(command.batches)},
                       interrupt);
    judge.take_orphans_along();
    judge.close_input();
    try {
      return result_in(only_line(judge, timeout_s), case_id);
    } catch (NoResult const& why) {
      (void)judge.kill();
      std::string const words = ending(judge.error_tail());
      return failed(case_id,
                    fmt::format("judge {} {}{}", name, why.what(), words.empty() ? "" : "; last words: " + words));
    }
  } catch (std::system_error const& error) {
    return failed(case_id,
                  fmt::format("judge {} cannot be started: {}; build it, or give the path of an executable file",
                              command.judge, error.code().message()));
  }
}

}  // namespace perfcheck::session
