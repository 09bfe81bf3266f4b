// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/config/asked.h"

#include "perfcheck/gate/glob.h"
#include "perfcheck/model/shard.h"

#include <algorithm>

namespace perfcheck::config {
namespace {

std::string replaced(std::string text, std::string const& what, std::string const& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::vector<std::string> texts_of(Suite const& suite, std::string const& first_operation) {
  std::vector<std::string> texts;
  for (SuiteProblem const& problem : expand(suite, first_operation)) {
    texts.push_back(problem.problem);
  }
  return texts;
}

bool holds(std::vector<std::string> const& texts, std::string const& text) {
  return std::ranges::find(texts, text) != texts.end();
}

}  // namespace

bool takes(std::vector<std::string> const& kernels, std::vector<std::string> const& ids) {
  bool part = kernels.empty();
  for (std::string const& entry : kernels) {
    bool const leaves_out = entry.starts_with(kLeavesOut);
    std::string const pattern = entry.substr(leaves_out ? 1 : 0);
    if (std::ranges::any_of(ids, [&](std::string const& id) { return gate::glob_matches_case(pattern, id); })) {
      part = !leaves_out;
    }
  }
  return part;
}

std::vector<SuiteProblem> expand(Suite const& suite, std::string const& first_operation) {
  std::vector<SuiteProblem> problems;
  for (SuiteProblem const& entry : suite.problems) {
    if (entry.problem.find("{types}") == std::string::npos) {
      problems.push_back(entry);
      continue;
    }
    for (std::string const& types : suite.types) {
      problems.push_back({.name = entry.name, .problem = replaced(entry.problem, "{types}", types)});
    }
  }
  std::string const prefix = model::problem_prefix(first_operation);
  for (SuiteProblem& problem : problems) {
    if (!first_operation.empty() && problem.problem.starts_with(prefix)) {
      problem.problem.erase(0, prefix.size());
    }
  }
  return problems;
}

Asked asked_for(Config const& config, Suite const& suite, std::vector<std::string> filters,
                std::optional<model::Shard> shard, std::string const& first_operation) {
  Asked asked{.suite = suite.name,
              .problems = texts_of(suite, first_operation),
              .elsewhere = {},
              .kernels = suite.kernels,
              .renames = config.names.proposed,
              .filters = std::move(filters),
              .shard = std::move(shard),
              .claimed = false};
  for (Suite const& other : config.suites) {
    if (other.backend == suite.backend) {
      for (std::string& problem : texts_of(other, first_operation)) {
        asked.elsewhere.insert(std::move(problem));
      }
    }
  }
  for (std::string const& problem : asked.problems) {
    asked.elsewhere.erase(problem);
  }
  return asked;
}

bool selected(std::vector<std::string> const& filters, std::string const& case_id) {
  return filters.empty() || std::ranges::any_of(filters, [&](std::string const& filter) {
           return gate::glob_matches_case(filter, case_id);
         });
}

std::set<std::string> problems_of(model::Run const& run) {
  std::set<std::string> problems;
  for (model::Session const& session : run.sessions) {
    for (model::CaseResult const& result : session.cases) {
      problems.insert(model::split_case_id(result.id).problem);
    }
  }
  return problems;
}

std::set<std::string> stored_cases(model::Baseline const& baseline, Asked const& asked,
                                   std::set<std::string> const& there) {
  std::set<std::string> sessions;
  for (model::BaselineSession const& session : baseline.sessions) {
    if (!asked.suite.empty() && session.suite == asked.suite) {
      sessions.insert(session.id);
    }
  }
  auto const accepted_of_suite = [&](model::BaselineCase const& stored) {
    return std::ranges::any_of(stored.session, [&](std::string const& id) { return sessions.contains(id); });
  };
  std::set<std::string> ids;
  for (auto const& [id, stored] : baseline.cases) {
    std::string const problem = model::split_case_id(id).problem;
    bool const of_suite = !asked.suite.empty() && (!asked.elsewhere.contains(problem) || accepted_of_suite(stored));
    bool const takes_part = takes(asked.kernels, asked.renames.all(id)) || accepted_of_suite(stored);
    if (takes_part && (of_suite || there.contains(problem)) && selected(asked.filters, id) &&
        model::measures(asked.shard, id)) {
      ids.insert(id);
    }
  }
  return ids;
}

Lacking lacking_problems(Asked const& asked, std::set<std::string> const& there, model::Baseline const* baseline) {
  if (asked.suite.empty() || !asked.filters.empty()) {
    return {};
  }
  std::set<std::string> stored;
  if (baseline != nullptr) {
    for (auto const& [id, entry] : baseline->cases) {
      stored.insert(model::split_case_id(id).problem);
    }
  }
  Lacking lacking;
  for (std::string const& problem : asked.problems) {
    if (!there.contains(problem) && !stored.contains(problem)) {
      lacking.problems.push_back(problem);
    }
  }
  // Each problem here that the suites do not name may be one of the lacking ones in the form that ids have. No two
  // problems have the same form.
  auto const in_another_form = std::ranges::count_if(there, [&](std::string const& problem) {
    return !holds(asked.problems, problem) && !asked.elsewhere.contains(problem);
  });
  auto const unaccounted = static_cast<std::ptrdiff_t>(lacking.problems.size()) - in_another_form;
  if (unaccounted <= 0) {
    return {};
  }
  lacking.count = static_cast<std::size_t>(unaccounted);
  return lacking;
}

}  // namespace perfcheck::config
