// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Lines of an exported history, and what a history makes of them.
#include "perfcheck/history/export.h"

#include "perfcheck/model/json.h"
#include "support/property.h"
#include "support/run_property.h"

using namespace perfcheck;

namespace {

/// A history in memory takes what was read, or says why not, and gives it back.
void require_kept(history::ImportedLine const& line) {
  history::History kept(":memory:", history::Mode::write);
  if (line.run->shard && fuzz::accepted<history::HistoryError>([&] { return kept.put_shard(*line.run), true; })) {
    std::vector<model::Run> const shards = kept.shards(line.run->shard->fan_out);
    fuzz::require(shards.size() == 1 && model::run_to_text(shards.front()) == model::run_to_text(*line.run),
                  "a history gives a shard back");
  }
  auto const added = fuzz::accepted<history::HistoryError>([&] { return kept.add(*line.run, line.decision); });
  if (!added) {
    return;
  }
  std::vector<history::RunEntry> const runs = kept.runs();
  fuzz::require(runs.size() == 1, "a history of one run has one run");
  fuzz::require(model::run_to_text(kept.run(runs.front())) == model::run_to_text(*line.run),
                "a history gives a run back");
  fuzz::require(kept.decision(runs.front()) == line.decision, "a history gives a decision back");
  for (history::SeriesEntry const& series : kept.series()) {
    kept.read(series, [&](history::Result const& result) { (void)history::csv_line(runs.front(), series, result); });
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const text = fuzz::text_of(data, size);
  (void)history::looks_like_export(text);
  auto const line = fuzz::accepted<model::FormatError>([&] { return history::import_line(text, "history.jsonl:1"); });
  if (!line) {
    return 0;
  }
  fuzz::require(line->run.has_value() != line->calibration.has_value(), "a line is a run or a calibration");
  std::string const written =
      line->run ? history::export_line(*line->run, line->decision) : history::export_line(*line->calibration);
  fuzz::require(written.find('\n') + 1 == written.size(), "a line is one line");
  history::ImportedLine const again = history::import_line(written, "written");
  fuzz::require(again.decision == line->decision, "a decision reads back as it was written");
  if (line->run) {
    fuzz::require_usable(*line->run);
    require_kept(*line);
  } else {
    fuzz::require(again.calibration->document == line->calibration->document, "a calibration reads back");
  }
  return 0;
}
