// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/items.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace perfcheck::report::ci {
namespace {

using model::ExitCode;
using model::Verdict;

Standing standing_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::regressed: return Standing::regressed;
    case Verdict::missing:
    case Verdict::incorrect:
    case Verdict::implausible:
    case Verdict::crashed:
    case Verdict::timed_out:
    case Verdict::failed:
    case Verdict::invalid: return Standing::broken;
    case Verdict::inconclusive:
    case Verdict::no_baseline:
    case Verdict::incomparable: return Standing::undecided;
    case Verdict::improved: return Standing::improved;
    case Verdict::pass: return Standing::fine;
    case Verdict::skipped: return Standing::skipped;
  }
  throw std::logic_error("unknown verdict");
}

/// Also handles outcomes that are no verdicts: measured or verified without a comparison, or recorded for the next one.
Standing standing_of(std::string const& outcome) {
  std::optional<Verdict> const verdict = model::verdict_from_text(outcome);
  return verdict ? standing_of(*verdict) : outcome == gate::kRecordedCode ? Standing::undecided : Standing::fine;
}

template <typename List>
auto by_id(List const& list) {
  std::map<std::string_view, typename List::value_type const*> index;
  for (auto const& one : list) index.emplace(one.id, &one);
  return index;
}

template <typename Map>
auto find_or_null(Map const& map, std::string const& id) -> typename Map::mapped_type {
  auto const found = map.find(id);
  return found == map.end() ? nullptr : found->second;
}

/// Rows know whether the policy demotes their verdict; decisions about kernels do not, so this looks for a row with the
/// same verdict. Where there is none, the kernel counts as failed.
bool kernel_failed(CheckResult const& result, gate::CaseDecision const& kernel) {
  ExitCode const asked_for = model::exit_code_of(kernel.verdict);
  if (asked_for == ExitCode::ok || model::worse(result.exit_code, asked_for) != result.exit_code) return false;
  auto const same = [&](CaseRow const& row) { return row.outcome == model::to_text(kernel.verdict); };
  auto const row = std::find_if(result.rows.begin(), result.rows.end(), same);
  return row == result.rows.end() || row->failed;
}

std::string device_name(model::Run const& run) { return run.sessions.empty() ? "" : run.sessions.front().device.name; }

struct Counts {
  std::size_t cases = 0;    ///< without skipped ones
  std::size_t kernels = 0;  ///< that regressed as a whole
  std::map<Standing, std::size_t> standing;
  std::vector<std::pair<std::string, std::size_t>> outcomes;  ///< outcomes of cases that stand out, in their order

  explicit Counts(std::vector<Item> const& items) {
    for (Item const& item : items) {
      if (item.is_kernel) {
        kernels += item.standing == Standing::regressed ? 1 : 0;
        continue;
      }
      cases += item.standing == Standing::skipped ? 0 : 1;
      ++standing[item.standing];
      if (!item.stands_out()) continue;
      auto known =
          std::find_if(outcomes.begin(), outcomes.end(), [&](auto const& o) { return o.first == item.outcome; });
      if (known == outcomes.end()) known = outcomes.insert(known, {item.outcome, 0});
      ++known->second;
    }
  }

  std::size_t of(Standing one) const {
    auto const found = standing.find(one);
    return found == standing.end() ? 0 : found->second;
  }
};

std::string plural(std::size_t count, char const* one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

/// The first half of the headline.
std::string statement(CheckResult const& result, Counts const& counts) {
  std::string const of_all = fmt::format("of {}", plural(counts.cases, "case"));
  if (counts.cases == 0) return "No case was measured";
  switch (result.exit_code) {
    case ExitCode::ok:
      if (counts.of(Standing::fine) + counts.of(Standing::improved) < counts.cases) {
        return fmt::format("None {} failed", of_all);
      }
      return fmt::format("{} {}", counts.cases == 1 ? "The only case" : fmt::format("All {} cases", counts.cases),
                         result.decisions.cases.empty() ? "measured" : "passed");
    case ExitCode::regressed:
      return counts.of(Standing::regressed) > 0
                 ? fmt::format("{} {} regressed", counts.of(Standing::regressed), of_all)
                 : fmt::format("{} regressed in all cases together", plural(counts.kernels, "kernel"));
    case ExitCode::broken:
      return counts.of(Standing::broken) > 0 ? fmt::format("{} {} broken", counts.of(Standing::broken), of_all)
                                             : "The numbers cannot be used";
    case ExitCode::undecided:
      return counts.of(Standing::undecided) > 0 ? fmt::format("{} {} undecided", counts.of(Standing::undecided), of_all)
                                                : "Nothing was decided";
    case ExitCode::usage:
    case ExitCode::io_error:
    case ExitCode::interrupted: break;
  }
  return fmt::format("perfcheck ended early, with exit code {}", static_cast<int>(result.exit_code));
}

}  // namespace

std::optional<gate::Witness> Item::change() const {
  if (row != nullptr) return row->change;
  return decision == nullptr ? std::nullopt : decision->deciding();
}

std::vector<Item> items_of(CheckResult const& result) {
  bool const may_fail = result.exit_code != ExitCode::ok;
  auto const decisions = by_id(result.decisions.cases);
  auto const entries = by_id(result.run.kernels);
  std::vector<Item> items;
  for (gate::CaseDecision const& kernel : result.decisions.kernels) {
    if (kernel.verdict == Verdict::pass) continue;
    items.push_back({.id = kernel.id, .kernel = kernel.id, .outcome = std::string(model::to_text(kernel.verdict))});
    Item& item = items.back();
    item.reason = kernel.reason;
    item.standing = standing_of(kernel.verdict);
    item.failed = kernel_failed(result, kernel);
    item.is_kernel = true;
    item.decision = &kernel;
    item.entry = find_or_null(entries, kernel.id);
  }
  for (CaseRow const& row : result.rows) {
    model::CaseName const name = model::split_case_id(row.id);
    items.push_back({.id = row.id, .kernel = name.kernel, .problem = name.problem, .outcome = row.outcome});
    Item& item = items.back();
    item.reason = row.reason;
    item.standing = standing_of(row.outcome);
    item.failed = row.failed && may_fail;
    item.row = &row;
    item.decision = find_or_null(decisions, row.id);
    item.entry = find_or_null(entries, name.kernel);
  }
  std::stable_sort(items.begin(), items.end(), [](Item const& a, Item const& b) { return a.standing < b.standing; });
  return items;
}

std::string failure_of_the_whole(CheckResult const& result, std::vector<Item> const& items) {
  bool const explained = std::any_of(items.begin(), items.end(), [](Item const& item) { return item.failed; });
  if (result.exit_code == ExitCode::ok || explained) return "";
  std::string const code = fmt::format("exit code {}", static_cast<int>(result.exit_code));
  return result.decisions.notes.empty() ? code : fmt::format("{}; {}", fmt::join(result.decisions.notes, "; "), code);
}

std::string headline(CheckResult const& result, std::vector<Item> const& items) {
  Counts const counts(items);
  std::vector<std::string> rest;
  if (counts.kernels > 0 && counts.of(Standing::regressed) > 0) {
    rest.push_back(fmt::format("{} as a whole", plural(counts.kernels, "kernel")));
  }
  bool const told = result.exit_code == ExitCode::regressed;
  for (auto const& [outcome, count] : counts.outcomes) {
    if (!(told && outcome == model::to_text(Verdict::regressed))) {
      rest.push_back(fmt::format("{} {}", count, words_of(outcome)));
    }
  }
  return fmt::format("{} on {}{}{}", statement(result, counts), device_of(result), rest.empty() ? "" : ": ",
                     fmt::join(rest, ", "));
}

std::string device_of(CheckResult const& result) {
  std::string const device = device_name(result.run);
  return !device.empty() ? device : !result.name.empty() ? result.name : "an unknown device";
}

std::optional<double> time_before(Item const& item) {
  if (item.row == nullptr || !item.row->time_ns || item.decision == nullptr || !item.decision->time)
    return std::nullopt;
  double const before = *item.row->time_ns / (1 + item.decision->time->change);
  return std::isfinite(before) && before > 0 ? std::optional(before) : std::nullopt;
}

std::optional<Limits> time_limits(Item const& item) {
  std::optional<double> const before = time_before(item);
  if (!before) return std::nullopt;
  Limits const limits{.low = *before * (1 + item.decision->time->low),
                      .high = *before * (1 + item.decision->time->high)};
  bool const usable = std::isfinite(limits.low) && std::isfinite(limits.high) && limits.low > 0;
  return usable ? std::optional(limits) : std::nullopt;
}

std::string words_of(std::string outcome) {
  std::replace(outcome.begin(), outcome.end(), '_', ' ');
  return outcome;
}

std::string repro_of(CheckResult const& result, std::string const& case_id) {
  for (Repro const& repro : result.repro) {
    bool const covers = std::find(repro.case_ids.begin(), repro.case_ids.end(), case_id) != repro.case_ids.end();
    if (covers) return repro.command;
  }
  return "";
}

std::string digits(std::optional<double> value, int significant) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}g}", *value, significant) : "";
}

}  // namespace perfcheck::report::ci
