// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/missing.h"

#include "perfcheck/model/shard.h"
#include "perfcheck/results/repro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::results {
namespace {

constexpr std::size_t kMostNames = 8;

std::string listed(std::vector<std::string> const& names) {
  if (names.size() <= kMostNames) {
    return fmt::format("{}", fmt::join(names, ", "));
  }
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMostNames, ", "),
                     names.size() - kMostNames);
}

/// What to do about a problem that has no case.
std::string remedy(config::Asked const& asked, Source source) {
  return source == Source::worker
             ? "bring back a kernel for it"
             : fmt::format("measure all of it again with perfcheck check --suite {}", shell_quoted(asked.suite));
}

std::string without_case(config::Asked const& asked, std::string const& problem, Source source) {
  return fmt::format(
      "suite {} names its problem, but {}: {}; if the problem is to go, take it out of perfcheck.toml and its cases "
      "out of the baseline with perfcheck baseline accept --drop {}",
      asked.suite, source == Source::worker ? "no kernel offers a case of it" : "the run holds no case of it",
      remedy(asked, source), shell_quoted("*@" + problem));
}

std::string in_no_suite(std::string const& problem) {
  return fmt::format(
      "the baseline holds it, but no suite of perfcheck.toml names its problem, at least not as {}: put it back; if it "
      "is to go, perfcheck baseline accept --drop {}",
      problem, shell_quoted("*@" + problem));
}

bool did_not_run(gate::CaseDecision const& decision) {
  return decision.verdict == model::Verdict::missing &&
         (decision.reason_code == "in_baseline_but_not_run" || decision.reason_code == "planned_but_not_run");
}

}  // namespace

void explain_missing(gate::Decisions& decisions, config::Asked const& asked, std::set<std::string> const& there,
                     Source source) {
  std::set<std::string> const named(asked.problems.begin(), asked.problems.end());
  for (gate::CaseDecision& decision : decisions.cases) {
    std::string const problem = model::split_case_id(decision.id).problem;
    if (!did_not_run(decision)) {
      continue;
    }
    if (asked.suite.empty() || there.contains(problem)) {
      // A planned case always has a result in the end. So where a base build stands in, this one is a stored case.
      if (decision.reason_code == "planned_but_not_run") {
        decision.reason_code = "stored_but_not_run";
        decision.reason =
            "the stored baseline holds it, but it did not run; if it was renamed or removed on purpose, say so in "
            "perfcheck.toml ([renamed], [retired]), or: perfcheck baseline accept --drop";
      }
      continue;
    }
    bool const of_suite = named.contains(problem);
    decision.reason_code = of_suite ? "problem_without_case" : "problem_in_no_suite";
    decision.reason = of_suite ? without_case(asked, problem, source) : in_no_suite(problem);
  }
}

void tell_lacking(gate::Decisions& decisions, config::Asked const& asked, config::Lacking const& lacking,
                  Source source) {
  if (lacking.count == 0) {
    return;
  }
  bool const one = lacking.problems.size() == 1;
  decisions.notes.insert(
      decisions.notes.begin(),
      fmt::format("missing: {} of {}{} of suite {}: {}; {}, or take {} out of perfcheck.toml",
                  source == Source::worker ? "no kernel offers a case" : "the run holds no case",
                  lacking.count == lacking.problems.size() ? "" : fmt::format("{} of ", lacking.count),
                  one ? "this problem" : "these problems", asked.suite, listed(lacking.problems), remedy(asked, source),
                  one ? "it" : "them"));
  decisions.exit_code = model::worse(decisions.exit_code, model::ExitCode::broken);
}

std::vector<std::string> notes_on_less(model::Run const& run, std::set<std::string> const& scope) {
  std::vector<std::string> notes;
  auto const left_out = [&](auto const& measured) {
    return std::ranges::count_if(scope, [&](std::string const& id) { return !measured(id); });
  };
  if (auto const count = left_out([&](std::string const& id) { return config::selected(run.filters, id); });
      count > 0) {
    std::string options;
    for (std::string const& filter : run.filters) {
      options += fmt::format(" --filter {}", shell_quoted(filter));
    }
    notes.push_back(
        fmt::format("the run was measured with{}, which leaves out {} of the cases that had to run; if that was on "
                    "purpose, say so here, too:{}",
                    options, count, options));
  }
  if (auto const count = left_out([&](std::string const& id) { return model::measures(run.shard, id); }); count > 0) {
    notes.push_back(fmt::format(
        "the run is shard {0} of {1}, and {2} of the cases that had to run fall to others: perfcheck merge decides "
        "about all shards, and --shard {0}/{1} says that this part alone is wanted",
        run.shard->index, run.shard->count, count));
  }
  return notes;
}

}  // namespace perfcheck::results
