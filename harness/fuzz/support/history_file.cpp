// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/history_file.h"

#include "perfcheck/history/export.h"
#include "perfcheck/model/json.h"
#include "support/history_report.h"
#include "support/property.h"
#include "support/run_property.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>

namespace perfcheck::fuzz {
namespace {

namespace fs = std::filesystem;

/// In memory where there is such a folder: a fuzzer writes thousands of files a second.
fs::path temporary_folder() {
  std::error_code none;
  return fs::is_directory("/dev/shm", none) ? fs::path("/dev/shm") : fs::temp_directory_path();
}

void read_run(history::History& from, history::RunEntry const& entry) {
  (void)accepted<history::HistoryError>([&] { return from.head(entry); });
  auto const decision = accepted<history::HistoryError>([&] { return from.decision(entry); });
  auto const run = accepted<history::HistoryError>([&] { return from.run(entry); });
  if (run && decision) {
    require_usable(*run);
    require(!run->sessions.empty(), "a run has a session");
    std::string const exported = history::export_line(*run, *decision);
    history::ImportedLine const line = history::import_line(exported, "exported");
    // A text that is no UTF-8 is repaired on its way out.
    bool const repaired = exported.find("\xEF\xBF\xBD") != std::string::npos;
    require(line.decision == *decision || (repaired && line.decision.has_value() == decision->has_value()),
            "an exported run reads back with its decision");
  }
}

void require_finite(std::initializer_list<std::optional<double>> figures) {
  for (std::optional<double> const& figure : figures) {
    require(!figure || std::isfinite(*figure), "figures of a result are finite");
  }
}

void require_usable(history::Result const& result) {
  require(result.sessions >= 0, "sessions are counted from 0");
  require_finite({result.time_ns, result.time_hw, result.ratio, result.ratio_hw, result.cycles, result.cycles_hw,
                  result.clock_mhz, result.power_w, result.temperature_c, result.noise});
  if (auto const& decision = result.decision) {
    require_finite({decision->change, decision->low, decision->high, decision->margin, decision->detectable});
  }
}

void read_series(history::History& from, history::SeriesEntry const& series) {
  (void)accepted<history::HistoryError>([&] {
    from.read(series, [&](history::Result const& result) {
      require_usable(result);
      (void)history::csv_line({}, series, result);
    });
    return true;
  });
}

/// False where it cannot even be opened.
bool read_all(std::string const& place) {
  bool opened = false;
  (void)accepted<history::HistoryError>([&] {
    history::History from(place, history::Mode::read);
    opened = true;
    (void)accepted<history::HistoryError>([&] { return from.shards(kFanOut); });
    for (history::RunEntry const& entry : from.runs()) {
      read_run(from, entry);
    }
    for (history::SeriesEntry const& series : from.series()) {
      read_series(from, series);
    }
    (void)from.attributes();
    for (history::StoredCalibration const& calibration : from.calibrations()) {
      (void)accepted<model::FormatError>([&] { return history::export_line(calibration); });
    }
    return true;
  });
  return opened;
}

}  // namespace

HistoryFile::HistoryFile() : folder_((temporary_folder() / "perfcheck-fuzz-XXXXXX").string()) {
  require(::mkdtemp(folder_.data()) != nullptr, "a temporary folder can be made");
  path_ = folder_ + "/history.sqlite";
}

HistoryFile::~HistoryFile() {
  std::error_code none;
  fs::remove_all(folder_, none);
}

void HistoryFile::remove() const {
  for (char const* suffix : {"", "-journal", "-wal", "-shm"}) {
    std::error_code none;
    fs::remove(path_ + suffix, none);
  }
}

void HistoryFile::write(std::string_view bytes) const {
  remove();
  std::ofstream(path_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void read_everything(std::string const& place) {
  if (!read_all(place)) {
    (void)accepted<history::HistoryError>([&] { return history::History(place, history::Mode::write); });
    if (!read_all(place)) {
      return;
    }
  }
  report_everything(place);
}

}  // namespace perfcheck::fuzz
