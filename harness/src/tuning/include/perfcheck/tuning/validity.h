// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Which points in the file are still valid: those that the present worker launches as it did when they were measured,
// beside the same reference, with the same driver and libraries.
#pragma once

#include "perfcheck/model/tuning.h"
#include "perfcheck/session/told_launches.h"
#include "perfcheck/tuning/command_hashes.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace perfcheck::tuning {

/// What decides about the time of a case, as one text, or empty if that is unknown. For own code a hash of everything
/// that `launches` tell but the names of functions; unknown if the machine code of one of them is. Code of a library
/// cannot be read, and it is the same while its version is: then a hash of which of its kernels were launched, and how.
/// The bytes of their arguments are left out, because some libraries pass others in each process.
std::string code_of(std::vector<model::LaunchAttributes> launches, bool of_library);

/// Codes of cases, by id. Absent or empty: unknown.
using Codes = std::map<std::string, std::string>;
std::string code_in(Codes const& codes, std::string const& case_id);

/// Hash of a reference's id and code; empty if its code is unknown.
std::string reference_code_of(std::string const& reference, Codes const& codes);

/// With what points would be measured now.
struct Present {
  CommandHashes worker;
  model::Environment environment;
  std::set<std::string> outdated;  ///< sessions whose points do not count, with --again
  Codes codes;
};

enum class Validity {
  same_program,  ///< valid: measured with this very program
  same_code,     ///< valid: this program launches the same
  again,         ///< everything is measured again, as asked
  environment,   ///< with another driver or library
  command,       ///< another command runs the worker, or it times in another way
  unknown,       ///< with another program, and what was launched, or is now, is not known
  code,          ///< it launches something else
  reference      ///< its reference does
};
constexpr bool is_valid(Validity validity) {
  return validity == Validity::same_program || validity == Validity::same_code;
}
std::string to_text(Validity validity);

/// The validity of all points of a session; nothing if it depends on their code.
std::optional<Validity> validity_of(model::TuningSession const& session, Present const& present);
/// `reference` is the present one of the point's case.
Validity validity_of(model::TunedPoint const& point, std::string const& problem, std::string const& reference,
                     model::TuningSession const& session, Present const& present);

/// How many points were found to be what.
using Review = std::map<Validity, std::size_t>;
std::size_t valid_points(Review const& review);
std::size_t all_points(Review const& review);
/// "412 of 430 points in the file are still valid (same code: 412); 18 are measured again (other code: 18)"; empty if
/// there are none.
std::string review_text(Review const& review);

}  // namespace perfcheck::tuning
