// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "names.h"

#include "perfcheck/config/config.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::config {
namespace {

model::Renames renames_of(std::vector<model::Rename> entries) {
  try {
    return model::Renames(std::move(entries));
  } catch (model::RenameError const& error) {
    throw ConfigError(model::one_line(error.what()));
  }
}

/// Today's name for the pattern of a retired kernel or case, whose stars are taken literally.
std::string now(std::string const& pattern, model::Renames const& renamed) {
  return pattern.find('@') == std::string::npos ? renamed.kernel_now(pattern) : renamed.now(pattern);
}

void require_todays_id(gate::Retired const& entry, model::Renames const& renamed) {
  if (std::string const today = now(entry.pattern, renamed); today != entry.pattern) {
    throw ConfigError(model::one_line(
        fmt::format("{}: is an old id, which [renamed] makes \"{}\": name that one", entry.place, today)));
  }
}

}  // namespace

gate::Names read_names(TomlReader& root) {
  gate::Names names;
  std::vector<model::Rename> entries;
  for (TomlReader::PlacedText& one : root.placed_texts_or_empty("renamed")) {
    entries.push_back({.from = std::move(one.key), .to = std::move(one.text), .place = std::move(one.place)});
  }
  names.renamed = renames_of(std::move(entries));
  names.proposed = names.renamed;
  for (TomlReader::PlacedText& one : root.placed_texts_or_empty("retired")) {
    if (one.text.find_first_not_of(" \t\n") == std::string::npos) {
      throw ConfigError(fmt::format("{}: the reason is empty; say why it is gone", one.place));
    }
    names.retired.push_back(
        {.pattern = std::move(one.key), .reason = model::one_line(one.text), .place = std::move(one.place)});
    require_todays_id(names.retired.back(), names.renamed);
  }
  return names;
}

void add_names_of_change(gate::Names& names, gate::Names const& change) {
  std::vector<model::Rename> entries = names.renamed.entries();
  for (model::Rename const& entry : change.renamed.entries()) {
    bool const known = std::ranges::any_of(names.renamed.entries(), [&](model::Rename const& one) {
      return one.from == entry.from && one.to == entry.to;
    });
    if (!known) {
      entries.push_back(entry);
    }
  }
  names.proposed = renames_of(std::move(entries));
  for (gate::Retired const& entry : change.retired) {
    if (std::ranges::find(names.retired, entry.pattern, &gate::Retired::pattern) == names.retired.end()) {
      names.retiring.push_back(entry);
    }
  }
}

}  // namespace perfcheck::config
