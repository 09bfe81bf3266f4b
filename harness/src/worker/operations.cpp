// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/worker/operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace perfcheck::worker {

std::vector<std::string> names_of(Operations const& operations) {
  if (operations.empty()) {
    throw std::logic_error("the worker has no operation; name one: perfcheck_add_worker(... OPERATION <operation>...)");
  }
  std::vector<std::string> names;
  for (auto const& operation : operations) {
    std::string name = operation->name();
    if (!model::is_operation_name(name)) {
      throw std::logic_error(
          fmt::format("'{}' is no operation's name; use lower-case letters, digits, '_' and '-'", name));
    }
    if (std::ranges::find(names, name) != names.end()) {
      throw std::logic_error(fmt::format("two operations of the worker are called {}; rename one", name));
    }
    names.push_back(std::move(name));
  }
  return names;
}

model::CaseName NamedProblem::reference(KernelInfo const& kernel) const {
  model::CaseName name = problem_->reference(kernel);
  if (!name.kernel.empty()) name.problem = prefix_ + name.problem;
  return name;
}

NamedProblem parse_problem(Operations const& operations, std::string_view text) {
  for (auto const& operation : operations) {
    std::string const prefix = model::problem_prefix(operation->name());
    if (text.starts_with(prefix)) {
      bool const is_first = operation == operations.front();
      return {operation->parse(text.substr(prefix.size())), operation->name(), is_first ? "" : prefix};
    }
  }
  auto const& first = operations.front();
  try {
    return {first->parse(text), first->name(), ""};
  } catch (std::invalid_argument const& error) {
    if (operations.size() == 1) throw;
    auto names = names_of(operations);
    names.erase(names.begin());
    throw std::invalid_argument(fmt::format("{}; a problem of another operation than {} begins with its name: {}:...",
                                            error.what(), first->name(), fmt::join(names, ":..., ")));
  }
}

}  // namespace perfcheck::worker
