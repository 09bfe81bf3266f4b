// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "script.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <sys/file.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace perfcheck::scripted {
namespace {

std::pair<std::string, std::string> split(std::string const& text, char separator) {
  std::size_t const at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

Rule rule_of(std::string const& text) {
  auto [glob, value] = split(text, '=');
  if (glob.empty() || value.empty()) throw std::invalid_argument("\"" + text + "\" is not of the form GLOB=VALUE");
  return {std::move(glob), std::move(value)};
}

std::vector<Rule> rules_in(std::string const& path) {
  std::ifstream file(path);
  if (!file) throw std::invalid_argument("cannot read " + path);
  std::vector<Rule> rules;
  for (std::string line; std::getline(file, line);) rules.push_back(rule_of(line));
  return rules;
}

bool one_of(std::string const& word, std::initializer_list<char const*> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Fault fault_of(std::string const& text) {
  auto const [place, what] = split(text, '=');
  auto const [step, glob] = split(place, ':');
  auto const [action, argument] = split(what, ':');
  bool const of_a_case = one_of(step, {"before", "during", "result", "after", "launches"});
  if (!of_a_case && !one_of(step, {"hello", "plan", "bye"})) throw std::invalid_argument("unknown step in " + text);
  bool const changes_an_answer =
      one_of(action, {"patch", "incorrect", "implausible", "invalid", "failed", "context-lost", "error"});
  if (!changes_an_answer &&
      !one_of(action, {"abort", "segv", "exit", "hang", "half-line", "close-output", "grandchild", "flood-output",
                       "long-line", "flood-progress", "flood-errors", "burst-errors", "say", "garbage"})) {
    throw std::invalid_argument("unknown action in " + text);
  }
  if (changes_an_answer && !one_of(step, {"hello", "plan", "result"})) {
    throw std::invalid_argument("there is no answer to change at " + text);
  }
  if (one_of(action, {"incorrect", "implausible", "invalid", "failed", "context-lost"}) && step != "result") {
    throw std::invalid_argument("only a result can be like that: " + text);
  }
  return {.step = step, .glob = of_a_case && glob.empty() ? "*" : glob, .action = action, .argument = argument};
}

/// Counts this process in the file; returns how many did so before it.
uint64_t count_process(std::string const& path) {
  int const fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path);
  (void)::flock(fd, LOCK_EX);
  off_t const before = ::lseek(fd, 0, SEEK_END);
  (void)!::write(fd, "#", 1);
  (void)::close(fd);
  return static_cast<uint64_t>(before);
}

/// Does this process have faults? `scope` is "first:FILE", "second:FILE", "third:FILE", "later:FILE", or the numbers of
/// processes, counted from 1, as in "3,6,7:FILE".
bool faults_happen(std::string const& scope) {
  if (scope.empty()) return true;
  auto const [when, path] = split(scope, ':');
  bool const is_word = one_of(when, {"first", "second", "third", "later"});
  if ((!is_word && when.find_first_not_of("0123456789,") != std::string::npos) || when.empty() || path.empty())
    throw std::invalid_argument("--faults-in " + scope);
  uint64_t const before = count_process(path);
  if (when == "later") return before > 0;
  if (is_word) return before == (when == "first" ? 0U : when == "second" ? 1U : 2U);
  return ("," + when + ",").find("," + std::to_string(before + 1) + ",") != std::string::npos;
}

/// The arguments in the order that CLI11 expects, last one first.
std::vector<std::string> arguments_in_reverse(int argc, char** argv) {
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  char const* const text = std::getenv("PERFCHECK_SCRIPTED_WORKER_ARGUMENTS");
  if (arguments.empty() && text != nullptr) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) arguments.push_back(line);
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

}  // namespace

Script parse_script(int argc, char** argv) {
  Script script;
  std::vector<std::string> slow, refuse, unavailable, renamed, faults;
  std::string sessions, faults_in, code;
  CLI::App app{"A worker for tests; see scripted_worker.cpp"};
  app.add_option("--name", script.name);
  app.add_option("--backend", script.backend);
  app.add_option("--operation", script.operation);
  app.add_option("--also", script.also)->take_all();
  app.add_flag("--axes", script.axes);
  app.add_option("--device-name", script.device_name);
  app.add_option("--device-uuid", script.device_uuid);
  app.add_option("--devices", script.devices);
  app.add_option("--kernels", script.kernels)->delimiter(',');
  app.add_option("--reference", script.reference);
  app.add_option("--slow", slow)->take_all();
  app.add_option("--refuse", refuse)->take_all();
  app.add_option("--unavailable", unavailable)->take_all();
  app.add_option("--renamed", renamed)->take_all();
  app.add_option("--reject", script.reject)->take_all();
  app.add_option("--noise", script.noise);
  app.add_option("--session-noise", script.session_noise);
  app.add_option("--drift", script.drift);
  app.add_flag("!--no-clock", script.clock);
  app.add_option("--delay-ms", script.delay_ms);
  app.add_flag("--skips-verification", script.skips_verification);
  app.add_option("--code", code);
  app.add_flag("--ignore-sigterm", script.ignore_sigterm);
  app.add_option("--sessions", sessions);
  app.add_option("--pid-file", script.pid_file);
  app.add_option("--fault", faults)->take_all();
  app.add_option("--faults-in", faults_in);
  try {
    app.parse(arguments_in_reverse(argc, argv));
  } catch (CLI::ParseError const& error) {
    throw std::invalid_argument(error.what());
  }
  for (std::string const& text : slow) script.slow.push_back(rule_of(text));
  for (std::string const& text : refuse) script.refuse.push_back(rule_of(text));
  for (std::string const& text : unavailable) script.unavailable.push_back(rule_of(text));
  for (std::string const& text : renamed) script.renamed.push_back(rule_of(text));
  script.tells_launches = !code.empty();
  if (script.tells_launches) script.code = rules_in(code);
  if (!sessions.empty()) script.session = count_process(sessions);
  bool const happen = faults_happen(faults_in);
  for (std::string const& text : faults) {
    Fault fault = fault_of(text);
    if (happen) script.faults.push_back(std::move(fault));
  }
  return script;
}

bool glob_matches(std::string const& glob, std::string const& name) {
  return ::fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

std::optional<std::string> rule_for(std::vector<Rule> const& rules, std::string const& name) {
  std::optional<std::string> value;
  for (Rule const& rule : rules) {
    if (glob_matches(rule.glob, name)) value = rule.value;
  }
  return value;
}

}  // namespace perfcheck::scripted
