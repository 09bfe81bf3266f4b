// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// All cases of 64 consecutive runs, for comparing two runs without reading every series.
#pragma once

#include "perfcheck/report/series.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace perfcheck::report {

inline constexpr int kRunsPerBlock = 64;

/// Builds the run blocks of one device from its series, one at a time. Keeps encoded data only: about 16 bytes per run
/// and case (twice that while strings grow), 80 to 160 MB for 1,000 cases of 5,000 runs.
class RunBlocks {
 public:
  /// For a device with this many runs and cases.
  RunBlocks(int runs, int cases);
  ~RunBlocks();
  RunBlocks(RunBlocks&&) noexcept;
  RunBlocks& operator=(RunBlocks&&) noexcept;

  /// Cases must come in ascending order; cases that are left out have no values. Not thread-safe. Throws
  /// std::invalid_argument for a wrong order or an index out of range, and as check() does.
  void add(int case_index, Series const& series);
  int blocks() const;
  /// The chunk of a block before compression (docs/report-data.md, Runs); frees its memory. Call it once per block,
  /// after all calls of add(). Throws std::invalid_argument for an index out of range, and for attributes that are not
  /// JSON.
  std::string finish(int block);

 private:
  struct Block;
  void skip_to(int case_index);
  std::size_t text_number(std::string const& text);

  int runs_ = 0, cases_ = 0;
  int next_case_ = 0;
  std::unordered_map<std::string, std::size_t> number_of_text_;  ///< texts of all attribute tables: most are equal
  std::vector<std::string const*> texts_;                        ///< its keys by number
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace perfcheck::report
