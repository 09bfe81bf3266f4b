// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/stored.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/store/operations.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::baselines {

namespace fs = std::filesystem;

std::vector<fs::path> baseline_files(fs::path const& root, std::string const& slug) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    bool const concerns = slug.empty() || it->path().parent_path().filename() == slug;
    bool const is_tuning = it->path().stem().extension() == store::kTuningExtension;
    if (it.depth() == 1 && it->path().extension() == ".json" && concerns && !is_tuning) {
      files.push_back(it->path());
    }
  }
  if (error && fs::exists(root)) {
    throw store::IoError(fmt::format("{}: {}; make it readable", root.string(), error.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<model::Baseline> trusted_baseline(fs::path const& root, std::string const& device_slug,
                                                std::string const& operation) {
  std::optional<model::Baseline> baseline = store::read_baseline(root, device_slug, operation);
  if (baseline && !baseline->has_digest) {
    std::string const file = store::baseline_path(root, device_slug, operation).string();
    throw CommandError(model::ExitCode::undecided,
                       fmt::format("{}: it is of an older version and has no digest, so nothing tells whether its "
                                   "numbers are those that were accepted; review it and run: perfcheck baseline "
                                   "upgrade {}",
                                   file, file));
  }
  return baseline;
}

std::optional<model::Baseline> trusted_baseline(fs::path const& root, std::string const& device_slug,
                                                model::WorkerInfo const& worker) {
  std::vector<model::Baseline> found;
  for (std::string const& operation : model::operations_of(worker)) {
    if (auto baseline = trusted_baseline(root, device_slug, operation)) {
      found.push_back(std::move(*baseline));
    }
  }
  return store::joined(std::move(found));
}

std::optional<model::Baseline> renamed(std::optional<model::Baseline> baseline, model::Renames const& renames,
                                       fs::path const& root) {
  if (!baseline) {
    return std::nullopt;
  }
  std::string const file = store::baseline_path(root, baseline->device_slug, baseline->operation).string();
  return model::renamed(std::move(*baseline), renames, file);
}

store::AuditPolicy audit_policy(gate::Policy const& policy) {
  return {.min_sd = policy.min_sd,
          .ratio_card_sd = policy.ratio_card_sd,
          .cycles_card_sd = policy.cycles_card_sd,
          .shared_device = policy.shared_device,
          .min_sessions = policy.min_baseline_sessions};
}

store::AuditPolicy audit_policy(config::Config const& config, model::Baseline const& baseline) {
  bool const has_driver = std::any_of(baseline.sessions.begin(), baseline.sessions.end(),
                                      [](model::BaselineSession const& session) { return !session.driver.empty(); });
  return audit_policy(config.backend(has_driver ? "cuda" : "cpu").policy);
}

}  // namespace perfcheck::baselines
