// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/store/operations.h"

#include "perfcheck/model/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace perfcheck::store {
namespace {

using model::Baseline;
using model::Run;
using model::Session;

/// Adds the sessions of `other` to `whole`; returns their ids there, by their ids in `other`.
std::map<std::string, std::string> add_sessions(Baseline& whole, Baseline const& other) {
  std::map<std::string, std::string> names;
  for (model::BaselineSession session : other.sessions) {
    auto const same = std::ranges::find_if(whole.sessions, [&](model::BaselineSession const& known) {
      return !known.run_session.empty() && known.run_session == session.run_session;
    });
    if (same != whole.sessions.end()) {
      names[session.id] = same->id;
      continue;
    }
    std::string name = other.operation + "/" + session.id;
    names[session.id] = name;
    session.id = std::move(name);
    whole.sessions.push_back(std::move(session));
  }
  return names;
}

/// The record of acceptances also names sessions that have left the file; `names` does not have these.
std::string renamed(std::map<std::string, std::string> const& names, std::string const& operation,
                    std::string const& id) {
  auto const found = names.find(id);
  return found == names.end() ? operation + "/" + id : found->second;
}

void add(Baseline& whole, Baseline const& other) {
  std::map<std::string, std::string> const names = add_sessions(whole, other);
  auto const rename = [&](std::vector<std::string>& ids) {
    for (std::string& id : ids) id = renamed(names, other.operation, id);
  };
  for (auto [id, entry] : other.cases) {
    rename(entry.session);
    if (!whole.cases.emplace(id, std::move(entry)).second) {
      throw model::FormatError(
          fmt::format("the baselines of {} and {} on {} both hold {}; drop it from one with perfcheck baseline accept "
                      "--drop",
                      whole.operation, other.operation, whole.device_slug, id));
    }
  }
  for (model::Acceptance acceptance : other.accepted) {
    rename(acceptance.sessions);
    whole.accepted.push_back(std::move(acceptance));
  }
  whole.has_digest = whole.has_digest && other.has_digest;
}

/// The run as a worker of this operation alone would have measured it. Sessions that ran no case of it are left out.
Run part_of(Run run, std::string const& operation) {
  std::vector<std::string> const operations = model::operations_of(run.worker);
  for (Session& session : run.sessions) {
    std::erase_if(session.cases, [&](model::CaseResult const& result) {
      return model::operation_of(operations, result.id) != operation;
    });
  }
  std::erase_if(run.sessions, [](Session const& session) {
    return std::ranges::all_of(
        session.cases, [](model::CaseResult const& result) { return result.status == model::CaseStatus::skipped; });
  });
  run.worker.operation = operation;
  run.worker.operations.clear();
  return run;
}

void require_same_operations(std::vector<Run> const& runs, std::vector<std::string> const& operations) {
  for (Run const& run : runs) {
    std::vector<std::string> const own = model::operations_of(run.worker);
    if (own != operations) {
      throw std::invalid_argument(
          fmt::format("run {} is of a worker of {}, run {} of one of {}; accept them one after the other", run.id,
                      fmt::join(own, " and "), runs.front().id, fmt::join(operations, " and ")));
    }
  }
}

}  // namespace

std::optional<Baseline> joined(std::vector<Baseline> baselines) {
  if (baselines.empty()) return std::nullopt;
  Baseline whole = std::move(baselines.front());
  for (std::size_t i = 1; i < baselines.size(); ++i) add(whole, baselines[i]);
  return whole;
}

std::optional<Baseline> read_baselines(std::filesystem::path const& root, std::string const& device_slug,
                                       std::vector<std::string> const& operations) {
  std::vector<Baseline> found;
  for (std::string const& operation : operations) {
    if (auto baseline = read_baseline(root, device_slug, operation)) found.push_back(std::move(*baseline));
  }
  return joined(std::move(found));
}

std::vector<std::string> operations_of(std::string const& operation, std::vector<std::string> const& case_ids) {
  std::vector<std::string> operations{operation};
  for (std::string const& id : case_ids) {
    std::string const problem = model::split_case_id(id).problem;
    std::string const name = problem.substr(0, problem.find(':'));
    bool const is_named = name.size() < problem.size() && model::is_operation_name(name);
    if (is_named && std::ranges::find(operations, name) == operations.end()) operations.push_back(name);
  }
  return operations;
}

std::vector<Baseline> accept_each(std::function<std::optional<Baseline>(std::string const&)> const& stored,
                                  std::vector<Run> const& runs, AcceptOptions const& options) {
  std::vector<std::string> const operations =
      runs.empty() ? std::vector<std::string>{} : model::operations_of(runs.front().worker);
  if (operations.size() < 2) {
    return {accept(operations.empty() ? std::nullopt : stored(operations.front()), runs, options)};
  }
  require_same_operations(runs, operations);
  std::vector<Baseline> accepted;
  for (std::string const& operation : operations) {
    std::vector<Run> parts;
    std::ranges::transform(runs, std::back_inserter(parts), [&](Run const& run) { return part_of(run, operation); });
    std::erase_if(parts, [](Run const& part) { return part.sessions.empty(); });
    if (!parts.empty()) accepted.push_back(accept(stored(operation), parts, options));
  }
  // No operation has anything to accept: accept() on the whole says why.
  if (accepted.empty()) return {accept(stored(operations.front()), runs, options)};
  return accepted;
}

}  // namespace perfcheck::store
