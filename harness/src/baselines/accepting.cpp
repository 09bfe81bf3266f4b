// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/accepting.h"

#include "perfcheck/baselines/findings_text.h"
#include "perfcheck/baselines/overview.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/model/json_members.h"
#include "perfcheck/store/audit.h"
#include "perfcheck/store/levels.h"
#include "perfcheck/store/operations.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace perfcheck::baselines {
namespace {

/// --despite: findings that the user overrules, and why. Each pattern must match at least one finding.
class Overruled {
 public:
  explicit Overruled(std::vector<std::pair<std::string, std::string>> const& given) {
    for (auto const& [pattern, why] : given) {
      if (why.find_first_not_of(" \t\n") == std::string::npos) {
        throw UsageError(fmt::format("--despite {}: say why", pattern));
      }
      patterns_.push_back({.pattern = pattern, .why = why});
    }
  }

  std::string why(store::Finding const& finding) {
    for (Pattern& one : patterns_) {
      if (gate::glob_matches(one.pattern, finding.name)) {
        one.used = true;
        return one.why;
      }
    }
    return "";
  }

  void require_all_used() const {
    for (Pattern const& one : patterns_) {
      if (!one.used) {
        throw UsageError(fmt::format("--despite {}: nothing of that name was found; leave it out", one.pattern));
      }
    }
  }

 private:
  struct Pattern {
    std::string pattern, why;
    bool used = false;
  };
  std::vector<Pattern> patterns_;
};

/// The baseline of the operation, if there is one.
std::optional<model::Baseline> find(std::vector<model::Baseline> const& baselines, std::string const& operation) {
  auto const found = std::ranges::find(baselines, operation, &model::Baseline::operation);
  return found == baselines.end() ? std::nullopt : std::optional(*found);
}

nlohmann::json accepted_json(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                             std::string const& file) {
  model::Acceptance const& last = updated.accepted.back();
  nlohmann::json despite = nlohmann::json::array();
  for (model::Despite const& one : last.despite) {
    despite.push_back({{"finding", one.finding}, {"text", one.text}, {"why", one.why}});
  }
  return {{"schema", kBaselinesSchema},         {"file", file},       {"accepted_cases", last.cases},
          {"accepted_sessions", last.sessions}, {"despite", despite}, {"levels", levels_json(moves)}};
}

std::string accepted_text(model::Baseline const& updated, std::vector<store::LevelMove> const& moves,
                          std::string const& file, Detail detail) {
  model::Acceptance const& last = updated.accepted.back();
  std::string text = levels_text(moves, detail);
  for (model::Despite const& one : last.despite) {
    text += fmt::format("accepted all the same: {} ({})\n", one.text, one.why);
  }
  return text + fmt::format("{}: {} cases from {} sessions accepted by {}; review the change and commit it\n", file,
                            last.cases, last.sessions.size(), last.who);
}

}  // namespace

void drop_cases(std::vector<model::Baseline>& baselines, std::vector<std::string> const& patterns) {
  for (std::string const& pattern : patterns) {
    std::size_t dropped = 0;
    for (model::Baseline& baseline : baselines) {
      dropped += std::erase_if(baseline.cases,
                               [&](auto const& entry) { return gate::glob_matches_case(pattern, entry.first); });
    }
    if (dropped == 0) {
      throw UsageError(fmt::format(
          "--drop {}: the baseline has no such case; `perfcheck baseline show --verbose` lists them", pattern));
    }
  }
}

void require_written(std::vector<model::Baseline> const& bases, std::vector<model::Baseline> const& before,
                     std::vector<model::Baseline> const& updated) {
  for (model::Baseline const& base : bases) {
    if (base.cases.size() != find(before, base.operation)->cases.size() && !find(updated, base.operation)) {
      throw UsageError(
          fmt::format("--drop: it names cases of {}, and nothing of {} is accepted; drop them together with "
                      "a run that measured some of its cases",
                      base.operation, base.operation));
    }
  }
}

std::vector<model::Baseline> accepted(std::vector<model::Baseline> const& bases, std::vector<model::Run> const& runs,
                                      store::AcceptOptions accept,
                                      std::vector<std::pair<std::string, std::string>> const& despite,
                                      Context& context) {
  Overruled overruled(despite);
  accept.despite = [&overruled](store::Finding const& finding) { return overruled.why(finding); };
  try {
    std::vector<model::Baseline> updated =
        store::accept_each([&bases](std::string const& operation) { return find(bases, operation); }, runs, accept);
    overruled.require_all_used();
    return updated;
  } catch (store::Refused const& refused) {
    for (std::size_t i = 1; i < refused.findings().size(); ++i) {
      store::Finding const& finding = refused.findings()[i];
      context.terminal.message(fmt::format("also {}: {} ({})", to_text(finding.kind), finding.text, finding.name));
    }
    throw UsageError(refused.what());
  } catch (std::invalid_argument const& rejected) {
    throw UsageError(rejected.what());
  }
}

void report_scattered(model::Baseline const& updated, store::AuditPolicy const& audit, Context& context) {
  for (store::Finding const& finding : store::audit(updated, audit)) {
    if (finding.kind == store::FindingKind::scattered) {
      context.terminal.message("note: " + finding.text);
    }
  }
}

void report_accepted(std::vector<model::Baseline> const& updated, std::vector<model::Baseline> const& before,
                     bool shared_device, std::filesystem::path const& root, Context& context) {
  nlohmann::json json;
  for (model::Baseline const& one : updated) {
    std::string const file = store::baseline_path(root, one.device_slug, one.operation).string();
    std::optional<model::Baseline> const was = find(before, one.operation);
    auto const moves = was ? store::level_moves(*was, one, shared_device) : std::vector<store::LevelMove>{};
    if (context.output == Output::text) {
      context.terminal.print(accepted_text(one, moves, file, context.detail));
    } else if (json.is_null()) {
      json = accepted_json(one, moves, file);
    } else {
      json["also"].push_back(accepted_json(one, moves, file));
    }
  }
  if (context.output == Output::json) {
    context.terminal.print(model::document_text(json));
  }
}

}  // namespace perfcheck::baselines
