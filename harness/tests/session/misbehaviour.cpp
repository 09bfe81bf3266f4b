// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "misbehaviour.h"

#include <fcntl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace perfcheck::scripted {
namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t const wrote = ::write(fd, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) ::_exit(1);
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

[[noreturn]] void hang() {
  while (true) (void)::pause();
}

[[noreturn]] void die_of(int signal) {
  (void)std::signal(signal, SIG_DFL);  // a sanitizer would turn it into an exit code
  (void)::raise(signal);
  std::abort();
}

[[noreturn]] void flood(int fd, std::string const& text) {
  while (true) write_all(fd, text);
}

/// A process that outlives this one and keeps the pipes open.
void leave_grandchild(Script const& script) {
  if (::fork() != 0) return;
  (void)std::signal(SIGTERM, SIG_IGN);
  note_pid(script);
  hang();
}

}  // namespace

void say(std::string_view text) { write_all(STDOUT_FILENO, text); }

void note_pid(Script const& script) {
  if (script.pid_file.empty()) return;
  int const fd = ::open(script.pid_file.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) std::abort();
  write_all(fd, std::to_string(::getpid()) + "\n");
  (void)::close(fd);
}

void misbehave(Script const& script, Fault const& fault, std::string const& case_id) {
  std::string const& action = fault.action;
  write_all(STDERR_FILENO, "scripted worker: now " + action + "\n");
  if (action == "abort") die_of(SIGABRT);
  if (action == "segv") die_of(SIGSEGV);
  if (action == "exit") ::_exit(std::stoi(fault.argument));
  if (action == "hang") hang();
  if (action == "half-line") {
    say(R"({"type":"resu)");
    ::_exit(0);
  }
  if (action == "close-output") {
    (void)::close(STDOUT_FILENO);
    hang();
  }
  if (action == "grandchild") {
    leave_grandchild(script);
    ::_exit(3);
  }
  if (action == "flood-output") flood(STDOUT_FILENO, std::string(65536, 'x'));
  if (action == "flood-errors") flood(STDERR_FILENO, std::string(65535, 'e') + "\n");
  if (action == "flood-progress") {
    flood(STDOUT_FILENO, protocol::encode(protocol::Answer(protocol::ProgressAnswer{case_id, "measure"})));
  }
  if (action == "long-line") say(std::string(protocol::kMaxLineBytes + 1, 'x') + "\n");
  if (action == "burst-errors") write_all(STDERR_FILENO, std::string(std::size_t{2} << 20, 'e') + "\nburst over\n");
  if (action == "say") say(fault.argument + "\n");
  if (action == "garbage") say(std::string("\x00\xff\xfe\x80{\x1b[31m\x01\n", 12));
}

std::string changed_line(Fault const& fault, protocol::Answer answer) {
  if (fault.action == "error") {
    return protocol::encode(protocol::Answer(protocol::ErrorAnswer{fault.argument, "as the script wants"}));
  }
  if (fault.action == "patch") {
    nlohmann::json const honest = nlohmann::json::parse(protocol::encode(answer));
    std::string line = honest.patch(nlohmann::json::parse(fault.argument)).dump() + "\n";
    std::string const word = "\"NaN\"";
    for (std::size_t at = line.find(word); at != std::string::npos; at = line.find(word)) {
      line.replace(at, word.size(), "NaN");
    }
    return line;
  }
  auto& result = std::get<protocol::ResultAnswer>(answer);
  result.result.rounds.reset();
  result.result.proof.reset();
  result.result.injected_percent = 0;
  if (fault.action == "incorrect") {
    result.result.status = model::CaseStatus::incorrect;
    result.result.verification = {
        .passed = false,
        .checks = {{.name = "exact", .passed = false, .error_over_bound = {}, .detail = "element (3, 5) is 7, not 8"}}};
    result.result.message = "exact: element (3, 5) is 7, not 8";
  } else if (fault.action == "implausible" || fault.action == "invalid") {
    result.result.status = model::case_status_from_text(fault.action).value();
    result.result.message = "the worker found that out (scripted)";
  } else {
    result.context_lost = fault.action == "context-lost";
    result.result.status = result.context_lost ? model::CaseStatus::crashed : model::CaseStatus::failed;
    result.result.message = result.context_lost ? "illegal memory access (scripted)" : "out of memory (scripted)";
    result.result.verification.reset();
  }
  return protocol::encode(answer);
}

}  // namespace perfcheck::scripted
