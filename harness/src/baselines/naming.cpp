// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/baselines/naming.h"

#include "perfcheck/baselines/stored.h"
#include "perfcheck/model/nearest.h"
#include "perfcheck/model/one_line.h"
#include "perfcheck/store/store.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::baselines {
namespace {

namespace fs = std::filesystem;

/// The ids that an entry concerns: its old ids, its new ids, and all names that later entries give to the new ones.
std::vector<std::string> names_of(std::vector<model::Rename> const& entries, std::size_t index) {
  std::vector<std::string> names{entries[index].from, entries[index].to};
  for (std::size_t i = index + 1; i < entries.size(); ++i) {
    if (model::patterns_overlap(names.back(), entries[i].from)) {
      names.push_back(entries[i].to);
    }
  }
  return names;
}

bool concerns(std::vector<std::string> const& names, std::string const& id) {
  return std::ranges::any_of(names, [&](std::string const& name) { return model::patterns_overlap(name, id); });
}

std::string no_use(model::Rename const& entry, std::vector<std::string> const& known) {
  auto const nearest = model::nearest_name(entry.from, known);
  return model::one_line(fmt::format(
      "{}: concerns no kernel and no stored case: {}", entry.place,
      nearest ? fmt::format("did you mean \"{}\"? Otherwise take it out", *nearest) : "correct it, or take it out"));
}

/// Ids of the cases of all baselines below the folders. The project's own folder belongs to them: a folder given
/// instead may hold the baselines of one device only, and the project's also has kernels of other workers.
std::set<std::string> stored_ids(std::set<fs::path> const& folders) {
  std::set<std::string> ids;
  for (fs::path const& folder : folders) {
    for (fs::path const& file : baseline_files(folder, "")) {
      auto const stored = store::read_baseline(folder, file.parent_path().filename().string(), file.stem().string());
      for (auto const& [id, entry] : stored ? stored->cases : std::map<std::string, model::BaselineCase>()) {
        ids.insert(id);
      }
    }
  }
  return ids;
}

}  // namespace

void require_todays_ids(std::vector<protocol::PlannedCase> const& cases, gate::Names const& names) {
  for (protocol::PlannedCase const& planned : cases) {
    if (std::string const now = names.proposed.now(planned.id); now != planned.id) {
      throw config::ConfigError(model::one_line(fmt::format(
          "{}: {} is to be called {}, but the worker still offers it under its old id: rename the kernel, or "
          "take the entry out",
          names.proposed.place_of(planned.id), planned.id, now)));
    }
  }
}

void require_used(config::Config const& config, std::vector<model::KernelEntry> const& kernels,
                  fs::path const& baselines) {
  gate::Names const& names = config.names;
  std::vector<model::Rename> const& entries = names.proposed.entries();
  std::vector<std::vector<std::string>> open;  // names of entries without a match
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::string> of_entry = names_of(entries, i);
    auto const is_known = [&](std::string const& id) { return concerns(of_entry, id); };
    if (std::ranges::none_of(kernels, is_known, &model::KernelEntry::id) &&
        std::ranges::none_of(names.retired, is_known, &gate::Retired::pattern)) {
      open.push_back(std::move(of_entry));
      indices.push_back(i);
    }
  }
  std::set<std::string> known;  // kernels
  for (std::string const& id : open.empty() ? std::set<std::string>() : stored_ids({baselines, config.baselines})) {
    known.insert(model::split_case_id(id).kernel);
    for (std::size_t i = open.size(); i-- > 0;) {
      if (concerns(open[i], id)) {
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
  if (!open.empty() && !known.empty()) {
    throw config::ConfigError(no_use(entries[indices.front()], {known.begin(), known.end()}));
  }
}

}  // namespace perfcheck::baselines
