// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/results/run_files.h"

#include "perfcheck/clock/clock.h"
#include "perfcheck/console/errors.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace perfcheck::results {
namespace {

namespace fs = std::filesystem;

std::string last_change(fs::path const& file) {
  std::error_code error;
  auto const changed = fs::last_write_time(file, error);
  if (error) {
    return "";
  }
  auto const moment = std::chrono::file_clock::to_sys(changed);
  return clock::utc_text(
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(moment)));
}

/// A side file lies in a folder beside the file that names it. The name may begin with the folder that the program ran
/// in, and must not lead anywhere else.
std::optional<std::string> read_beside(fs::path const& file, std::string const& name) {
  fs::path const named(name);
  fs::path const folder = named.parent_path().filename(), last = named.filename();
  if (folder.empty() || last.empty() || folder == "." || folder == ".." || last == "." || last == "..") {
    return std::nullopt;
  }
  try {
    return store::read_file(file.parent_path() / folder / last);
  } catch (store::IoError const&) {
    return std::nullopt;
  }
}

std::vector<fs::path> files_of(fs::path const& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return {path};
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".json" && !it->is_directory()) {
      files.push_back(it->path());
    }
  }
  if (error) {
    throw store::IoError(fmt::format("{}: {}; make it readable", path.string(), error.message()));
  }
  if (files.empty()) {
    throw UsageError(
        fmt::format("{}: this folder holds no .json file; name one with a file per session", path.string()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What all sessions of one measurement must have in common, each with its name for messages.
std::vector<std::pair<char const*, std::string>> identity_of(model::Run const& run) {
  model::DeviceInfo const device = run.sessions.empty() ? model::DeviceInfo{} : run.sessions.front().device;
  return {{"operation", fmt::format("{}", fmt::join(model::operations_of(run.worker), ", "))},
          {"backend", run.worker.backend},
          {"device", device.slug + " " + device.uuid},
          {"commit", run.source.commit + (run.source.dirty ? " with changes" : "")},
          {"program that measured", run.imported_from},
          {"suite", run.suite},
          {"filters", fmt::format("{}", fmt::join(run.filters, ", "))},
          {"injected slowdowns", fmt::format("{}", fmt::join(run.injected, ", "))}};
}

void require_one_measurement(fs::path const& path, std::vector<model::Run> const& runs) {
  std::set<std::string> ids;
  auto const wanted = identity_of(runs.front());
  for (model::Run const& run : runs) {
    if (!ids.insert(run.id).second) {
      // Counted twice, one session would look like two that agree perfectly.
      throw UsageError(fmt::format("{}: run {} is in two of its files; remove one", path.string(), run.id));
    }
    auto const found = identity_of(run);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (found[i].second != wanted[i].second) {
        throw UsageError(
            fmt::format("{}: its files are not sessions of one measurement: {} is \"{}\" in one and \"{}\" "
                        "in another; put them into folders of their own",
                        path.string(), wanted[i].first, wanted[i].second, found[i].second));
      }
    }
  }
}

void add(model::Run& whole, model::Run run) {
  for (model::Session& session : run.sessions) {
    session.id = fmt::format("s{}", whole.sessions.size() + 1);
    whole.sessions.push_back(std::move(session));
  }
  add_problems(whole.problems, run.problems);
  for (model::KernelEntry& kernel : run.kernels) {
    bool const known = std::any_of(whole.kernels.begin(), whole.kernels.end(),
                                   [&kernel](model::KernelEntry const& one) { return one.id == kernel.id; });
    if (!known) {
      whole.kernels.push_back(std::move(kernel));
    }
  }
  whole.seconds += run.seconds;
}

/// The backend decides which policy a run is judged by, so it must exist and be that of the run's devices.
void require_backend(model::Run const& run, fs::path const& file) {
  auto const require = [&](bool good, std::string const& place, std::string const& what) {
    if (!good) {
      throw model::FormatError(
          fmt::format("{}: {} {}: the file was edited; measure again", file.string(), place, what));
    }
  };
  std::string const& backend = run.worker.backend;
  require(backend == "cpu" || backend == "cuda", "worker.backend",
          fmt::format("is {}, and must be cpu or cuda", model::in_quotes(backend)));
  for (auto const& [sessions, key] : {std::pair{&run.sessions, "sessions"}, {&run.base_sessions, "base_sessions"}}) {
    for (std::size_t i = 0; i < sessions->size(); ++i) {
      model::DeviceInfo const& device = (*sessions)[i].device;
      std::string const place = fmt::format("{}[{}].device.backend", key, i);
      require(device.backend == backend, place,
              fmt::format("is {}, but worker.backend is {}", model::in_quotes(device.backend), backend));
      require(backend == "cuda" || device.compute_capability.empty(), place,
              "is \"cpu\", but the device has a compute capability");
    }
  }
}

}  // namespace

model::Run read_any_run(fs::path const& file, importing::ImportOptions options) {
  std::string const text = store::read_file(file);
  options.started = options.started.empty() ? last_change(file) : options.started;
  if (!options.read_side_file) {
    options.read_side_file = [&file](std::string const& name) { return read_beside(file, name); };
  }
  model::Run run = importing::run_from_any(text, file.string(), options);
  if (run.imported_from.empty()) {
    require_backend(run, file);
  }
  return run;
}

std::vector<model::Run> read_runs(fs::path const& path, importing::ImportOptions const& options) {
  std::vector<model::Run> runs;
  for (fs::path const& file : files_of(path)) {
    runs.push_back(read_any_run(file, options));
  }
  return runs;
}

model::Run as_one_run(fs::path const& path, std::vector<model::Run> runs) {
  if (runs.size() == 1) {
    return std::move(runs.front());
  }
  require_one_measurement(path, runs);
  model::Run whole = runs.front();
  whole.sessions.clear();
  whole.seconds = 0;
  for (model::Run& run : runs) {
    add(whole, std::move(run));
  }
  return whole;
}

model::Run read_as_one_run(fs::path const& path, importing::ImportOptions const& options) {
  return as_one_run(path, read_runs(path, options));
}

std::vector<model::Run> read_shards(std::vector<std::string> const& paths, importing::ImportOptions const& options) {
  std::set<fs::path> files;
  for (fs::path const path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.insert(path);
      continue;
    }
    std::size_t const before = files.size();
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      if (it->path().string().ends_with(".run.json") && !it->is_directory()) {
        files.insert(it->path());
      }
    }
    if (error) {
      throw store::IoError(fmt::format("{}: {}; make it readable", path.string(), error.message()));
    }
    if (files.size() == before) {
      throw UsageError(
          fmt::format("{}: there is no *.run.json in this folder or below it; shards write one with --out "
                      "NAME.run.json",
                      path.string()));
    }
  }
  std::vector<model::Run> runs;
  for (fs::path const& file : files) {
    runs.push_back(read_any_run(file, options));
  }
  return runs;
}

std::vector<std::string> import_notes(model::Run const& run) {
  if (run.imported_from.empty()) {
    return {};
  }
  std::vector<std::string> notes{
      fmt::format("imported from {}: nobody verified what these benchmarks compute, and no reference was timed beside "
                  "them, so a busy machine looks like slower code",
                  run.imported_from)};
  std::set<std::string> known;
  for (model::Session const& session : run.sessions) {
    for (std::string const& warning : session.environment.warnings) {
      if (known.insert(warning).second) {
        notes.push_back(warning);
      }
    }
  }
  return notes;
}

}  // namespace perfcheck::results
