// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A stored baseline, a line "=== run" and a run file: what is decided about the run, and the baseline that takes it.
// Without a baseline the run begins one.
#include "perfcheck/model/json.h"
#include "perfcheck/store/store.h"
#include "results/finished_run.h"
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

void accept(std::optional<model::Baseline> const& baseline, model::Run const& run) {
  for (bool const replace : {false, true}) {
    store::AcceptOptions const options{
        .who = "Ada", .when = "2026-11-22T08:00:00Z", .why = "fuzz", .replace = replace, .allow_dirty = true};
    if (auto const accepted =
            fuzz::accepted<std::invalid_argument>([&] { return store::accept(baseline, {run}, options); })) {
      require_reads_back(*accepted);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view rest = fuzz::text_of(data, size);
  std::string_view const stored = fuzz::take_until(rest, "\n=== run\n");
  std::optional<model::Baseline> const baseline =
      fuzz::accepted<model::FormatError>([&] { return model::baseline_from_text(stored, "gemm.json"); });
  auto const run = fuzz::accepted<model::FormatError>([&] { return model::run_from_text(rest, "run.json"); });
  if (run) {
    (void)fuzz::accepted<std::invalid_argument>([&] { return cli::decide_finished(*run, baseline, {}, {}); });
    accept(baseline, *run);
  }
  return 0;
}
