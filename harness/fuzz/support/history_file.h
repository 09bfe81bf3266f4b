// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A history's file for one input after the other.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::fuzz {

/// A file name in a folder of this process, which is removed at the end.
class HistoryFile {
 public:
  HistoryFile();
  ~HistoryFile();
  HistoryFile(HistoryFile const&) = delete;
  HistoryFile& operator=(HistoryFile const&) = delete;

  std::string const& path() const { return path_; }
  /// The file is gone and so is what SQLite keeps beside it.
  void remove() const;
  void write(std::string_view bytes) const;

 private:
  std::string folder_, path_;
};

/// The fan-out whose shards read_everything asks for.
inline constexpr char const* kFanOut = "slurm-4711";

/// Asks a history for everything it can be asked, and makes a report of it. Only the documented errors end that; what
/// it gives is usable. One that cannot be opened for reading, perhaps because it is of an older version, is opened for
/// writing first.
void read_everything(std::string const& place);

}  // namespace perfcheck::fuzz
