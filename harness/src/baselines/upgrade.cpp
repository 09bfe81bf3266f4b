// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/upgrade.h"

#include "perfcheck/baselines/findings_text.h"
#include "perfcheck/baselines/stored.h"
#include "perfcheck/model/json.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::baselines {

Upgraded upgrade(config::Config const& config, std::filesystem::path const& file) {
  std::string const before = store::read_file(file), after = model::upgraded_baseline(before, file.string());
  Upgraded result{.file = file,
                  .was = model::parse_strict(before, file.string()).at("schema"),
                  .changed = after != before,
                  .baseline = model::baseline_from_text(after, file.string()),
                  .findings = {}};
  result.findings = store::audit(result.baseline, audit_policy(config, result.baseline));
  if (result.changed) {
    store::write_file_atomically(file, after);
  }
  return result;
}

std::string upgraded_text(Upgraded const& one, Detail detail) {
  std::string const what = !one.changed ? "nothing to do"
                           : one.was == model::kBaselineSchema
                               ? "it has a new digest; review what was edited"
                               : fmt::format("{} is now {}", one.was, model::kBaselineSchema);
  return fmt::format("{}: {}\n{}", one.file.string(), what, findings_text(one.baseline, one.findings, detail));
}

}  // namespace perfcheck::baselines
