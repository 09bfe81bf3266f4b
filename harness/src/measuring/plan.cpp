// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/measuring/plan.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/model/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <set>

namespace perfcheck::measuring {
namespace {

constexpr double kPlanSeconds = 60;
constexpr double kGiga = 1e9;
constexpr double kMaxInjectPercent = 1000;

void apply_rules(config::Suite const& suite, model::Renames const& renames, std::vector<protocol::PlannedCase>& cases) {
  for (protocol::PlannedCase& planned : cases) {
    if (planned.skip_reason) {
      continue;
    }
    std::vector<std::string> const ids = renames.all(planned.id);
    for (config::SuiteRule const& rule : suite.rules) {
      auto const matching = std::find_if(rule.kernels.begin(), rule.kernels.end(), [&](std::string const& pattern) {
        return std::ranges::any_of(ids, [&](std::string const& id) { return gate::glob_matches_case(pattern, id); });
      });
      if (matching != rule.kernels.end() && planned.work.flop > rule.max_gflop * kGiga) {
        planned.skip_reason = model::SkipReason::suite_rule;
        planned.reason = fmt::format("{} ({:.4g} GFLOP, the suite's limit for {} is {:.4g})", rule.reason,
                                     planned.work.flop / kGiga, *matching, rule.max_gflop);
        break;
      }
    }
  }
}

std::vector<std::string> names_in(std::vector<protocol::PlannedCase> const& cases) {
  std::set<std::string> names;
  for (protocol::PlannedCase const& planned : cases) {
    names.insert(planned.id);
    names.insert(model::split_case_id(planned.id).kernel);
  }
  return {names.begin(), names.end()};
}

std::pair<std::string, double> parse_injection(std::string const& text) {
  std::size_t const at = text.rfind('=');
  std::string const number = at == std::string::npos ? "" : text.substr(at + 1);
  char* end = nullptr;
  double const percent = std::strtod(number.c_str(), &end);
  bool const complete = !number.empty() && *end == '\0';
  if (at == 0 || !complete || !(percent > 0 && percent <= kMaxInjectPercent)) {
    throw UsageError(
        fmt::format("--inject-slowdown {}: write PATTERN=PERCENT with a percentage above 0 and at most {}, "
                    "as in 'gemm/simt/naive=3'",
                    text, kMaxInjectPercent));
  }
  return {text.substr(0, at), percent};
}

}  // namespace

std::size_t Plan::runnable() const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](auto const& planned) { return !planned.skip_reason; }));
}

Plan make_plan(session::WorkerClient& worker, config::Config const& config, config::Suite const& suite,
               std::vector<std::string> const& filters) {
  Plan plan;
  plan.hello = worker.hello();
  plan.asked = config::asked_for(config, suite, filters, std::nullopt, plan.hello.worker.operation);
  for (config::SuiteProblem const& problem : config::expand(suite, plan.hello.worker.operation)) {
    if (!problem.name.empty()) {
      plan.problem_names[problem.problem] = problem.name;
    }
  }
  protocol::PlanAnswer answer = worker.plan(plan.asked.problems, kPlanSeconds);
  if (!answer.rejected.empty()) {
    throw config::ConfigError(model::one_line(
        fmt::format("{}: suites.{}.{}: the worker cannot read problem \"{}\": {}", config.file.string(), suite.name,
                    suite.backend, answer.rejected.front().problem, answer.rejected.front().message)));
  }
  std::sort(answer.cases.begin(), answer.cases.end(), [](auto const& a, auto const& b) { return a.id < b.id; });
  auto const twice = std::adjacent_find(answer.cases.begin(), answer.cases.end(),
                                        [](auto const& a, auto const& b) { return a.id == b.id; });
  if (twice != answer.cases.end()) {
    throw config::ConfigError(fmt::format("{}: suites.{}.{}: two of its problems mean the same, {}; leave one out",
                                          config.file.string(), suite.name, suite.backend,
                                          model::split_case_id(twice->id).problem));
  }
  plan.problems = std::move(answer.problems);
  std::erase_if(answer.cases, [&](protocol::PlannedCase const& planned) {
    return !config::takes(suite.kernels, config.names.proposed.all(planned.id));
  });
  apply_rules(suite, config.names.proposed, answer.cases);
  for (protocol::PlannedCase& planned : answer.cases) {
    plan.offered.insert(model::split_case_id(planned.id).problem);
    if (config::selected(filters, config.names.proposed.now(planned.id))) {
      plan.cases.push_back(std::move(planned));
    }
  }
  return plan;
}

std::vector<protocol::PlannedCase> with_ids(std::vector<protocol::PlannedCase> const& cases,
                                            std::set<std::string> const& ids) {
  std::vector<protocol::PlannedCase> some;
  std::ranges::copy_if(cases, std::back_inserter(some),
                       [&](protocol::PlannedCase const& one) { return ids.contains(one.id); });
  return some;
}

void keep_shard(Plan& plan, std::optional<model::Shard> const& shard, model::Renames const& renames) {
  std::erase_if(plan.cases,
                [&](protocol::PlannedCase const& planned) { return !model::measures(shard, renames.now(planned.id)); });
  plan.asked.shard = shard;
}

std::string no_match_message(Plan const& unfiltered, std::vector<std::string> const& filters) {
  if (filters.empty()) {
    return "the suite comes to no case at all; `perfcheck list` shows what there is";
  }
  std::vector<std::string> const names = names_in(unfiltered.cases);
  auto const nearest = model::nearest_name(filters.front(), names);
  return fmt::format("no case matches --filter '{}'; {}", fmt::join(filters, "', '"),
                     nearest ? fmt::format("did you mean '{}'?", *nearest) : "`perfcheck list` shows what there is");
}

std::map<std::string, double> injections(std::vector<std::string> const& texts, Plan const& plan) {
  std::map<std::string, double> percent_by_case;
  for (std::string const& text : texts) {
    auto const [pattern, percent] = parse_injection(text);
    bool matched = false;
    for (protocol::PlannedCase const& planned : plan.cases) {
      if (!planned.skip_reason && gate::glob_matches_case(pattern, planned.id)) {
        percent_by_case[planned.id] = percent;
        matched = true;
      }
    }
    if (!matched) {
      std::vector<std::string> const names = names_in(plan.cases);
      auto const nearest = model::nearest_name(pattern, names);
      throw UsageError(
          fmt::format("--inject-slowdown {}: no case that would run matches '{}'; {}", text, pattern,
                      nearest ? fmt::format("did you mean '{}'?", *nearest) : "`perfcheck list` shows what there is"));
    }
  }
  return percent_by_case;
}

std::vector<std::string> scope_of(Plan const& plan, model::Baseline const* baseline) {
  std::set<std::string> ids;
  if (baseline != nullptr) {
    ids = config::stored_cases(*baseline, plan.asked, plan.offered);
  }
  for (protocol::PlannedCase const& planned : plan.cases) {
    ids.insert(planned.id);
  }
  return {ids.begin(), ids.end()};
}

}  // namespace perfcheck::measuring
