// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The only writer of files. Every write is atomic: a reader sees the old file or the new one, never half of one.
#pragma once

#include "perfcheck/model/baseline.h"
#include "perfcheck/model/run.h"
#include "perfcheck/model/tuning.h"
#include "perfcheck/store/audit.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfcheck::store {

/// A file could not be read or written; what() names the file, the system's reason and the remedy.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file written piece by piece, for what is too large for memory. It is written beside the target; finish() flushes
/// it to disk and renames it over the target. On any failure, and without finish(), the target is untouched and nothing
/// is left behind. Every member throws IoError.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path const& path);
  ~AtomicFile();
  AtomicFile(AtomicFile const&) = delete;
  AtomicFile& operator=(AtomicFile const&) = delete;

  void add(std::string_view text);
  void finish();  ///< once, after every add()

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The same for a text as a whole.
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

/// What tells a tuning file from the baseline beside it.
inline constexpr char const* kTuningExtension = ".tuned";
/// <root>/<device-slug>/<operation>.tuned.json
std::filesystem::path tuning_path(std::filesystem::path const& root, std::string const& device_slug,
                                  std::string const& operation);
model::Tuning read_tuning(std::filesystem::path const& path);
/// Creates the folder if need be.
void write_tuning(std::filesystem::path const& path, model::Tuning const& tuning);

/// What `baseline accept` does to the data, without files: adds the measured cases of every session of `runs` to
/// `base` (or a new baseline). Rejects runs of another device model or operation, runs with injected slowdowns, runs
/// with a case that is neither measured nor skipped or whose numbers are invalid, sessions that measured nothing or
/// are in the baseline already, runs that disagree on a case's reference, and dirty sources unless `allow_dirty`: each
/// a std::invalid_argument that says what to do. With `replace` the sessions that a case already has are dropped first
/// (a new segment after an accepted change); a session that no case uses any more leaves the file, its id is never
/// used again. A case whose reference changed always starts anew. What is odd about the new sessions is refused, too
/// (Refused).
struct AcceptOptions {
  std::string who, when, why;
  bool replace = false;
  bool allow_dirty = false;
  /// How much sessions may differ (audit.h). Empty for sessions that are only compared with and become no baseline.
  std::optional<AuditPolicy> audit = AuditPolicy{};
  /// Returns the reason for accepting a finding, which goes on record; empty if there is none.
  std::function<std::string(Finding const&)> despite = {};
};

/// The audit's findings against the sessions to be accepted; what() names run, session, case and remedy of the gravest.
class Refused : public std::invalid_argument {
 public:
  Refused(std::string const& what, std::vector<Finding> findings, std::map<std::string, std::string> run_sessions)
      : std::invalid_argument(what), findings_(std::move(findings)), run_sessions_(std::move(run_sessions)) {}
  std::vector<Finding> const& findings() const { return findings_; }
  /// BaselineSession::run_session of the new sessions, by the ids in the baseline that findings name.
  std::map<std::string, std::string> const& run_sessions() const { return run_sessions_; }

 private:
  std::vector<Finding> findings_;
  std::map<std::string, std::string> run_sessions_;
};

model::Baseline accept(std::optional<model::Baseline> base, std::vector<model::Run> const& runs,
                       AcceptOptions const& options);

}  // namespace perfcheck::store
