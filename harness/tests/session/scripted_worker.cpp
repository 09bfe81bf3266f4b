// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A worker for tests: speaks the protocol correctly, with made-up times, and misbehaves where it is told to.
// It measures nothing, and waits only if its made-up launches take more than a few milliseconds. So a whole check takes
// hardly any time and gives the same numbers every time.
//
// What it is
//   --name NAME, --backend NAME, --operation NAME, --device-name NAME, --device-uuid UUID
//                         as in its hello; default: backend cpu, operation gemm, device "Scripted Device" (slug
//                         scripted-device)
//   --also OPERATION      one more operation, with kernels OPERATION/reference and OPERATION/a (repeatable)
//   --axes                tells m, n and k of problems as axes
//   --devices N           number of devices (default 1), with indices from 0; for others it answers error no_device
//   --kernels A,B,...     kernels (default fake/reference,fake/a,fake/b); each is planned for every problem text
//   --reference KERNEL    default fake/reference; a name that is not among the kernels makes every case its own control
//   --unavailable GLOB=REASON   kernels the device cannot run        (repeatable)
//   --refuse GLOB=REASON        cases the kernel refuses             (repeatable; the glob is of the case id)
//   --reject GLOB               problem texts it cannot read         (repeatable)
//
// Times: each kernel has a fixed share of the reference's rate; m, n and k are read from texts such as
// f32,nn,m512n512k512. Every draw depends only on the request's seed, the case id and the session number.
//   --slow GLOB=FACTOR    multiplies time and cycles of matching cases (repeatable, the last match counts):
//                         --slow 'fake/a@*=1.03' is a regression of 3 %
//   --renamed KERNEL=OLD  the kernel is as fast as the one of that name: it is that one, renamed (repeatable)
//   --noise SHARE         standard deviation from round to round (default 0.002)
//   --session-noise SHARE standard deviation of a case from process to process; moves ratio and cycles (default 0.0005)
//   --drift SHARE         standard deviation of the clock from process to process; moves times, not ratio or cycles
//   --sessions FILE       counts the processes that name this FILE, so that sessions with equal seeds differ
//   --no-clock            no clock columns
//   --code FILE           tells launches. Each line of FILE, GLOB=HASH, is the machine code of matching cases (the last
//                         match counts; "none": it cannot tell); other cases have the same. A file, so that the code
//                         can change while the command stays
//   --skips-verification  says that it can; then cases that are verified already have one check instead of all
// A request's inject_percent lengthens the case's times, verify_only is honoured.
//
// What it does wrong
//   --fault STEP=ACTION   repeatable. Faults at the same step happen in the order given.
//     STEP    hello, plan, bye, or, of a case: before:GLOB (the request was read), during:GLOB (progress was sent),
//             result:GLOB (in place of the result, or before it), after:GLOB (the result was sent),
//             launches:GLOB (before it tells the launches)
//     ACTION  abort, segv, exit:CODE         dies
//             hang                           waits for ever
//             grandchild                     leaves a process that holds the pipes and exits with 3
//             close-output                   closes standard output and waits for ever
//             half-line                      writes half a line and exits with 0
//             flood-output, flood-errors, flood-progress    writes for ever (output: without a newline)
//             long-line                      one line over the limit, then goes on
//             burst-errors                   2 MiB of standard error, then goes on
//             say:TEXT                       a line with that text, then goes on;  garbage: a line of binary bytes
//           in place of the answer at hello, plan and result:
//             patch:JSON                     the honest answer after that JSON Patch (RFC 6902); values "NaN" are
//                                            written as a bare NaN
//             error:CODE                     an error answer
//             incorrect, implausible, invalid, failed
//                                            (result) such a result;  context-lost: a crashed one, then exits with 3
//   --faults-in first:FILE   only the first process that names this FILE has faults; second:FILE: only the second one;
//                            third:FILE: only the third one; later:FILE: all but the first
//   --ignore-sigterm
//   --delay-ms N          sleeps this long in every case
//   --pid-file FILE       appends its process id, and that of a grandchild, one per line
//
// Without arguments it takes them from PERFCHECK_SCRIPTED_WORKER_ARGUMENTS, one per line: sealed timing starts a worker
// without arguments.
#include "fake_measurement.h"
#include "misbehaviour.h"
#include "perfcheck/model/json.h"
#include "script.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <string>
#include <thread>

namespace perfcheck::scripted {
namespace {

constexpr int kExitUsage = 64, kExitContextLost = 3;

bool is_about_an_answer(Fault const& fault) {
  return fault.action == "patch" || fault.action == "error" || fault.action == "incorrect" ||
         fault.action == "implausible" || fault.action == "invalid" || fault.action == "failed" ||
         fault.action == "context-lost";
}

class Worker {
 public:
  explicit Worker(Script script) : script_(std::move(script)) {}

  void handle(protocol::HelloRequest const& request) {
    if (request.device >= script_.devices) {
      send(protocol::ErrorAnswer{"no_device", "there is no device " + std::to_string(request.device)});
      return;
    }
    if (request.device > 0) script_.device_uuid += "-" + std::to_string(request.device);
    script_.device_index = request.device;
    reach("hello", "");
    answer("hello", "", hello_answer(script_));
  }

  void handle(protocol::PlanRequest const& request) {
    reach("plan", "");
    answer("plan", "", plan_answer(script_, request));
  }

  void handle(protocol::MeasureRequest const& request) {
    std::string const& id = request.case_id;
    reach("before", id);
    std::optional<protocol::ResultAnswer> result = result_answer(script_, request);
    if (!result) {
      send(protocol::ErrorAnswer{"unknown_case", "there is no case " + id});
      return;
    }
    send(protocol::ProgressAnswer{id, "verify"});
    if (!request.options.verify_only) send(protocol::ProgressAnswer{id, "measure"});
    reach("during", id);
    std::this_thread::sleep_for(std::chrono::milliseconds(script_.delay_ms));
    wait_as_told(result->result);
    reach("result", id);
    answer("result", id, std::move(*result));
    reach("after", id);
  }

  void handle(protocol::LaunchesRequest const& request) {
    reach("launches", request.case_id);
    send(launches_answer(script_, request));
  }

  void handle(protocol::ByeRequest const& /*request*/) {
    reach("bye", "");
    ::_exit(0);
  }

 private:
  /// Waits as long as the made-up launches take: perfcheck compares the times with its own clock.
  static void wait_as_told(model::CaseResult const& result) {
    constexpr double kAtOnce = 0.005;
    double const told = result.rounds ? told_seconds(*result.rounds) : 0;
    if (told > kAtOnce) std::this_thread::sleep_for(std::chrono::duration<double>(told));
  }

  bool applies(Fault const& fault, std::string const& step, std::string const& case_id) const {
    return fault.step == step && (case_id.empty() || glob_matches(fault.glob, case_id));
  }

  void reach(std::string const& step, std::string const& case_id) {
    for (Fault const& fault : script_.faults) {
      if (applies(fault, step, case_id) && !is_about_an_answer(fault)) misbehave(script_, fault, case_id);
    }
  }

  void answer(std::string const& step, std::string const& case_id, protocol::Answer honest) {
    for (Fault const& fault : script_.faults) {
      if (!applies(fault, step, case_id) || !is_about_an_answer(fault)) continue;
      say(changed_line(fault, std::move(honest)));
      if (fault.action == "context-lost") ::_exit(kExitContextLost);
      return;
    }
    send(honest);
  }

  static void send(protocol::Answer const& answer) { say(protocol::encode(answer)); }

  Script script_;
};

int serve(int argc, char** argv) {
  Script script = parse_script(argc, argv);
  rlimit const none{};
  (void)::setrlimit(RLIMIT_CORE, &none);  // no core files from deaths on purpose
  if (script.ignore_sigterm) (void)std::signal(SIGTERM, SIG_IGN);
  note_pid(script);
  Worker worker(std::move(script));
  for (std::string line; std::getline(std::cin, line);) {
    std::visit([&worker](auto const& request) { worker.handle(request); },
               protocol::decode_request(line, "standard input"));
  }
  return 0;
}

}  // namespace
}  // namespace perfcheck::scripted

int main(int argc, char** argv) {
  try {
    return perfcheck::scripted::serve(argc, argv);
  } catch (std::exception const& error) {
    std::cerr << "perfcheck_scripted_worker: " << error.what() << '\n';
    return perfcheck::scripted::kExitUsage;
  }
}
