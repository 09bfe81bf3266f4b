// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "results/missing.h"

#include "perfcheck/model/shard.h"
#include "results/repro.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfcheck::cli {
namespace {

using model::SessionPurpose;

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kFewestLooked = 2;  // sessions, at a first look

std::string listed(std::vector<std::string> const& names) {
  if (names.size() <= kMostNames) {
    return fmt::format("{}", fmt::join(names, ", "));
  }
  return fmt::format("{} and {} more", fmt::join(names.begin(), names.begin() + kMostNames, ", "),
                     names.size() - kMostNames);
}

/// What to do about a problem that has no case.
std::string remedy(Asked const& asked, Source source) {
  return source == Source::worker
             ? "bring back a kernel for it"
             : fmt::format("measure all of it again with perfcheck check --suite {}", shell_quoted(asked.suite));
}

std::string without_case(Asked const& asked, std::string const& problem, Source source) {
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

void explain_missing(gate::Decisions& decisions, Asked const& asked, std::set<std::string> const& there,
                     Source source) {
  std::set<std::string> const named(asked.problems.begin(), asked.problems.end());
  for (gate::CaseDecision& decision : decisions.cases) {
    std::string const problem = model::split_case_id(decision.id).problem;
    if (!did_not_run(decision)) {
      continue;
    }
    if (asked.suite.empty() || there.contains(problem)) {
      // Every planned case has a result in the end, so where a base build stands in, this one is stored beside it.
      if (decision.reason_code == "planned_but_not_run") {
        decision.reason_code = "stored_but_not_run";
        decision.reason =
            "the stored baseline holds it, but it did not run; if the kernel was renamed or removed on purpose: "
            "perfcheck baseline accept --drop";
      }
      continue;
    }
    bool const of_suite = named.contains(problem);
    decision.reason_code = of_suite ? "problem_without_case" : "problem_in_no_suite";
    decision.reason = of_suite ? without_case(asked, problem, source) : in_no_suite(problem);
  }
}

void tell_lacking(gate::Decisions& decisions, Asked const& asked, Lacking const& lacking, Source source) {
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

namespace {

/// Shards that were merged may have had sessions in different numbers.
int part_of(model::Run const& file, std::string const& case_id) {
  return file.shard ? model::shard_of(case_id, file.shard->count) : 0;
}

/// Which sessions of one part and purpose hold a case, in their order.
using Presence = std::map<std::string, std::vector<bool>>;

/// By part, without the cases in `aside`. A session that holds nothing of a part is none of it.
std::map<int, Presence> presences(model::Run const& file, SessionPurpose purpose, std::set<std::string> const& aside) {
  std::map<int, Presence> parts;
  std::map<int, std::size_t> sessions;
  for (model::Session const& session : file.sessions) {
    std::set<int> seen;
    for (model::CaseResult const& result : session.cases) {
      if (session.purpose == purpose && !aside.contains(result.id)) {
        int const part = part_of(file, result.id);
        sessions[part] += seen.insert(part).second ? 1 : 0;
        std::vector<bool>& presence = parts[part][result.id];
        presence.resize(sessions[part] - 1);
        presence.push_back(true);
      }
    }
  }
  for (auto& [part, cases] : parts) {
    for (auto& [id, presence] : cases) {
      presence.resize(sessions[part]);
    }
  }
  return parts;
}

/// Number of sessions of a case whose results all come first; 0 where a session between them lacks it.
std::size_t leading(std::vector<bool> const& presence) {
  auto const gap = std::ranges::find(presence, false);
  return std::find(gap, presence.end(), true) == presence.end() ? static_cast<std::size_t>(gap - presence.begin()) : 0;
}

/// After how many confirming sessions those cases were let go that were clear by then: what most of those have that are
/// not in all of them. Their number where no case was.
std::size_t first_look(Presence const& cases) {
  std::map<std::size_t, int> counts;
  std::size_t all = 0;
  for (auto const& [id, presence] : cases) {
    all = presence.size();
    if (std::size_t const count = leading(presence); count >= kFewestLooked && count < all) {
      ++counts[count];
    }
  }
  auto const most = std::ranges::max_element(counts, {}, [](auto const& entry) { return entry.second; });
  return most == counts.end() ? all : most->first;
}

std::set<std::string> unfit_cases(model::Run const& file) {
  std::set<std::string> unfit;
  for (model::Session const& session : file.sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (!result.unfit.empty()) {
        unfit.insert(result.id);
      }
    }
  }
  return unfit;
}

}  // namespace

CutCases cut_cases(model::Run const& file) {
  CutCases cut;
  if (!file.imported_from.empty()) {
    return cut;  // another program measures in every file what it was told to
  }
  std::set<std::string> const unfit = unfit_cases(file);
  for (SessionPurpose const purpose : {SessionPurpose::screen, SessionPurpose::confirm, SessionPurpose::baseline}) {
    for (auto const& [part, cases] : presences(file, purpose, unfit)) {
      std::size_t const looked = purpose == SessionPurpose::confirm ? first_look(cases) : 0;
      bool const glanced = file.base_sessions.empty();  // beside a base build nobody glances
      for (auto const& [id, presence] : cases) {
        auto const count = static_cast<std::size_t>(std::ranges::count(presence, true));
        if (count != presence.size() && (looked == 0 || leading(presence) != looked)) {
          cut[id] = {
              .why = fmt::format(
                  "{} of {} sessions ({}) brought a result of it, and a session measures all of its cases{}: "
                  "results were taken out of the run file; measure again",
                  count, presence.size(), to_text(purpose),
                  purpose == SessionPurpose::confirm ? ", but for those that were clear at an earlier look" : ""),
              .may_be_clear = looked > 0 && glanced && leading(presence) == 1};
        }
      }
    }
  }
  return cut;
}

CutCases cut_cases(std::vector<model::Run> const& files) {
  CutCases cut;
  for (model::Run const& file : files) {
    cut.merge(cut_cases(file));
  }
  return cut;
}

void tell_cut(gate::Decisions& decisions, CutCases const& cut) {
  for (gate::CaseDecision& decision : decisions.cases) {
    auto const found = cut.find(decision.id);
    if (found == cut.end() || model::exit_code_of(decision.verdict) == model::ExitCode::broken) {
      continue;
    }
    bool const convicted =
        decision.verdict == model::Verdict::regressed || decision.verdict == model::Verdict::improved;
    if (found->second.may_be_clear && !convicted) {
      continue;  // what is undecided stays so: later sessions of other cases tell more about its noise
    }
    decision.verdict = model::Verdict::missing;
    decision.reason_code = "session_without_result";
    decision.reason = found->second.why;
    decision.wants_confirmation = false;
    decisions.exit_code = model::worse(decisions.exit_code, model::ExitCode::broken);
  }
}

std::vector<std::string> notes_on_less(model::Run const& run, std::set<std::string> const& scope) {
  std::vector<std::string> notes;
  auto const left_out = [&](auto const& measured) {
    return std::ranges::count_if(scope, [&](std::string const& id) { return !measured(id); });
  };
  if (auto const count = left_out([&](std::string const& id) { return selected(run.filters, id); }); count > 0) {
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

}  // namespace perfcheck::cli
