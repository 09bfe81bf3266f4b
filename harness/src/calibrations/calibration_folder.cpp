// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/calibrations/calibration_folder.h"

#include "perfcheck/console/errors.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <utility>

namespace perfcheck::calibrations {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlock = "block-";
constexpr std::string_view kRunFile = ".run.json";

/// The number in the name of a block's file; 0 if next_block_file() cannot have given the name.
int number_of(fs::path const& file) {
  std::string const name = file.filename().string();
  int number = 0;
  std::from_chars(name.data() + kBlock.size(), name.data() + name.size(), number);
  return std::max(number, 0);
}

/// The files of blocks, in the order of their numbers.
std::vector<fs::path> blocks_in(fs::path const& folder) {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::directory_entry const& entry : fs::directory_iterator(folder, none)) {
    std::string const name = entry.path().filename().string();
    if (name.starts_with(kBlock) && name.ends_with(kRunFile)) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end(), [](fs::path const& a, fs::path const& b) {
    return std::pair(number_of(a), a) < std::pair(number_of(b), b);
  });
  return files;
}

}  // namespace

CalibrationFolder::CalibrationFolder(fs::path const& root, model::DeviceInfo const& device)
    : folder_(root /
              (device.uuid.empty() ? fmt::format("{}-{}", device.slug, device.index) : model::slug_of(device.uuid))) {}

std::vector<fs::path> CalibrationFolder::block_files() const { return blocks_in(folder_); }

fs::path CalibrationFolder::next_block_file(std::string const& label) const {
  std::vector<fs::path> const files = block_files();
  int const last = files.empty() ? 0 : number_of(files.back());
  if (last == INT_MAX) {
    throw CommandError(model::ExitCode::io_error,
                       fmt::format("{}: no block can have a larger number; rename it to the number after the other "
                                   "blocks' and calibrate again",
                                   files.back().string()));
  }
  return folder_ / fmt::format("{}{:02}{}{}{}", kBlock, last + 1, label.empty() ? "" : "-", label, kRunFile);
}

std::vector<CardRecording> read_recordings(fs::path const& root) {
  std::vector<CardRecording> recordings;
  std::error_code none;
  for (fs::directory_entry const& entry : fs::directory_iterator(root, none)) {
    fs::path const baseline = entry.path() / "baseline.run.json";
    if (!fs::exists(baseline, none)) {
      continue;
    }
    CardRecording recording{
        .card = entry.path().filename().string(), .baseline = store::read_run(baseline), .blocks = {}};
    for (fs::path const& file : blocks_in(entry.path())) {
      recording.blocks.push_back({.file = file.filename().string(), .run = store::read_run(file)});
    }
    recordings.push_back(std::move(recording));
  }
  if (recordings.empty()) {
    throw CommandError(
        model::ExitCode::undecided,
        fmt::format("{}: no calibration in it (a folder per card with baseline.run.json and block-*.run.json); measure "
                    "one with perfcheck calibrate --data {}",
                    root.string(), root.string()));
  }
  std::sort(recordings.begin(), recordings.end(),
            [](CardRecording const& a, CardRecording const& b) { return a.card < b.card; });
  return recordings;
}

}  // namespace perfcheck::calibrations
