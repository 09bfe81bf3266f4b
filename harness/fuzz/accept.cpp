// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A stored baseline, a line "=== run" and a run file: what is decided about the run, what the audit says, and the
// baseline that takes the run. Without a baseline the run begins one.
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/results/finished_run.h"
#include "perfcheck/results/renaming.h"
#include "perfcheck/store/levels.h"
#include "perfcheck/store/store.h"
#include "support/property.h"

#include <stdexcept>

using namespace perfcheck;

namespace {

void require_reads_back(model::Baseline const& baseline) {
  // The first writing rounds; from then on a file is what it was.
  std::string const text = model::baseline_to_text(baseline);
  fuzz::require(model::baseline_to_text(model::baseline_from_text(text, "accepted")) == text,
                "an accepted baseline reads back as it was written");
}

void require_lines(std::vector<store::Finding> const& findings) {
  for (store::Finding const& finding : findings) {
    fuzz::require(!finding.name.empty() && !finding.text.empty() && model::one_line(finding.text) == finding.text,
                  "a finding has a name, and a text of one line");
  }
}

void accept(std::optional<model::Baseline> const& baseline, model::Run const& run) {
  for (bool const replace : {false, true}) {
    store::AcceptOptions options{.who = "Ada",
                                 .when = "2026-11-22T08:00:00Z",
                                 .why = "fuzz",
                                 .replace = replace,
                                 .allow_dirty = true,
                                 .audit = std::nullopt};
    auto const taken = fuzz::accepted<std::invalid_argument>([&] { return store::accept(baseline, {run}, options); });
    options.audit = store::AuditPolicy{.shared_device = replace};
    auto const audited = fuzz::accepted<std::invalid_argument>([&] { return store::accept(baseline, {run}, options); });
    options.despite = [](store::Finding const&) { return "fuzz"; };
    auto const despite = fuzz::accepted<std::invalid_argument>([&] { return store::accept(baseline, {run}, options); });
    fuzz::require(taken.has_value() == despite.has_value(), "who knows better overrules every finding");
    fuzz::require(taken.has_value() || !audited.has_value(), "the audit only refuses");
    for (auto const& accepted : {taken, audited, despite}) {
      if (accepted) {
        require_reads_back(*accepted);
        require_lines(store::audit(*accepted, {}));
        (void)store::level_moves(baseline.value_or(model::Baseline{}), *accepted, replace);
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string_view const stored = fuzz::take_until(rest, "\n=== run\n");
  std::optional<model::Baseline> const baseline = fuzz::accepted<model::FormatError>(
      [&] { return model::baseline_from_text(stored, "gemm.json", model::DigestCheck::ignored); });
  auto const run = fuzz::accepted<model::FormatError>([&] { return model::run_from_text(rest, "run.json"); });
  if (run) {
    (void)fuzz::accepted<std::invalid_argument>(
        [&] { return results::decide_finished(*run, baseline, {}, {}, results::Renaming({}, {*run})); });
    accept(baseline, *run);
  }
  return 0;
}
