// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "duplicates.h"

#include "finding_text.h"
#include "perfcheck/model/json_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace perfcheck::store {
namespace {

/// Time, ratio and cycles of a case as a file keeps them; 0 for those that are absent.
using Numbers = std::array<double, 3>;

/// What one session says, by case.
using Cases = std::map<std::string, Numbers>;

double value_in(std::vector<double> const& column, std::size_t i, int digits) {
  return i < column.size() ? model::rounded(column[i], digits) : 0;
}

std::map<std::string, Cases> by_session(model::Baseline const& baseline) {
  std::map<std::string, Cases> sessions;
  for (auto const& [id, entry] : baseline.cases) {
    for (std::size_t i = 0; i < entry.session.size(); ++i) {
      sessions[entry.session[i]][id] = {value_in(entry.time_ns, i, model::kMeasurementDigits),
                                        entry.reference == id ? 0 : value_in(entry.ratio, i, model::kRatioDigits),
                                        value_in(entry.cycles, i, model::kMeasurementDigits)};
    }
  }
  return sessions;
}

/// Cases of `later` that have the same numbers in `earlier`.
struct Shared {
  std::vector<std::string> equal;
  std::size_t both = 0;
};

Shared shared_by(Cases const& earlier, Cases const& later) {
  Shared shared;
  for (auto const& [id, numbers] : later) {
    auto const found = earlier.find(id);
    if (found != earlier.end()) {
      ++shared.both;
      if (found->second == numbers) {
        shared.equal.push_back(id);
      }
    }
  }
  return shared;
}

/// Cases of `later` whose numbers another case has in `earlier`.
std::vector<std::string> moved(Cases const& earlier, Cases const& later) {
  std::multimap<Numbers, std::string> known;
  for (auto const& [id, numbers] : earlier) {
    known.emplace(numbers, id);
  }
  std::vector<std::string> cases;
  for (auto const& [id, numbers] : later) {
    auto const [first, last] = known.equal_range(numbers);
    if (std::any_of(first, last, [&id](auto const& entry) { return entry.second != id; })) {
      cases.push_back(id);
    }
  }
  return cases;
}

bool most(std::size_t some, std::size_t all) { return all > 0 && 2 * some > all; }

}  // namespace

std::vector<Finding> find_duplicates(model::Baseline const& baseline) {
  std::map<std::string, Cases> sessions = by_session(baseline);
  std::vector<Finding> findings;
  for (std::size_t later = 1; later < baseline.sessions.size(); ++later) {
    Cases const& cases = sessions[baseline.sessions[later].id];
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      Cases const& others = sessions[baseline.sessions[earlier].id];
      Shared const shared = shared_by(others, cases);
      bool const same = most(shared.equal.size(), shared.both);
      std::vector<std::string> const concerned = same ? shared.equal : moved(others, cases);
      if (!same && !most(concerned.size(), cases.size())) {
        continue;
      }
      std::array<std::size_t, 1> const this_one = {later}, that_one = {earlier};
      findings.push_back(
          {.kind = FindingKind::duplicate,
           .sessions = {baseline.sessions[later].id},
           .cases = concerned,
           .name = finding_name(FindingKind::duplicate, baseline.sessions[later], ""),
           .text = fmt::format("{} holds the numbers of {}{} in {} of {} cases ({})", sessions_text(baseline, this_one),
                               sessions_text(baseline, that_one), same ? "" : ", under the names of other cases,",
                               concerned.size(), same ? shared.both : cases.size(), concerned.front())});
      break;  // one is enough
    }
  }
  return findings;
}

}  // namespace perfcheck::store
