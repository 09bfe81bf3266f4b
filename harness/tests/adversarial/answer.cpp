// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "answer.h"

#include "perfcheck/config/config.h"
#include "perfcheck/gate/glob.h"
#include "perfcheck/model/renames.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <regex>

namespace perfcheck::adversarial {
namespace {

using nlohmann::json;

// Longer errors are cut in the table.
constexpr std::size_t kLongestError = 260;

void replace_all(std::string& text, std::string const& what, std::string const& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// The last line of the error, without the test's own folder, cut between two words.
std::string error_text(std::string message, std::string const& folder) {
  while (message.ends_with('\n')) {
    message.pop_back();
  }
  message = message.substr(message.rfind('\n') + 1);
  replace_all(message, folder + "/", "");
  replace_all(message, "perfcheck: ", "");
  if (message.size() > kLongestError) {
    message = message.substr(0, message.rfind(' ', kLongestError)) + " ...";
  }
  replace_all(message, "|", "/");
  // Digests change with every change of the format and say nothing here.
  message = std::regex_replace(message, std::regex("\"[0-9a-f]{16}\""), "...");
  return "error: " + message;
}

std::string verdict_text(json const& one) {
  std::string const verdict = one.value("verdict", one.value("outcome", "")), code = one.value("reason_code", "");
  return code.empty() || code == verdict ? verdict : fmt::format("{} ({})", verdict, code);
}

/// Recordings hold the ids from before the renames in [renamed], and edits name cases in the same way. What was
/// accepted as a baseline, and a history, hold the ids of today alone.
bool is_edited(json const& one, std::string const& edited) {
  return gate::glob_matches_case(edited, one.at("id")) || gate::glob_matches_case(todays_id(edited), one.at("id")) ||
         (one.contains("renamed_from") && gate::glob_matches_case(edited, one.at("renamed_from")));
}

std::string verdicts_text(json const& result, std::string const& edited) {
  std::map<std::string, int> counts;
  for (json const& one : result.at("cases")) {
    if (is_edited(one, edited)) {
      ++counts[verdict_text(one)];
    }
  }
  std::vector<std::string> parts;
  for (auto const& [text, count] : counts) {
    parts.push_back(count == 1 ? text : fmt::format("{} x {}", count, text));
  }
  return parts.empty() ? "no such case in the result" : fmt::format("{}", fmt::join(parts, ", "));
}

bool all_pass(json const& result, std::string const& edited) {
  for (json const& one : result.at("cases")) {
    if (is_edited(one, edited) && one.value("verdict", "") != "pass") {
      return false;
    }
  }
  return true;
}

/// Verdicts on whole kernels, for runs whose cases alone do not explain the exit code.
std::string kernels_text(json const& result) {
  std::string text;
  for (json const& kernel : result.at("kernels")) {
    if (kernel.at("verdict") != "pass") {
      text += fmt::format("; kernel {}: {}", kernel.at("id").get<std::string>(), verdict_text(kernel));
    }
  }
  return text;
}

}  // namespace

std::string todays_id(std::string const& id) {
  static model::Renames const renamed = config::load_config(PERFCHECK_CONFIG).names.renamed;
  return id.find('@') == std::string::npos ? renamed.kernel_now(id) : renamed.now(id);
}

Answer answer_of(cli::testing::Finished const& finished, std::string const& edited, std::string const& folder) {
  Answer answer{
      .code = finished.code, .said = {}, .words = finished.err, .at_most = {}, .accused = {}, .unbounded = {}};
  if (finished.out.empty()) {
    answer.said = error_text(finished.err, folder);
    return answer;
  }
  json const result = finished.json();
  answer.said = verdicts_text(result, edited);
  if (all_pass(result, edited)) {
    answer.said += kernels_text(result);
  }
  for (json const& note : result.at("notes")) {
    answer.words += note.get<std::string>() + "\n";
  }
  for (json const& one : result.at("cases")) {
    std::string const id = one.at("id"), verdict = one.value("verdict", "");
    if ((verdict == "regressed" || verdict == "improved") && !is_edited(one, edited)) {
      answer.accused.push_back(id);
    }
    if (verdict == "pass" && !one.contains("at_most")) {
      answer.unbounded.push_back(id);
    } else if (verdict == "pass" && is_edited(one, edited)) {
      double const at_most = one.at("at_most");
      answer.at_most = std::min(answer.at_most.value_or(at_most), at_most);
    }
  }
  return answer;
}

Answer plain_answer(cli::testing::Finished const& finished, std::string const& success, std::string const& folder) {
  return {.code = finished.code,
          .said = finished.out.empty() ? error_text(finished.err, folder) : success,
          .words = finished.out + finished.err,
          .at_most = {},
          .accused = {},
          .unbounded = {}};
}

Answer after(std::string const& first, Answer second) {
  second.said = first + "; " + second.said;
  return second;
}

}  // namespace perfcheck::adversarial
