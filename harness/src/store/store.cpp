// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/store/store.h"

#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

namespace perfcheck::store {

namespace fs = std::filesystem;

void write_run(fs::path const& path, model::Run const& run) { write_file_atomically(path, model::run_to_text(run)); }

model::Run read_run(fs::path const& path) { return model::run_from_text(read_file(path), path.string()); }

namespace {

/// The file of a device and an operation.
fs::path device_file(fs::path const& root, std::string const& device_slug, std::string const& operation,
                     std::string const& ending) {
  // Both come from a worker; neither may lead out of `root`.
  if (device_slug.empty() || device_slug != model::slug_of(device_slug)) {
    throw std::invalid_argument(
        fmt::format("{} is no device slug; use lower-case letters, digits and dashes", model::in_quotes(device_slug)));
  }
  if (!model::is_operation_name(operation)) {
    throw std::invalid_argument(
        fmt::format("{} is no operation; use lower-case letters, digits, '_' and '-'", model::in_quotes(operation)));
  }
  return root / device_slug / (operation + ending);
}

void create_folder(fs::path const& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw IoError(
        fmt::format("cannot create the folder {}: {}; change the permissions of the folders above it, or "
                    "name another place",
                    folder.string(), error.message()));
  }
}

}  // namespace

fs::path baseline_path(fs::path const& root, std::string const& device_slug, std::string const& operation) {
  return device_file(root, device_slug, operation, ".json");
}

fs::path tuning_path(fs::path const& root, std::string const& device_slug, std::string const& operation) {
  return device_file(root, device_slug, operation, std::string(kTuningExtension) + ".json");
}

model::Tuning read_tuning(fs::path const& path) { return model::tuning_from_text(read_file(path), path.string()); }

void write_tuning(fs::path const& path, model::Tuning const& tuning) {
  if (path.has_parent_path()) {
    create_folder(path.parent_path());
  }
  write_file_atomically(path, model::tuning_to_text(tuning));
}

std::optional<model::Baseline> read_baseline(fs::path const& root, std::string const& device_slug,
                                             std::string const& operation) {
  fs::path const path = baseline_path(root, device_slug, operation);
  std::error_code error;
  // Only "there is no such file" means no baseline; a file that cannot be looked at is an error of read_file.
  if (fs::symlink_status(path, error).type() == fs::file_type::not_found) {
    return std::nullopt;
  }
  model::Baseline baseline = model::baseline_from_text(read_file(path), path.string());
  if (baseline.device_slug != device_slug) {
    throw model::FormatError(
        fmt::format("{}: device_slug: is \"{}\", but the file lies in the folder of {}; move it "
                    "to the folder of its device",
                    path.string(), baseline.device_slug, device_slug));
  }
  if (baseline.operation != operation) {
    throw model::FormatError(fmt::format("{}: operation: is \"{}\", but the file is named {}.json; rename it",
                                         path.string(), baseline.operation, operation));
  }
  return baseline;
}

void write_baseline(fs::path const& root, model::Baseline const& baseline) {
  fs::path const path = baseline_path(root, baseline.device_slug, baseline.operation);
  std::string const text = model::baseline_to_text(baseline);
  create_folder(path.parent_path());
  write_file_atomically(path, text);
}

}  // namespace perfcheck::store
