// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/run.h"

#include "perfcheck/model/digest.h"
#include "perfcheck/model/one_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::model {
namespace {

constexpr bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Hashed by launch_hash_of(). Must not change: baselines store the hash.
std::string shape_of(LaunchAttributes const& launch) {
  return fmt::format("{} {} {} {} {}", launch.function, fmt::join(launch.grid, "x"), fmt::join(launch.block, "x"),
                     launch.registers, launch.shared_bytes);
}

/// Version of work_of(): raise it with any change of what is hashed, here or where a worker makes one of the parts.
constexpr char const* kWorkMeaning = "1:";
constexpr std::array kWorkParts = {&LaunchAttributes::machine_code, &LaunchAttributes::called_code,
                                   &LaunchAttributes::constants,    &LaunchAttributes::arguments,
                                   &LaunchAttributes::attributes,   &LaunchAttributes::other_nodes,
                                   &LaunchAttributes::graph};

}  // namespace

std::string to_text(SessionPurpose purpose) {
  switch (purpose) {
    case SessionPurpose::screen: return "screen";
    case SessionPurpose::confirm: return "confirm";
    case SessionPurpose::baseline: return "baseline";
  }
  throw std::logic_error("a session purpose outside of its enum has no text");
}

std::vector<std::string> session_purpose_texts() {
  return {to_text(SessionPurpose::screen), to_text(SessionPurpose::confirm), to_text(SessionPurpose::baseline)};
}

std::optional<SessionPurpose> session_purpose_from_text(std::string_view text) {
  for (SessionPurpose const purpose : {SessionPurpose::screen, SessionPurpose::confirm, SessionPurpose::baseline}) {
    if (to_text(purpose) == text) {
      return purpose;
    }
  }
  return std::nullopt;
}

CaseName split_case_id(std::string const& id) {
  std::size_t const at = id.find('@');
  if (at == std::string::npos) {
    return {.kernel = "", .problem = id};
  }
  return {.kernel = id.substr(0, at), .problem = id.substr(at + 1)};
}

bool is_case_id(std::string const& id) {
  CaseName const name = split_case_id(id);
  return !name.kernel.empty() && !name.problem.empty() && one_line(id) == id;
}

std::string case_id(std::string const& kernel, std::string const& problem) { return kernel + "@" + problem; }

std::string slug_of(std::string const& name) {
  std::string slug;
  bool dash_due = false;
  for (char const c : name) {
    if (!is_letter_or_digit(c)) {
      dash_due = !slug.empty();
      continue;
    }
    if (dash_due) {
      slug += '-';
      dash_due = false;
    }
    slug += lower(c);
  }
  return slug;
}

bool is_operation_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (is_letter_or_digit(c) && c == lower(c)) || c == '_' || c == '-';
  });
}

std::string problem_prefix(std::string const& operation) { return operation + ":"; }

std::vector<std::string> operations_of(WorkerInfo const& worker) {
  return worker.operations.empty() ? std::vector{worker.operation} : worker.operations;
}

std::string const& operation_of(std::vector<std::string> const& operations, std::string const& case_id) {
  std::string const problem = split_case_id(case_id).problem;
  auto const named = std::find_if(operations.begin(), operations.end(), [&](std::string const& operation) {
    return problem.starts_with(problem_prefix(operation));
  });
  return named == operations.end() ? operations.at(0) : *named;
}

std::string machine_code_of(std::vector<LaunchAttributes> const& launches) {
  Digest hash;
  for (LaunchAttributes const& launch : launches) {
    if (launch.machine_code.empty()) {
      return {};
    }
    hash.add(launch.machine_code);
  }
  return launches.empty() ? std::string() : hash.text();
}

std::string machine_code_of(CaseResult const& result) { return machine_code_of(result.launches); }

std::string launch_hash_of(std::vector<LaunchAttributes> const& launches) {
  Digest hash;
  for (LaunchAttributes const& launch : launches) {
    hash.add(shape_of(launch));
  }
  return launches.empty() ? std::string() : hash.text();
}

std::string launch_hash_of(CaseResult const& result) { return launch_hash_of(result.launches); }

std::string work_of(std::vector<LaunchAttributes> const& launches) {
  Digest hash;
  for (LaunchAttributes const& launch : launches) {
    hash.add(shape_of(launch));
    for (auto const part : kWorkParts) {
      hash.add(launch.*part);
    }
  }
  return launches.empty() ? std::string() : kWorkMeaning + hash.text();
}

std::string work_of(CaseResult const& result) { return work_of(result.launches); }

bool work_differs(std::string_view before, std::string_view now) {
  auto const meaning = [](std::string_view work) { return work.substr(0, work.find(':')); };
  return !before.empty() && !now.empty() && meaning(before) == meaning(now) && before != now;
}

}  // namespace perfcheck::model
