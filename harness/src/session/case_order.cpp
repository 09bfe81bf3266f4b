// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "case_order.h"

#include <map>
#include <random>
#include <utility>

namespace perfcheck::session {
namespace {

/// Fisher-Yates with the engine's numbers taken as they are: std::shuffle may draw differently in another standard
/// library, and a seed has to reproduce a session anywhere. The bias of the remainder is below 2^-40 here.
template <typename T>
void shuffle(std::vector<T>& items, std::mt19937_64& engine) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[engine() % i]);
}

}  // namespace

std::vector<std::size_t> case_order(std::vector<protocol::PlannedCase> const& cases, std::optional<uint64_t> seed) {
  std::map<std::string, std::size_t> group_of;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].skip_reason) continue;
    auto const [group, is_new] = group_of.try_emplace(model::split_case_id(cases[i].id).problem, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(i);
  }
  if (seed) {
    std::mt19937_64 engine(*seed);
    shuffle(groups, engine);
    for (std::vector<std::size_t>& group : groups) shuffle(group, engine);
  }
  std::vector<std::size_t> order;
  for (std::vector<std::size_t> const& group : groups) order.insert(order.end(), group.begin(), group.end());
  return order;
}

}  // namespace perfcheck::session
