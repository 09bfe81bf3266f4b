// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/earlier_run.h"

#include "perfcheck/config/asked.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/shard.h"
#include "perfcheck/results/as_baseline.h"
#include "perfcheck/store/operations.h"

#include <fmt/format.h>

#include <utility>

namespace perfcheck::results {
namespace {

void require_comparable(model::Run const& base, model::Run const& now) {
  auto const identity = [](model::Run const& run) {
    return fmt::format("{} on {}", run.worker.operation,
                       run.sessions.empty() ? "nothing" : run.sessions.front().device.slug);
  };
  if (identity(base) != identity(now)) {
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("the runs cannot be compared: {} against {}; record both on devices of one model",
                                   identity(base), identity(now)));
  }
}

/// The accepted baseline of the device, to report how far both runs are behind it. One without a digest is ignored.
std::optional<model::Baseline> accepted_baseline(std::filesystem::path const& folder, model::Run const& now,
                                                 Renaming& renaming) {
  std::optional<model::Baseline> accepted =
      store::read_baselines(folder, now.sessions.front().device.slug, model::operations_of(now.worker));
  return accepted && accepted->has_digest ? renaming.baseline(std::move(accepted), folder) : std::nullopt;
}

}  // namespace

Comparison earlier_run(std::string const& file, model::Run base, model::Run const& now, gate::Policy const& policy,
                       std::filesystem::path const& folder, AskedOptions const& asked, Renaming& renaming) {
  base = renaming.base_run(std::move(base), file);
  require_comparable(base, now);
  std::optional<model::Baseline> baseline = baseline_of(base, file);
  if (!baseline) {
    throw CommandError(model::ExitCode::broken, fmt::format("{}: nothing was measured in it; record it again", file));
  }
  Comparison comparison{.baseline = std::move(baseline),
                        .confirm_base = {},
                        .anchor = accepted_baseline(folder, now, renaming),
                        .scope = {},
                        .policy = policy,
                        .asked = {},
                        .lacking = {},
                        .notes = {},
                        .incomplete = {},
                        .only = {},
                        .names = {},
                        .old_ids = {}};
  for (auto const& [id, stored] : comparison.baseline->cases) {
    if (config::selected(asked.filters, id) && model::measures(asked.shard, id)) {
      comparison.scope.insert(id);
    }
  }
  return comparison;
}

}  // namespace perfcheck::results
