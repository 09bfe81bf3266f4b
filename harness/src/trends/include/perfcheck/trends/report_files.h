// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of a report.
#pragma once

#include "perfcheck/trends/report_builder.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::trends {

/// A site's files: DIR/index.html and DIR/data/. Other files in DIR stay untouched. Until finish() the old site stays
/// as it is; a build that ends early leaves no trace.
class SiteFiles {
 public:
  explicit SiteFiles(std::filesystem::path folder);
  ~SiteFiles();
  SiteFiles(SiteFiles const&) = delete;
  SiteFiles& operator=(SiteFiles const&) = delete;

  /// A file in data/. Throws store::IoError.
  void add(std::string const& name, std::string const& text);
  /// Puts the new data in the place of the old, then the page.
  void finish(std::string const& page);
  std::size_t bytes() const { return bytes_; }

 private:
  std::filesystem::path folder_, fresh_;
  std::size_t bytes_ = 0;
};

/// Pictures of a device: a ladder for each problem that most kernels ran, and the trend of the case that changed last.
/// Pairs of file name and text.
std::vector<std::pair<std::string, std::string>> pictures_of(BuiltDevice const& built, DeviceHistory const& device,
                                                             history::History& history);

/// Writes a file atomically and creates the folder that it lies in.
void write_in_folder(std::filesystem::path const& file, std::string const& text);

/// {"file": ..., "bytes": ...} and a newline.
std::string file_json(std::filesystem::path const& file, std::size_t bytes);

}  // namespace perfcheck::trends
