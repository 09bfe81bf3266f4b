// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The flavour of JUnit XML that Jenkins's plug-in describes and GitLab, Buildkite and GitHub's test reporters read.
#include "ci/items.h"
#include "ci/writers.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/report/format.h"
#include "text/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfcheck::report::ci {
namespace {

constexpr std::size_t kMessageLimit = 1000;

enum class Outcome { passed, failure, error, skipped };

struct TestCase {
  std::string classname, name;
  model::KernelEntry const* entry = nullptr;
  double seconds = 0;
  Outcome outcome = Outcome::passed;
  std::string type, message;
  std::vector<std::string> lines;  ///< of the failure's body
};

/// A test fails exactly where its item makes the command fail.
Outcome outcome_of(Item const& item) {
  if (!item.failed) {
    bool const passed = item.standing == Standing::fine || item.standing == Standing::improved;
    return passed ? Outcome::passed : Outcome::skipped;
  }
  // A missing case did not run, so it is a failure and not an error.
  bool const broken = item.standing == Standing::broken && item.outcome != model::to_text(model::Verdict::missing);
  return broken ? Outcome::error : Outcome::failure;
}

std::map<std::string, double> seconds_by_case(model::Run const& run) {
  std::map<std::string, double> seconds;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (std::isfinite(result.seconds)) seconds[result.id] += result.seconds;
    }
  }
  return seconds;
}

std::string dotted(std::string kernel) {
  std::replace(kernel.begin(), kernel.end(), '/', '.');
  return kernel.empty() ? "perfcheck" : kernel;
}

TestCase test_case_of(CheckResult const& result, Item const& item) {
  TestCase test{.classname = dotted(item.kernel), .name = item.problem, .entry = item.entry};
  if (item.is_kernel) test.name = "all cases together";
  if (test.name.empty()) test.name = item.id;
  test.outcome = outcome_of(item);
  test.type = item.outcome;
  test.message =
      item.reason.empty() ? words_of(item.outcome) : fmt::format("{}: {}", words_of(item.outcome), item.reason);
  test.lines.push_back(test.message);
  if (item.change()) test.lines.push_back("change: " + format_change(item.change()));
  if (item.row != nullptr && !item.row->also_changed.empty()) test.lines.push_back(item.row->also_changed);
  std::string const repro = repro_of(result, item.id);
  if (!repro.empty()) test.lines.push_back("measure again: " + repro);
  return test;
}

/// A command can fail although no case does: nothing was measured, or the machine was not fit.
std::optional<TestCase> test_case_of_the_whole(CheckResult const& result, std::vector<Item> const& items) {
  std::string const whole = failure_of_the_whole(result, items);
  if (whole.empty()) return std::nullopt;
  TestCase test{.classname = "perfcheck", .name = result.command.empty() ? "perfcheck" : result.command};
  test.outcome = result.exit_code == model::ExitCode::undecided ? Outcome::skipped : Outcome::error;
  test.type = "run";
  test.message = headline(result, items);
  test.lines = {whole};
  return test;
}

std::vector<TestCase> test_cases_of(CheckResult const& result) {
  std::vector<Item> const items = items_of(result);
  std::map<std::string, double> const seconds = seconds_by_case(result.run);
  std::vector<TestCase> tests;
  if (auto whole = test_case_of_the_whole(result, items)) tests.push_back(std::move(*whole));
  for (Item const& item : items) {
    // A kernel as a whole is a test only if it fails, since its cases are tests already.
    if (item.is_kernel && !item.failed) continue;
    TestCase test = test_case_of(result, item);
    auto const known = seconds.find(item.id);
    test.seconds = known == seconds.end() ? 0 : known->second;
    tests.push_back(std::move(test));
  }
  return tests;
}

std::string attribute(char const* name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, markup_escaped(value));
}

std::string seconds_text(double seconds) {
  return fmt::format("{:.3f}", std::isfinite(seconds) ? std::max(0.0, seconds) : 0.0);
}

std::string element_of(TestCase const& test) {
  std::string text = "    <testcase" + attribute("classname", test.classname) + attribute("name", test.name);
  if (test.entry != nullptr && !test.entry->file.empty()) {
    text += attribute("file", test.entry->file);
    if (test.entry->line > 0) text += attribute("line", std::to_string(test.entry->line));
  }
  text += attribute("time", seconds_text(test.seconds));
  if (test.outcome == Outcome::passed) return text + "/>\n";
  std::string const message = attribute("message", shortened(model::one_line(test.message), kMessageLimit));
  if (test.outcome == Outcome::skipped) return text + fmt::format(">\n      <skipped{}/>\n    </testcase>\n", message);
  char const* const name = test.outcome == Outcome::error ? "error" : "failure";
  text += fmt::format(">\n      <{}{}{}>", name, attribute("type", test.type), message);
  for (std::size_t i = 0; i < test.lines.size(); ++i) text += (i == 0 ? "" : "\n") + markup_escaped(test.lines[i]);
  return text + fmt::format("</{}>\n    </testcase>\n", name);
}

std::string property(std::string const& name, std::string const& value) {
  if (value.empty()) return "";
  return "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties_of(CheckResult const& result) {
  std::string text = property("command", result.command) +
                     property("exit_code", std::to_string(static_cast<int>(result.exit_code))) +
                     property("run", result.run.id);
  model::SourceInfo const& source = result.run.source;
  text += property("commit", source.commit.empty() || !source.dirty ? source.commit : source.commit + " with changes");
  text += property("branch", source.branch) + property("repository", source.repository);
  if (!result.run.sessions.empty()) {
    model::Session const& session = result.run.sessions.front();
    text += property("device", session.device.name) + property("uuid", session.device.uuid) +
            property("driver", session.environment.driver) + property("cuda_runtime", session.environment.cuda_runtime);
    for (auto const& [name, version] : session.environment.libraries) text += property("library." + name, version);
  }
  text += property("report", result.report_url);
  for (std::string const& note : result.decisions.notes) text += property("note", note);
  return text;
}

/// Ant's schema requires a time without a zone; all of these times are UTC.
std::string timestamp_of(model::Run const& run) {
  return run.started.ends_with('Z') ? run.started.substr(0, run.started.size() - 1) : run.started;
}

}  // namespace

std::string write_junit(CheckResult const& result) {
  std::vector<TestCase> const tests = test_cases_of(result);
  auto const count = [&](Outcome outcome) {
    return std::to_string(
        std::count_if(tests.begin(), tests.end(), [&](TestCase const& test) { return test.outcome == outcome; }));
  };
  std::string const counts = attribute("tests", std::to_string(tests.size())) +
                             attribute("failures", count(Outcome::failure)) +
                             attribute("errors", count(Outcome::error));
  std::string const time = attribute("time", seconds_text(result.run.seconds));
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfcheck\"" + counts + time + ">\n";
  text += "  <testsuite" + attribute("name", result.name.empty() ? "perfcheck" : result.name) + counts +
          attribute("skipped", count(Outcome::skipped)) + time;
  if (!result.run.started.empty()) text += attribute("timestamp", timestamp_of(result.run));
  if (!result.run.sessions.empty() && !result.run.sessions.front().environment.host.empty()) {
    text += attribute("hostname", result.run.sessions.front().environment.host);
  }
  text += ">\n    <properties>\n" + properties_of(result) + "    </properties>\n";
  for (TestCase const& test : tests) text += element_of(test);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace perfcheck::report::ci
