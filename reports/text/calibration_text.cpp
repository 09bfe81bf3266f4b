// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/calibration_text.h"

#include "perfcheck/report/columns.h"
#include "perfcheck/report/format.h"
#include "perfcheck/stats/proportion.h"
#include "perfcheck/stats/stats.h"
#include "text/limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfcheck::report {
namespace {

using calibrate::Calibration;
using calibrate::CaseRates;
using calibrate::Group;
using calibrate::Origin;
using calibrate::Rate;
using calibrate::RatesByPercent;

constexpr std::size_t kShownMisses = 40;

std::string two_digits(std::optional<double> share) { return share ? fmt::format("{:.2f} %", 100 * *share) : "-"; }

std::string places(Calibration const& calibration) {
  std::string text;
  for (calibrate::Place const& place : calibration.places) {
    text += fmt::format("{} {}, driver {}", place.device, place.card, place.driver.empty() ? "-" : place.driver);
    for (auto const& [name, version] : place.libraries) {
      text += fmt::format(", {} {}", name, version);
    }
    text += fmt::format(", commit {}: {} sessions without slowdown, {} blocks ({})\n", place.commit.substr(0, 12),
                        place.baseline_sessions, place.blocks.size(), fmt::join(place.blocks, ", "));
  }
  return text + fmt::format("suite {}, compared with {}\n", calibration.suite, calibration.compared_with);
}

/// The time that a case costs in a session, and in the sessions of a confirmation.
std::string cost(char const* what, std::vector<double> const& seconds, int confirm_sessions) {
  if (seconds.empty()) {
    return "";
  }
  double const mean = stats::mean(seconds).value_or(NAN);
  return fmt::format("  {} {:.2f} s of a session in the mean, {:.2f} s at most; confirming it {:.1f} s\n", what, mean,
                     *std::max_element(seconds.begin(), seconds.end()), confirm_sessions * mean);
}

/// Rates per block and per card, which are independent trials.
std::string units(Calibration const& calibration) {
  calibrate::SuiteRates const& rates = calibration.rates;
  std::string text = fmt::format(
      "  {} of {} blocks called a case, or a kernel as a whole, regressed or improved (95 % sure: fewer than {})\n"
      "  {} of {} cards (95 % sure: fewer than {})\n",
      rates.blocks.alarmed, rates.blocks.of, upper_limit(rates.blocks.alarmed, rates.blocks.of), rates.cards.alarmed,
      rates.cards.of, upper_limit(rates.cards.alarmed, rates.cards.of));
  for (std::size_t i = 0; i < std::min(calibration.places.size(), rates.by_card.size()); ++i) {
    calibrate::Place const& place = calibration.places[i];
    calibrate::CardRates const& of_card = rates.by_card[i];
    text += fmt::format(
        "    {}: {} of {} blocks, {} of {} checks; of {} decisions {} were sent to confirmation, {} are inconclusive\n",
        place.card.empty() ? place.device : place.card, of_card.blocks.alarmed, of_card.blocks.of,
        of_card.false_screens, of_card.screens, of_card.untouched, of_card.flagged, of_card.inconclusive);
  }
  return text;
}

std::string not_counted(calibrate::SuiteRates const& rates, bool with_names) {
  std::string text;
  for (auto const& [code, count] : rates.no_alarm_possible) {
    text += fmt::format("  not counted: {} decisions that could not have been an alarm ({})\n", count, code);
  }
  if (!rates.changed.empty()) {
    text += fmt::format("  not counted: {} of {} cases, whose recorded code or launches are not the baseline's{}\n",
                        rates.changed.size(), rates.cases.size(), with_names ? ":" : " (--verbose names them)");
  }
  for (std::string const& id : rates.changed) {
    text += with_names ? fmt::format("    {}\n", id) : "";
  }
  return text;
}

std::string quiet(Calibration const& calibration, bool with_names) {
  calibrate::SuiteRates const& rates = calibration.rates;
  int untouched = 0, flagged = 0, false_alarms = 0, inconclusive = 0;
  std::vector<double> seconds, device_seconds;
  for (CaseRates const& one : rates.cases) {
    untouched += one.untouched;
    flagged += one.flagged;
    false_alarms += one.false_alarms;
    inconclusive += one.inconclusive;
    if (one.seconds > 0) {
      seconds.push_back(one.seconds);
    }
    if (one.device_seconds) {
      device_seconds.push_back(*one.device_seconds);
    }
  }
  std::string text = "\nNothing changed\n" + units(calibration);
  text += fmt::format("  {} of {} checks called an untouched case regressed or improved, {} a kernel as a whole\n",
                      rates.false_screens, rates.screens, rates.false_kernel_screens);
  text += fmt::format("    (rotations of the blocks' sessions{}; were they independent: fewer than {})\n",
                      rates.baselines > 1 ? fmt::format(", each against {} baselines", rates.baselines) : "",
                      upper_limit(rates.false_screens, rates.screens));
  text += fmt::format(
      "  {} of {} decisions about an untouched case (were they independent: fewer than {}); {} inconclusive, in {} "
      "checks\n",
      false_alarms, untouched, upper_limit(false_alarms, untouched), inconclusive, rates.inconclusive_screens);
  text += not_counted(rates, with_names);
  text += fmt::format("  {} of the cases were sent to confirmation, in {} fresh sessions\n",
                      percent_of(untouched > 0 ? static_cast<double>(flagged) / untouched : 0),
                      calibration.confirm_sessions);
  text += cost("a case takes", seconds, calibration.confirm_sessions);
  text += cost("its launches keep the device busy for", device_seconds, calibration.confirm_sessions);
  return text;
}

std::string rate_text(Rate const& rate) {
  if (rate.trials == 0) {
    return "-";
  }
  // Trials of one case in one block share sessions, so the limits count pairs of case and block instead of trials.
  auto const limits =
      stats::proportion_interval(static_cast<int>(std::floor(rate.share() * rate.units)), rate.units, kConfidence);
  return fmt::format("{:5.1f} % ({:.0f} to {:.0f}; {} of {})", 100 * rate.share(), limits ? 100 * limits->low : 0,
                     limits ? 100 * limits->high : 100, rate.found, rate.trials);
}

std::string group_name(Group group) {
  return fmt::format("{}, {}", group.library ? "library kernels" : "own kernels",
                     group.short_launches ? "under 20 us" : "20 us and more");
}

constexpr std::pair<Origin, char const*> kOrigins[] = {
    {Origin::device, "made on the device"},
    {Origin::added, "added to recorded sessions"},
    {Origin::equal, "added to recorded sessions, with code, launches and arguments that look the same"}};

std::string detection(Calibration const& calibration) {
  std::string text = "\nSlowdowns called regressed (95 % limits by pairs of case and block; trials)\n";
  for (auto const& [origin, name] : kOrigins) {
    text += fmt::format("  {}\n", name);
    for (Group const group : {Group{false, false}, Group{false, true}, Group{true, false}, Group{true, true}}) {
      for (auto const& [percent, rate] : calibrate::pooled(calibration.rates, origin, group)) {
        text += fmt::format("    {:<32} {:>4g} %  {}\n", group_name(group), percent, rate_text(rate));
      }
    }
  }
  return text;
}

CaseRates const* find(Calibration const& calibration, std::string const& id) {
  auto const found = std::find_if(calibration.rates.cases.begin(), calibration.rates.cases.end(),
                                  [&](CaseRates const& one) { return one.id == id; });
  return found == calibration.rates.cases.end() ? nullptr : &*found;
}

std::string sessions_differ(Calibration const& calibration, std::string const& id) {
  auto const noise = calibration.noise.find(id);
  if (noise == calibration.noise.end()) {
    return "";
  }
  return fmt::format("sessions differ by {} in cycles, {} in the ratio", two_digits(noise->second.cycles.sessions),
                     two_digits(noise->second.ratio.sessions));
}

std::string misses(Calibration const& calibration, bool all) {
  std::size_t const tried = calibrate::cases_with_goals_tried(calibration.rates);
  if (tried == 0) {
    return "";
  }
  std::string text = "\nGoals";
  for (calibrate::Goal const& goal : calibrate::kGoals) {
    text += fmt::format("{} {:g} % in {:g} % of trials of launches {} {:g} us", &goal == calibrate::kGoals ? ":" : ";",
                        goal.percent, 100 * goal.share, goal.short_launches ? "under" : "from",
                        calibrate::kShortLaunchNs / 1e3);
  }
  text += '\n';
  std::set<std::string> names;
  for (calibrate::Miss const& miss : calibration.misses) {
    names.insert(miss.id);
  }
  text +=
      fmt::format("  {} of {} cases reach them{}\n", tried - names.size(), tried, names.empty() ? "" : "; the others:");
  std::size_t shown = 0;
  for (calibrate::Miss const& miss : calibration.misses) {
    if (!all && ++shown > kShownMisses) {
      text += fmt::format("    and {} more (--verbose lists them)\n", calibration.misses.size() - kShownMisses);
      break;
    }
    CaseRates const* const one = find(calibration, miss.id);
    text += fmt::format("    {}: {:g} % in {} of {} trials; {}; {} can be seen\n", miss.id, miss.goal.percent,
                        percent_of(miss.reached), miss.trials, sessions_differ(calibration, miss.id),
                        two_digits(one->detectable));
  }
  return text;
}

std::string noise(Calibration const& calibration) {
  std::string text = "\nNoise, median and 90th percentile over the program's own kernels (standard deviations)\n";
  auto const row = [&](char const* witness, calibrate::NoiseSplit calibrate::CaseNoise::* split) {
    std::vector<double> rounds, sessions, cards;
    for (auto const& [id, noise] : calibration.noise) {
      CaseRates const* const one = find(calibration, id);
      if (one == nullptr || one->library) {
        continue;
      }
      calibrate::NoiseSplit const& values = noise.*split;
      for (auto const& [list, value] :
           {std::pair{&rounds, values.rounds}, {&sessions, values.sessions}, {&cards, values.cards}}) {
        if (value) {
          list->push_back(*value);
        }
      }
    }
    text += fmt::format("  {:<7}", witness);
    for (auto const& [name, list] : {std::pair{"rounds", &rounds}, {"sessions", &sessions}, {"cards", &cards}}) {
      text +=
          fmt::format("  {} {}, {}", name, two_digits(stats::median(*list)), two_digits(stats::quantile(*list, 0.9)));
    }
    text += '\n';
  };
  row("ratio", &calibrate::CaseNoise::ratio);
  row("cycles", &calibrate::CaseNoise::cycles);
  row("time", &calibrate::CaseNoise::time);
  return text;
}

/// Empty if there is only perfcheck's own rule, whose rates stand further up.
std::string rules(Calibration const& calibration) {
  if (calibration.rules.size() < 2) {
    return "";
  }
  std::string text =
      "\nRules of other tools on the same sessions, compared with the card's own (docs/peer-rules.md); slowdowns made "
      "on "
      "the device, all cases\n";
  std::set<double> percents;
  for (calibrate::RuleRates const& rule : calibration.rules) {
    for (auto const& [percent, rate] : rule.device) {
      percents.insert(percent);
    }
  }
  text += fmt::format("  {:<30} {:>12} {:>12}", "rule", "false alarms", "sessions");
  for (double const percent : percents) {
    text += fmt::format(" {:>7}", fmt::format("{:g} %", percent));
  }
  text += '\n';
  for (calibrate::RuleRates const& rule : calibration.rules) {
    text += fmt::format("  {:<30} {:>12} {:>12}", rule.name,
                        percent_of(rule.untouched > 0 ? static_cast<double>(rule.false_alarms) / rule.untouched : 0),
                        fmt::format("{}/{}", rule.false_screens, rule.screens));
    for (double const percent : percents) {
      auto const found = rule.device.find(percent);
      text += fmt::format(" {:>7}", found == rule.device.end() ? "-" : percent_of(found->second.share()));
    }
    text += '\n';
  }
  return text + "  (false alarms: share of untouched cases; sessions: with at least one false alarm)\n";
}

std::string every_case(Calibration const& calibration) {
  std::string text =
      "\nCases: time per launch; seconds in a session; smallest change seen 4 times in 5; rates by size\n";
  for (CaseRates const& one : calibration.rates.cases) {
    text += fmt::format("  {}  {}  {:.2f} s  {}  {} ", one.id, format_time(one.time_ns), one.seconds,
                        two_digits(one.detectable), sessions_differ(calibration, one.id));
    for (auto const& [percent, rate] : one.of(Origin::added)) {
      text += fmt::format(" {:g}: {}", percent, percent_of(rate.share()));
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string calibration_text(Calibration const& calibration, bool with_cases) {
  return places(calibration) + quiet(calibration, with_cases) + detection(calibration) +
         misses(calibration, with_cases) + noise(calibration) + rules(calibration) +
         (with_cases ? every_case(calibration) : "");
}

}  // namespace perfcheck::report
