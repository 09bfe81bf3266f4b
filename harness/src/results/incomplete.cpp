// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/incomplete.h"

#include "perfcheck/gate/confirm.h"
#include "perfcheck/gate/fitness.h"
#include "perfcheck/model/shard.h"
#include "perfcheck/results/undecided.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfcheck::results {
namespace {

using model::SessionPurpose;
using Sessions = std::vector<model::Session>;

/// With fewer rounds, times may be equal by chance where a clock is coarse.
constexpr std::size_t kFewestCopied = 4;

/// The shard that measured the case: shards that were merged may have had different numbers of sessions.
int part_of(model::Run const& file, std::string const& case_id) {
  return file.shard ? model::shard_of(case_id, file.shard->count) : 0;
}

/// For each case, which sessions of one part and purpose hold it, in order.
using Presence = std::map<std::string, std::vector<bool>>;

/// By part, without the cases in `aside`. A session that holds no case of a part does not count for it.
std::map<int, Presence> presences(model::Run const& file, SessionPurpose purpose, std::set<std::string> const& aside) {
  std::map<int, Presence> parts;
  std::map<int, std::size_t> counts;
  for (model::Session const& session : file.sessions) {
    std::set<int> seen;
    for (model::CaseResult const& result : session.cases) {
      if (session.purpose == purpose && !aside.contains(result.id)) {
        int const part = part_of(file, result.id);
        counts[part] += seen.insert(part).second ? 1 : 0;
        std::vector<bool>& presence = parts[part][result.id];
        presence.resize(counts[part] - 1);
        presence.push_back(true);
      }
    }
  }
  for (auto& [part, cases] : parts) {
    for (auto& [id, presence] : cases) {
      presence.resize(counts[part]);
    }
  }
  return parts;
}

/// Number of sessions before the first that lacks the case; 0 if a later one holds it again.
std::size_t leading(std::vector<bool> const& presence) {
  auto const gap = std::ranges::find(presence, false);
  return std::find(gap, presence.end(), true) == presence.end() ? static_cast<std::size_t>(gap - presence.begin()) : 0;
}

std::set<std::string> unfit_cases(model::Run const& file) {
  std::set<std::string> unfit;
  for (Sessions const* sessions : {&file.sessions, &file.base_sessions}) {
    for (model::Session const& session : *sessions) {
      for (model::CaseResult const& result : session.cases) {
        if (!gate::believed_unfit(result).empty()) {
          unfit.insert(result.id);
        }
      }
    }
  }
  return unfit;
}

/// The look, other than the last, that comes after this number of confirming sessions.
std::optional<gate::Look> early_look(std::vector<gate::PlannedLook> const& looks, std::size_t sessions) {
  auto const found = std::ranges::find_if(looks, [&](gate::PlannedLook const& one) {
    return one.look != gate::Look::last && static_cast<std::size_t>(one.sessions) == sessions;
  });
  return found == looks.end() ? std::nullopt : std::optional(found->look);
}

std::string taken_out(std::size_t some, std::size_t all, SessionPurpose purpose, char const* whose) {
  return fmt::format(
      "{} of {} {}sessions ({}) brought a result of it, and a session measures all of its cases{}: results were taken "
      "out of the run file; measure again",
      some, all, whose, to_text(purpose),
      purpose == SessionPurpose::confirm ? ", but for those that were clear at an earlier look" : "");
}

constexpr char const* kCutCode = "session_without_result";

void find_cut(model::Run const& file, std::set<std::string> const& aside, gate::Policy const& policy,
              IncompleteCases& incomplete) {
  std::vector<gate::PlannedLook> const looks = policy.looks(!file.base_sessions.empty());
  for (SessionPurpose const purpose : {SessionPurpose::screen, SessionPurpose::confirm, SessionPurpose::baseline}) {
    for (auto const& [part, cases] : presences(file, purpose, aside)) {
      for (auto const& [id, presence] : cases) {
        auto const count = static_cast<std::size_t>(std::ranges::count(presence, true));
        bool const first = leading(presence) == count;
        auto const look =
            purpose == SessionPurpose::confirm && first ? early_look(looks, count) : std::optional<gate::Look>();
        if (look) {
          incomplete[id] = {.code = "needs_confirmation", .why = "", .after = look};
        } else if (count != presence.size()) {
          incomplete[id] = {.code = kCutCode, .why = taken_out(count, presence.size(), purpose, "")};
        }
      }
    }
  }
}

/// Results of a case by purpose.
using Counts = std::map<std::string, std::map<SessionPurpose, std::size_t>>;

Counts counts_of(Sessions const& sessions, std::set<std::string> const& aside) {
  Counts counts;
  for (model::Session const& session : sessions) {
    for (model::CaseResult const& result : session.cases) {
      if (!aside.contains(result.id)) {
        ++counts[result.id][session.purpose];
      }
    }
  }
  return counts;
}

/// Both builds of a pair measure the same cases. A case that the base build has nowhere is new to it.
void find_cut_base(model::Run const& file, std::set<std::string> const& aside, IncompleteCases& incomplete) {
  Counts const heads = counts_of(file.sessions, aside);
  Counts const bases = counts_of(file.base_sessions, aside);
  bool const screened = std::ranges::any_of(
      file.base_sessions, [](model::Session const& one) { return one.purpose == SessionPurpose::screen; });
  for (auto const& [id, base] : bases) {
    auto const head = heads.find(id);
    for (SessionPurpose const purpose : {SessionPurpose::screen, SessionPurpose::confirm}) {
      if (head == heads.end() || (purpose == SessionPurpose::screen && !screened)) {
        continue;  // a base build that only confirms has no screen
      }
      auto const in = [&](auto const& counts) { return counts.contains(purpose) ? counts.at(purpose) : 0; };
      if (std::size_t const some = in(base), all = in(head->second); some < all) {
        incomplete[id] = {.code = kCutCode, .why = taken_out(some, all, purpose, "the base build's ")};
      }
    }
  }
}

bool may_be_copied(model::CaseResult const& result) {
  if (!result.rounds || result.rounds->time_ns.size() < kFewestCopied) {
    return false;
  }
  std::vector<double> const& times = result.rounds->time_ns;
  return std::ranges::any_of(times, [&](double time) { return time != times.front(); });
}

/// The first session that has these times, by case and the times of its rounds.
using KnownRounds = std::map<std::pair<std::string, std::vector<double>>, std::string>;

/// `known` holds what other files of the same measurement have.
void find_copies(model::Run const& file, KnownRounds& known, IncompleteCases& incomplete) {
  for (auto const& [sessions, whose] : {std::pair{&file.sessions, ""}, {&file.base_sessions, "the base build's "}}) {
    for (model::Session const& session : *sessions) {
      for (model::CaseResult const& result : session.cases) {
        if (!may_be_copied(result) || !gate::believed_unfit(result).empty()) {
          continue;
        }
        std::string const name = fmt::format("{}session {} of run {}", whose, session.id, file.id);
        auto const [first, is_new] = known.try_emplace({result.id, result.rounds->time_ns}, name);
        if (!is_new) {
          incomplete[result.id] = {
              .verdict = model::Verdict::invalid,
              .code = "copied_session",
              .why =
                  fmt::format("{} holds the times of {}, round by round: one of them was not measured; measure again",
                              name, first->second)};
        }
      }
    }
  }
}

}  // namespace

IncompleteCases incomplete_cases(std::span<model::Run const> files, gate::Policy const& policy) {
  IncompleteCases incomplete;
  KnownRounds known;
  for (model::Run const& file : files) {
    if (file.imported_from.empty()) {  // another program measures in every file what it was told to
      std::set<std::string> const aside = unfit_cases(file);
      find_cut(file, aside, policy, incomplete);
      find_cut_base(file, aside, incomplete);
      find_copies(file, known, incomplete);
    }
  }
  return incomplete;
}

void tell_incomplete(gate::Decisions& decisions, IncompleteCases const& incomplete, gate::Policy const& policy,
                     std::function<gate::Decisions(gate::Look)> const& decide_at) {
  std::map<gate::Look, std::set<std::string>> open;  // cases that a look would not have let go
  auto const asked_for_more = [&](gate::Look look, std::string const& id) {
    if (!open.contains(look)) open[look] = gate::wanting(decide_at(look));
    return open[look].contains(id);
  };
  for (gate::CaseDecision& decision : decisions.cases) {
    auto const found = incomplete.find(decision.id);
    if (found == incomplete.end() || model::exit_code_of(decision.verdict) == model::ExitCode::broken) {
      continue;
    }
    auto const& [verdict, code, why, after] = found->second;
    if (!after) {
      decision.verdict = verdict;
      decision.reason_code = code;
      decision.reason = why;
      decision.wants_confirmation = false;
    } else if (decision.verdict == model::Verdict::pass && asked_for_more(*after, decision.id)) {
      decision.verdict = model::Verdict::inconclusive;
      decision.reason_code = code;
      decision.reason += "; it was not clear after these sessions, and there are no more: measure again";
      decision.at_most.reset();
    } else {
      continue;
    }
    worsen(decisions, decision.verdict, policy);
  }
}

}  // namespace perfcheck::results
