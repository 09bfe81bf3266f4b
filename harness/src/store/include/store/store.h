// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The only writer of files. Every write is atomic: a reader sees the old file or the new one, never half of one.
#pragma once

#include "model/baseline.h"
#include "model/run.h"

#include <filesystem>
#include <optional>
#include <stdexcept>

namespace perfcheck::store {

/// A file could not be read or written; what() names the file, the system's reason and the remedy.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Writes beside the target, flushes to disk, renames over it. On any failure the target is untouched and the
/// temporary file is removed.
void write_file_atomically(std::filesystem::path const& path, std::string_view text);
std::string read_file(std::filesystem::path const& path);

void write_run(std::filesystem::path const& path, model::Run const& run);
model::Run read_run(std::filesystem::path const& path);

/// <root>/<device-slug>/<operation>.json
std::filesystem::path baseline_path(std::filesystem::path const& root, std::string const& device_slug,
                                    std::string const& operation);
/// Empty when the file does not exist; a file that exists and cannot be read is an error.
std::optional<model::Baseline> read_baseline(std::filesystem::path const& root, std::string const& device_slug,
                                             std::string const& operation);
void write_baseline(std::filesystem::path const& root, model::Baseline const& baseline);

/// What `baseline accept` does to the data, without files: adds the measured cases of every session of `runs` to
/// `base` (or a new baseline). Rejects runs of another device model or operation, runs with injected slowdowns, runs
/// with a case that is neither measured nor skipped or whose numbers are invalid, sessions that measured nothing or
/// are in the baseline already, runs that disagree on a case's reference, and dirty sources unless `allow_dirty`: each
/// a std::invalid_argument that says what to do. With `replace` the sessions that a case already has are dropped first
/// (a new segment after an accepted change); a session that no case uses any more leaves the file, its id is never
/// used again. A case whose reference changed always starts anew.
struct AcceptOptions {
  std::string who, when, why;
  bool replace = false;
  bool allow_dirty = false;
};
model::Baseline accept(std::optional<model::Baseline> base, std::vector<model::Run> const& runs,
                       AcceptOptions const& options);

}  // namespace perfcheck::store
