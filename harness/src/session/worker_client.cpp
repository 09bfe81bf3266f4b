// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/session/worker_client.h"

#include "worker_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace perfcheck::session {
namespace {

/// A worker that has closed its output is about to exit; the system may take a moment, longer after a core dump.
constexpr double kExitPatience = 1.0;

/// "verifying gemm/simt/naive@f32,..."
std::string doing_phase(std::string const& phase, std::string const& case_id) {
  if (phase == "verify") return "verifying " + case_id;
  if (phase == "warm_up") return "warming up " + case_id;
  if (phase == "measure") return "measuring " + case_id;
  return fmt::format("in phase \"{}\" of {}", beginning(phase, kQuoteBytes), case_id);
}

constexpr char const* kStarting = "starting";

}  // namespace

WorkerClient::WorkerClient(WorkerCommand const& command, Interrupt const* interrupt)
    : origin_(command.argv.empty() ? "" : std::filesystem::path(command.argv.front()).filename().string()),
      stop_timeout_s_(command.stop_timeout_s),
      process_(std::make_unique<ChildProcess>(command.argv, interrupt, command.trust)) {
  if (command.takes_orphans) process_->take_orphans_along();
  std::string const doing = kStarting;
  protocol::HelloRequest const request{.client = "perfcheck", .device = command.device};
  Deadline const deadline = deadline_after(command.start_timeout_s);
  hello_ = ask<protocol::HelloAnswer>(request, "hello", deadline, doing);
  check(protocol::hello_breach(request, hello_));
}

template <typename Answer>
Answer WorkerClient::ask(protocol::Request const& request, char const* type, Deadline deadline,
                         std::string const& doing) {
  send(request, deadline, doing);
  protocol::Answer answer = next_answer(deadline, doing);
  auto* const wanted = std::get_if<Answer>(&answer);
  if (wanted == nullptr) {
    lost(WorkerLost::How::protocol, fmt::format("broke the protocol: it did not answer {} with {}", type, type));
  }
  return std::move(*wanted);
}

void WorkerClient::check(protocol::Breach const& breach) {
  if (breach) lost(WorkerLost::How::protocol, "broke the protocol: " + beginning(*breach));
}

protocol::PlanAnswer WorkerClient::plan(std::vector<std::string> const& problems, double timeout_s) {
  auto plan = ask<protocol::PlanAnswer>(protocol::PlanRequest{.problems = problems}, "plan", deadline_after(timeout_s),
                                        "planning");
  check(protocol::plan_breach(plan));
  return plan;
}

protocol::LaunchesAnswer WorkerClient::launches(std::string const& case_id, double timeout_s) {
  protocol::LaunchesRequest const request{.case_id = case_id};
  auto answer = ask<protocol::LaunchesAnswer>(request, "launches", deadline_after(timeout_s),
                                              "telling the launches of " + case_id);
  check(protocol::launches_breach(request, answer));
  return answer;
}

protocol::ResultAnswer WorkerClient::measure(protocol::MeasureRequest const& request, double timeout_s,
                                             std::function<void(protocol::ProgressAnswer const&)> const& progress) {
  std::string doing = "starting on " + request.case_id;
  Deadline const deadline = deadline_after(timeout_s);
  send(request, deadline, doing);
  while (true) {
    protocol::Answer answer = next_answer(deadline, doing);
    if (auto const* const sign = std::get_if<protocol::ProgressAnswer>(&answer)) {
      if (sign->case_id != request.case_id) {
        lost(WorkerLost::How::protocol,
             fmt::format("broke the protocol while {}: it reports progress of {}", doing, beginning(sign->case_id)));
      }
      doing = doing_phase(sign->phase, request.case_id);
      if (progress) progress(*sign);
    } else if (auto* const result = std::get_if<protocol::ResultAnswer>(&answer)) {
      if (protocol::Breach const breach = protocol::result_breach(request, result->result)) {
        lost(WorkerLost::How::protocol, fmt::format("broke the protocol while {}: {}", doing, beginning(*breach)));
      }
      return std::move(*result);
    } else {
      lost(WorkerLost::How::protocol,
           fmt::format("broke the protocol while {}: it did not answer measure with progress or result", doing));
    }
  }
}

void WorkerClient::close() {
  Deadline const deadline = deadline_after(stop_timeout_s_);
  (void)process_->write_line(protocol::encode(protocol::ByeRequest{}), deadline);
  process_->close_input();
  (void)process_->wait_or_kill(deadline);
}

void WorkerClient::send(protocol::Request const& request, Deadline deadline, std::string const& doing) {
  std::string const line = protocol::encode(request);
  std::string unasked;
  switch (process_->read_line(unasked, Deadline{})) {
    case ReadOutcome::deadline: break;
    case ReadOutcome::end_of_file: ended(doing, unasked);
    case ReadOutcome::line:
    case ReadOutcome::too_long:
      lost(WorkerLost::How::protocol, fmt::format("broke the protocol before {}: it spoke without being asked: {}",
                                                  doing, beginning(unasked, kQuoteBytes)));
  }
  if (process_->write_line(line, deadline)) return;
  std::string rest;
  if (process_->read_line(rest, deadline) == ReadOutcome::end_of_file) ended(doing, rest);
  lost(WorkerLost::How::timed_out, fmt::format("did not read its request while {} and was killed", doing));
}

protocol::Answer WorkerClient::next_answer(Deadline deadline, std::string const& doing) {
  std::string line;
  ReadOutcome outcome = process_->read_line(line, deadline);
  // Lines that are already here must not keep a worker that writes without end alive beyond its deadline.
  if (outcome == ReadOutcome::line && std::chrono::steady_clock::now() >= deadline) outcome = ReadOutcome::deadline;
  switch (outcome) {
    case ReadOutcome::line: break;
    case ReadOutcome::end_of_file: ended(doing, line);
    case ReadOutcome::deadline:
      lost(WorkerLost::How::timed_out, fmt::format("exceeded its time limit while {} and was killed{}", doing,
                                                   doing == kStarting ? "; --start-timeout gives more" : ""));
    case ReadOutcome::too_long:
      lost(WorkerLost::How::protocol,
           fmt::format("broke the protocol while {}: a line of more than {} bytes", doing, protocol::kMaxLineBytes));
  }
  try {
    protocol::Answer answer = protocol::decode_answer(line, origin_);
    if (auto const* const error = std::get_if<protocol::ErrorAnswer>(&answer)) {
      throw WorkerRefused(beginning(error->code, kQuoteBytes), beginning(error->message));
    }
    return answer;
  } catch (protocol::VersionError const& error) {
    throw WorkerRefused("protocol", beginning(error.what()));
  } catch (model::FormatError const& error) {
    lost(WorkerLost::How::protocol, fmt::format("broke the protocol while {}: {}; it said: {}", doing,
                                                beginning(error.what()), beginning(line, kQuoteBytes)));
  }
}

void WorkerClient::ended(std::string const& doing, std::string const& unfinished_line) {
  std::optional<ExitState> const exit = process_->wait(deadline_after(kExitPatience));
  std::string const half =
      unfinished_line.empty() ? "" : "; it left half a line: " + beginning(unfinished_line, kQuoteBytes);
  if (!exit) {
    lost(WorkerLost::How::protocol, fmt::format("closed its output without exiting while {}{}", doing, half));
  }
  lost(WorkerLost::How::crashed, fmt::format("died: {} while {}{}", exit->describe(), doing, half));
}

void WorkerClient::lost(WorkerLost::How how, std::string const& what) {
  (void)process_->kill();
  std::string const words = ending(process_->error_tail());
  throw WorkerLost(how, "worker " + what + (words.empty() ? "" : "; last words: " + words));
}

}  // namespace perfcheck::session
