// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "support/history_file.h"

#include "history/export.h"
#include "model/json.h"
#include "support/property.h"
#include "support/run_property.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

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
    history::ImportedLine const line = history::import_line(history::export_line(*run, *decision), "exported");
    require(line.decision.has_value() == decision->has_value(), "an exported run reads back with its decision");
  }
}

void read_series(history::History& from, history::SeriesEntry const& series) {
  (void)accepted<history::HistoryError>([&] {
    from.read(series, [&](history::Result const& result) { (void)history::csv_line({}, series, result); });
    return true;
  });
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

bool read_everything(std::string const& place) {
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

}  // namespace perfcheck::fuzz
