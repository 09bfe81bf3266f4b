// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "outliers.h"

#include "deviations.h"
#include "finding_text.h"
#include "perfcheck/stats/stats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace perfcheck::store {
namespace {

// A session is off as a whole if this share of its cases, and at least kManyCases, exceed half of their limits in the
// same direction. In the sessions of docs/evidence, at most 0.8 % of an H100's did in any witness, and 10 % on the CPU.
constexpr double kManyShare = 0.1;
constexpr double kManyShareOfShared = 0.3;
constexpr std::size_t kManyCases = 4;
constexpr double kPartOfLimit = 0.5;
// ... or if its median case is off by this much. In those sessions it was 0.06 % in cycles, 0.26 % in ratios and 0.14 %
// in time, and a factor of 1.28 on the CPU.
constexpr double kMiddleLimit = 0.015;
constexpr double kMiddleLimitOfTime = 0.05;
double const kMiddleLimitOfShared = std::log(1.5);

/// Deviations of the same sessions.
using Deviations = std::vector<Deviation const*>;

double percent(double change) { return 100 * std::expm1(change); }

std::string against_text(Deviation const& one) {
  switch (one.against) {
    case Against::acceptance: return "the other sessions of its card";
    case Against::card: return "the sessions accepted before on this card";
    case Against::cards: break;
  }
  return "the sessions of other cards or settings";
}

/// Many cases that are off in one witness and direction.
struct Many {
  Deviations off;
  std::size_t cases = 0;  ///< that have the witness
};

double middle_limit(Witness witness, AuditPolicy const& policy) {
  if (policy.shared_device) {
    return kMiddleLimitOfShared;
  }
  return witness == Witness::time ? kMiddleLimitOfTime : kMiddleLimit;
}

/// Ratios to one reference move together when the reference does, so only the one in their middle counts.
Deviations independent(Deviations const& all) {
  if (all.front()->witness != Witness::ratio) {
    return all;
  }
  std::map<std::string, Deviations> by_reference;
  for (Deviation const* one : all) {
    by_reference[*one->reference].push_back(one);
  }
  Deviations middles;
  for (auto& [reference, group] : by_reference) {
    auto const middle = group.begin() + static_cast<std::ptrdiff_t>(group.size() / 2);
    std::nth_element(group.begin(), middle, group.end(),
                     [](Deviation const* a, Deviation const* b) { return a->change < b->change; });
    middles.push_back(*middle);
  }
  return middles;
}

/// Those that are off in this direction by more than their `limit`.
template <typename Limit>
Deviations beyond(Deviations const& all, int direction, Limit limit) {
  Deviations off;
  std::copy_if(all.begin(), all.end(), std::back_inserter(off),
               [&](Deviation const* one) { return direction * one->change > limit(*one); });
  return off;
}

bool are_many(std::size_t off, std::size_t all, AuditPolicy const& policy) {
  double const share = policy.shared_device ? kManyShareOfShared : kManyShare;
  return off >= kManyCases && static_cast<double>(off) >= share * static_cast<double>(all);
}

/// Is the median case off? Not asked between cards, which may differ in everything.
bool is_off_in_the_middle(Deviations const& all, int direction, double limit) {
  std::vector<double> changes;
  for (Deviation const* one : all) {
    changes.push_back(direction * one->change);
  }
  return all.size() >= kManyCases && all.front()->against != Against::cards && *stats::median(changes) > limit;
}

/// What is off as a whole in one witness: many cases are far off, or the median case is.
std::optional<Many> many_of(Deviations const& all, int direction, AuditPolicy const& policy) {
  if (all.empty()) {
    return std::nullopt;
  }
  Deviations const statements = independent(all);
  auto const far = [](Deviation const& one) { return kPartOfLimit * one.limit; };
  if (are_many(beyond(statements, direction, far).size(), statements.size(), policy)) {
    return Many{.off = beyond(all, direction, far), .cases = all.size()};
  }
  double const middle = middle_limit(all.front()->witness, policy);
  if (is_off_in_the_middle(statements, direction, middle)) {
    return Many{.off = beyond(all, direction, [middle](Deviation const&) { return middle; }), .cases = all.size()};
  }
  return std::nullopt;
}

/// The witness and direction in which most cases are off.
std::optional<Many> most_of(Deviations const& all, AuditPolicy const& policy) {
  std::optional<Many> most;
  for (Witness const witness : {Witness::cycles, Witness::ratio, Witness::time}) {
    Deviations of_witness;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of_witness),
                 [witness](Deviation const* one) { return one->witness == witness; });
    for (int const direction : {+1, -1}) {
      std::optional<Many> many = many_of(of_witness, direction, policy);
      if (many && (!most || many->off.size() > most->off.size())) {
        most = std::move(many);
      }
    }
  }
  return most;
}

/// "7 to 110 % slower".
std::string range_text(Deviations const& off) {
  std::vector<double> sizes;
  bool const slower = off.front()->change > 0;
  for (Deviation const* one : off) {
    sizes.push_back(std::abs(percent(one->change)));
  }
  auto const [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  std::string const from = fmt::format("{:.2g}", *least), to = fmt::format("{:.3g}", *most);
  return fmt::format("{}{} % {}", from == to ? "" : from + " to ", to, slower ? "slower" : "faster");
}

class Reporter {
 public:
  Reporter(model::Baseline const& baseline, AuditPolicy const& policy) : baseline_(baseline), policy_(policy) {}

  std::vector<Finding> report(std::vector<Deviation> const& all) {
    std::map<std::vector<std::size_t>, Deviations> by_sessions;
    for (Deviation const& one : all) {
      by_sessions[one.sessions].push_back(&one);
    }
    for (auto const& [sessions, deviations] : by_sessions) {
      if (std::optional<Many> const many = most_of(deviations, policy_)) {
        add_many(sessions, deviations, *many);
      } else {
        add_single(sessions, deviations);
      }
    }
    return std::move(findings_);
  }

 private:
  void add_many(std::vector<std::size_t> const& sessions, Deviations const& all, Many const& many) {
    Deviation const& worst = **std::max_element(many.off.begin(), many.off.end(), [](auto const* a, auto const* b) {
      return std::abs(a->change) < std::abs(b->change);
    });
    std::set<std::string> cases;
    for (Deviation const* one : all) {
      if (one->outlying) {
        cases.insert(*one->case_id);
      }
    }
    for (Deviation const* one : many.off) {
      cases.insert(*one->case_id);
    }
    add(sessions.size() == 1 ? FindingKind::session : FindingKind::level, sessions, "", {cases.begin(), cases.end()},
        fmt::format("{} of {} cases are {} than in {} ({}; most: {})", many.off.size(), many.cases,
                    range_text(many.off), against_text(worst), name_of(worst.witness), *worst.case_id));
  }

  void add_single(std::vector<std::size_t> const& sessions, Deviations const& all) {
    std::map<std::string, Deviations> by_case;
    for (Deviation const* one : all) {
      if (one->outlying) {
        by_case[*one->case_id].push_back(one);
      }
    }
    for (auto const& [id, off] : by_case) {
      std::vector<std::string> changes;
      for (Deviation const* one : off) {
        changes.push_back(fmt::format("{} {:+.3g} %", name_of(one->witness), percent(one->change)));
      }
      add(sessions.size() == 1 ? FindingKind::outlier : FindingKind::level, sessions, id, {id},
          fmt::format("{}: {} against {}; up to {:.2g} % is usual", id, fmt::join(changes, ", "),
                      against_text(*off.front()), percent(off.front()->limit)));
    }
  }

  void add(FindingKind kind, std::vector<std::size_t> const& sessions, std::string const& case_id,
           std::vector<std::string> cases, std::string const& what) {
    Finding finding{.kind = kind,
                    .sessions = {},
                    .cases = std::move(cases),
                    .name = finding_name(kind, baseline_.sessions[sessions.front()], case_id),
                    .text = fmt::format("{}: {}", sessions_text(baseline_, sessions), what)};
    for (std::size_t const i : sessions) {
      finding.sessions.push_back(baseline_.sessions[i].id);
    }
    findings_.push_back(std::move(finding));
  }

  model::Baseline const& baseline_;
  AuditPolicy const& policy_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> find_outliers(model::Baseline const& baseline, AuditPolicy const& policy) {
  return Reporter(baseline, policy).report(deviations_of(baseline, policy));
}

}  // namespace perfcheck::store
