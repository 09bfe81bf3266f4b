// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "launch_differences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace perfcheck::gate {
namespace {

using model::BaselineCase;
using model::CaseResult;
using model::LaunchAttributes;

std::string dimensions(std::array<int, 3> const& size) { return fmt::format("{}", fmt::join(size, "x")); }
std::string share(double value) { return fmt::format("{:.4g} %", 100 * value); }

struct Property {
  char const* what;
  char const* label;
  std::string (*show)(LaunchAttributes const&);
};

constexpr std::array<Property, 7> kProperties = {{
    {"function", "kernel", [](LaunchAttributes const& l) { return l.function; }},
    {"grid", "grid", [](LaunchAttributes const& l) { return dimensions(l.grid); }},
    {"block", "block", [](LaunchAttributes const& l) { return dimensions(l.block); }},
    {"registers", "registers", [](LaunchAttributes const& l) { return fmt::format("{}", l.registers); }},
    {"shared_memory", "shared memory", [](LaunchAttributes const& l) { return fmt::format("{} B", l.shared_bytes); }},
    {"local_memory", "local memory (spills)",
     [](LaunchAttributes const& l) { return fmt::format("{} B", l.local_bytes); }},
    {"occupancy", "occupancy", [](LaunchAttributes const& l) { return share(l.occupancy); }},
}};

void compare_launch(LaunchAttributes const& before, LaunchAttributes const& after, std::string const& where, int number,
                    DifferenceList& list) {
  for (Property const& property : kProperties) {
    list.compare(property.what, property.label, property.show(before), property.show(after), where, number);
  }
  // Blocks per multiprocessor are reported only where occupancy stayed the same: half as large, twice as many blocks.
  if (share(before.occupancy) == share(after.occupancy)) {
    list.compare("blocks_per_sm", "blocks per multiprocessor", fmt::format("{}", before.blocks_per_sm),
                 fmt::format("{}", after.blocks_per_sm), where, number);
  }
}

std::string where_of(std::size_t index, std::size_t count) {
  return count == 1 ? "" : fmt::format(" in launch {} of {}", index + 1, count);
}

int number_of(std::size_t index, std::size_t count) { return count == 1 ? 0 : static_cast<int>(index) + 1; }

void say_code_changed(std::string before, std::string after, std::string const& where, int launch,
                      DifferenceList& list) {
  list.state({.what = "machine_code",
              .before = std::move(before),
              .after = std::move(after),
              .text = "machine code changed" + where,
              .launch = launch});
}

/// States whether the machine code changed or is the same, if both sides know it; for a case with several kernels,
/// which of them changed.
void compare_machine_code(BaselineCase const& stored, std::vector<LaunchAttributes> const& now, DifferenceList& list) {
  std::string const before = stored.launched.empty() ? stored.machine_code : model::machine_code_of(stored.launched);
  std::string const after = model::machine_code_of(now);
  if (before.empty() || after.empty()) {
    return;
  }
  if (before == after) {
    list.state({.what = "machine_code", .before = before, .after = after, .text = "same machine code"});
    return;
  }
  if (stored.launched.size() != now.size()) {
    say_code_changed(before, after, "", 0, list);
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    std::string const &old_code = stored.launched[i].machine_code, &new_code = now[i].machine_code;
    if (old_code != new_code) {
      say_code_changed(old_code, new_code, where_of(i, now.size()), number_of(i, now.size()), list);
    }
  }
}

/// A hash whose change is reported, with the name of what is hashed.
struct HashedPart {
  char const* what;
  char const* label;
  std::string LaunchAttributes::* hash;
};
constexpr HashedPart kCalledCode = {"called_code", "called code", &LaunchAttributes::called_code};
constexpr HashedPart kConstants = {"constants", "constants", &LaunchAttributes::constants};
constexpr HashedPart kArguments = {"arguments", "arguments", &LaunchAttributes::arguments};

void compare_hash(HashedPart const& part, LaunchAttributes const& before, LaunchAttributes const& after,
                  std::string const& where, int number, DifferenceList& list) {
  std::string const &old_hash = before.*part.hash, &new_hash = after.*part.hash;
  if (!old_hash.empty() && !new_hash.empty() && old_hash != new_hash) {
    list.state({.what = part.what,
                .before = old_hash,
                .after = new_hash,
                .text = fmt::format("{} changed{}", part.label, where),
                .launch = number});
  }
}

/// Compares what the kernel calls and reads, and its launch attributes.
void compare_parts(LaunchAttributes const& before, LaunchAttributes const& after, std::string const& where, int number,
                   DifferenceList& list) {
  compare_hash(kCalledCode, before, after, where, number, list);
  compare_hash(kConstants, before, after, where, number, list);
  if (!before.attributes.empty() && !after.attributes.empty()) {
    list.compare("attributes", "launch attributes", before.attributes, after.attributes, where, number);
  }
}

/// Arguments may contain bytes that differ from process to process, such as uninitialised padding. So they are compared
/// only where the sessions of each side agree.
void compare_arguments(BaselineCase const& stored, std::vector<CaseResult const*> const& fresh, DifferenceList& list) {
  std::vector<LaunchAttributes> const& now = fresh.back()->launches;
  if (stored.work.empty() || stored.launched.size() != now.size()) {
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    bool const agreed = std::all_of(fresh.begin(), fresh.end(), [&](CaseResult const* result) {
      return result->launches.size() == now.size() && result->launches[i].arguments == now[i].arguments;
    });
    if (agreed) {
      compare_hash(kArguments, stored.launched[i], now[i], where_of(i, now.size()), number_of(i, now.size()), list);
    }
  }
}

bool same_kernels(std::vector<LaunchAttributes> const& before, std::vector<LaunchAttributes> const& after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(),
                    [](LaunchAttributes const& one, LaunchAttributes const& other) {
                      return one.function == other.function && one.grid == other.grid && one.block == other.block &&
                             one.shared_bytes == other.shared_bytes;
                    });
}

/// Compares the nodes of the launch other than kernels and, if all nodes are the same, the dependencies between them.
void compare_graph(std::vector<LaunchAttributes> const& before, std::vector<LaunchAttributes> const& after,
                   DifferenceList& list) {
  std::string const &old_nodes = before.front().other_nodes, &new_nodes = after.front().other_nodes;
  std::string const &old_graph = before.front().graph, &new_graph = after.front().graph;
  if (old_nodes.empty() || new_nodes.empty() || old_graph.empty() || new_graph.empty()) {
    return;
  }
  if (old_nodes != new_nodes) {
    list.compare("other_nodes", "memset/memcpy", old_nodes, new_nodes);
  } else if (old_graph != new_graph && same_kernels(before, after)) {
    list.state(
        {.what = "graph", .before = old_graph, .after = new_graph, .text = "order of the launch's nodes changed"});
  }
}

/// States that the work is the same as far as hashes can tell, if it is.
void say_same_work(BaselineCase const& stored, std::vector<CaseResult const*> const& fresh, DifferenceList& list) {
  bool const same = !stored.work.empty() && std::all_of(fresh.begin(), fresh.end(), [&](CaseResult const* result) {
    return model::work_of(*result) == stored.work;
  });
  if (same) {
    list.state(
        {.what = "work", .before = stored.work, .after = stored.work, .text = "same work as far as hashes tell"});
  }
}

std::string names_of(std::vector<LaunchAttributes> const& launches) {
  std::vector<std::string> names;
  for (LaunchAttributes const& launch : launches) {
    names.push_back(launch.function);
  }
  return fmt::format("{} ({})", launches.size(), fmt::join(names, ", "));
}

}  // namespace

void compare_launches(BaselineCase const& stored, std::vector<CaseResult const*> const& fresh, DifferenceList& list) {
  CaseResult const& now = *fresh.back();
  compare_machine_code(stored, now.launches, list);
  say_same_work(stored, fresh, list);
  if (now.launches.empty()) {
    return;
  }
  if (stored.launched.empty()) {
    std::string const before = stored.launches, after = model::launch_hash_of(now);
    if (!before.empty() && before != after) {
      // An older baseline has only a hash, which does not show what changed.
      list.state({.what = "launches",
                  .before = before,
                  .after = after,
                  .text = "launches changed (kernel, grid, block, registers or shared memory)"});
    }
    return;
  }
  std::size_t const count = now.launches.size();
  if (stored.launched.size() != count) {
    // The kernels can no longer be matched by position.
    list.compare("launches", "kernel launches", names_of(stored.launched), names_of(now.launches));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    compare_parts(stored.launched[i], now.launches[i], where_of(i, count), number_of(i, count), list);
    compare_launch(stored.launched[i], now.launches[i], where_of(i, count), number_of(i, count), list);
  }
  compare_arguments(stored, fresh, list);
  compare_graph(stored.launched, now.launches, list);
}

}  // namespace perfcheck::gate
