// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Where a calibration keeps what it measured: one folder per card, one run file per block of sessions.
#pragma once

#include "perfcheck/model/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfcheck::calibrations {

/// DIR/<card>/baseline.run.json and DIR/<card>/block-01.run.json, block-02-<label>.run.json, ... Files of all cards
/// together are one calibration; they can be copied from several machines into one folder.
class CalibrationFolder {
 public:
  CalibrationFolder(std::filesystem::path const& root, model::DeviceInfo const& device);

  std::filesystem::path baseline_file() const { return folder_ / "baseline.run.json"; }
  /// Blocks of this card in the order of their numbers.
  std::vector<std::filesystem::path> block_files() const;
  /// A name that no block has yet. Throws CommandError if a block already has the largest possible number.
  std::filesystem::path next_block_file(std::string const& label) const;

 private:
  std::filesystem::path folder_;
};

/// What one card contributed.
struct CardRecording {
  std::string card;  ///< name of its folder
  model::Run baseline;
  struct Block {
    std::string file;
    model::Run run;
  };
  std::vector<Block> blocks;
};

/// Every card's recording below `root`, sorted by folder. Throws CommandError when there is none, store::IoError and
/// model::FormatError for files that cannot be read.
std::vector<CardRecording> read_recordings(std::filesystem::path const& root);

}  // namespace perfcheck::calibrations
