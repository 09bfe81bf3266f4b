// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What stands behind every time (docs/trust.md), by name, each asked for in the one place where it is applied. All of
// them hold in every build that is used; ci/without_defences.sh builds workers that lack one, to show which exploits
// get a false time without it. Nothing at run time can take one away.
#pragma once

#include <string_view>

#ifndef PERFCHECK_WITHOUT
#define PERFCHECK_WITHOUT ""  // names with a space in front of and behind each (CMake: PERFCHECK_WITHOUT)
#endif

namespace perfcheck::model {

enum class Defence {
  fresh_data,     ///< every replay has inputs of its own
  poison,         ///< outputs and workspaces are poison before every replay
  comparison,     ///< outputs of timed launches are compared
  all_sets,       ///< and those of all sets, not only of the first one
  inventory,      ///< the recording that is timed holds equal launches in a chain
  steps,          ///< launches on their own, on inputs written right before each, are right and take as long
  overlap,        ///< launches that may begin early wait before they read
  alone,          ///< nothing else is on the device when the clock starts and stops
  settings,       ///< launches leave settings of device and thread as they were
  clocks,         ///< other clocks tell the same time, and no gaps lie around what is timed
  other_threads,  ///< no other thread of the process works while a device is timed
  physics,        ///< no time is below what the device needs
  own_work,       ///< a kernel does not launch what its reference launches
  cold_cache      ///< the cache holds no inputs when the clock starts
};

namespace defences {
struct Named {
  Defence defence;
  std::string_view name;
};
inline constexpr Named kAll[] = {
    {Defence::fresh_data, " FRESH_DATA "},
    {Defence::poison, " POISON "},
    {Defence::comparison, " COMPARISON "},
    {Defence::all_sets, " ALL_SETS "},
    {Defence::inventory, " INVENTORY "},
    {Defence::steps, " STEPS "},
    {Defence::overlap, " OVERLAP "},
    {Defence::alone, " ALONE "},
    {Defence::settings, " SETTINGS "},
    {Defence::clocks, " CLOCKS "},
    {Defence::other_threads, " OTHER_THREADS "},
    {Defence::physics, " PHYSICS "},
    {Defence::own_work, " OWN_WORK "},
    {Defence::cold_cache, " COLD_CACHE "},
};
}  // namespace defences

/// False in a test build without it.
constexpr bool applies(Defence defence) {
  for (auto const& [known, name] : defences::kAll) {
    if (known == defence) return std::string_view(PERFCHECK_WITHOUT).find(name) == std::string_view::npos;
  }
  return true;
}

}  // namespace perfcheck::model
