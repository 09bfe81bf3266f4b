// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The defences behind every measured time (docs/trust.md), by name; each is checked in the one place where it is
// applied. Every build meant for use has all of them. ci/without_defences.sh builds workers that lack one, to show
// which exploits get a false time without it. No defence can be switched off at run time.
#pragma once

#include <string_view>

#ifndef PERFCHECK_WITHOUT
#define PERFCHECK_WITHOUT ""  // names, each with a space before and after (CMake: PERFCHECK_WITHOUT)
#endif

namespace perfcheck::model {

enum class Defence {
  fresh_data,     ///< every replay has inputs of its own
  poison,         ///< outputs and workspaces are poison before every replay
  comparison,     ///< outputs of timed launches are compared
  all_sets,       ///< outputs of all launches are compared, not only those of the first
  inventory,      ///< the timed recording is a chain of equal launches
  steps,          ///< single launches, each on inputs written right before it, are correct and take as long
  overlap,        ///< launches that may begin early wait before they read
  alone,          ///< nothing else is on the device when the clock starts and stops
  settings,       ///< launches leave settings of device and thread as they were
  clocks,         ///< other clocks tell the same time, and there are no gaps around what is timed
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

/// False only in a test build that leaves this defence out.
constexpr bool applies(Defence defence) {
  for (auto const& [known, name] : defences::kAll) {
    if (known == defence) return std::string_view(PERFCHECK_WITHOUT).find(name) == std::string_view::npos;
  }
  return true;
}

}  // namespace perfcheck::model
