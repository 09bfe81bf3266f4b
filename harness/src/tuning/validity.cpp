// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/tuning/validity.h"

#include "perfcheck/model/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::tuning {
namespace {

/// "same program: 300, same code: 112"
std::string counts_text(Review const& review, bool valid) {
  std::vector<std::string> texts;
  for (auto const& [validity, count] : review) {
    if (is_valid(validity) == valid) {
      texts.push_back(fmt::format("{}: {}", to_text(validity), count));
    }
  }
  return texts.empty() ? "" : fmt::format(" ({})", fmt::join(texts, ", "));
}

}  // namespace

std::string code_of(std::vector<model::LaunchAttributes> launches, bool of_library) {
  if (of_library) {
    return "library " + (launches.empty() ? std::string("unread") : model::launch_hash_of(launches));
  }
  if (model::machine_code_of(launches).empty()) {
    return "";
  }
  // The machine code says what a function does. Its name says more: a template's holds the number of the point in its
  // space, which changes with the points before it. The graph of one launch is that launch's name and shape.
  for (model::LaunchAttributes& launch : launches) {
    launch.function.clear();
    if (launches.size() == 1 && launch.other_nodes == model::kNoOtherNodes) {
      launch.graph.clear();
    }
  }
  return model::work_of(launches);
}

std::string code_in(Codes const& codes, std::string const& case_id) {
  auto const found = codes.find(case_id);
  return found == codes.end() ? "" : found->second;
}

std::string reference_code_of(std::string const& reference, Codes const& codes) {
  std::string const code = code_in(codes, reference);
  if (code.empty()) {
    return "";
  }
  model::Digest digest;
  digest.add(reference);
  digest.add(code);
  return digest.text();
}

std::string to_text(Validity validity) {
  switch (validity) {
    case Validity::same_program: return "same program";
    case Validity::same_code: return "same code";
    case Validity::again: return "as asked";
    case Validity::environment: return "other driver or libraries";
    case Validity::command: return "other arguments or way of timing";
    case Validity::unknown: return "other program, code unknown";
    case Validity::code: return "other code";
    case Validity::reference: return "other code of the reference";
  }
  throw std::logic_error("a validity outside of its enum has no text");
}

std::optional<Validity> validity_of(model::TuningSession const& session, Present const& present) {
  if (present.outdated.contains(session.id)) {
    return Validity::again;
  }
  if (session.driver != present.environment.driver || session.libraries != present.environment.libraries) {
    return Validity::environment;
  }
  if (session.worker == present.worker.whole) {
    return Validity::same_program;
  }
  if (session.command.empty()) {
    return Validity::unknown;  // written by a version that kept no code
  }
  if (session.command != present.worker.around_worker || session.timing != present.environment.timing) {
    return Validity::command;
  }
  return std::nullopt;
}

Validity validity_of(model::TunedPoint const& point, std::string const& problem, std::string const& reference,
                     model::TuningSession const& session, Present const& present) {
  if (std::optional<Validity> const of_session = validity_of(session, present)) {
    return *of_session;
  }
  std::string const code = code_in(present.codes, model::case_id(point.kernel, problem));
  std::string const reference_code = reference_code_of(reference, present.codes);
  if (point.code.empty() || point.reference_code.empty() || code.empty() || reference_code.empty()) {
    return Validity::unknown;
  }
  if (point.code != code) {
    return Validity::code;
  }
  return point.reference_code == reference_code ? Validity::same_code : Validity::reference;
}

std::size_t valid_points(Review const& review) {
  std::size_t sum = 0;
  for (auto const& [validity, count] : review) {
    sum += is_valid(validity) ? count : 0;
  }
  return sum;
}

std::size_t all_points(Review const& review) {
  std::size_t sum = 0;
  for (auto const& [validity, count] : review) {
    sum += count;
  }
  return sum;
}

std::string review_text(Review const& review) {
  std::size_t const all = all_points(review);
  std::size_t const valid = valid_points(review);
  if (all == 0) {
    return "";
  }
  std::string text =
      fmt::format("{} of {} points in the file are still valid{}", valid, all, counts_text(review, true));
  if (valid < all) {
    text += fmt::format("; {} are measured again{}", all - valid, counts_text(review, false));
  }
  return text;
}

}  // namespace perfcheck::tuning
