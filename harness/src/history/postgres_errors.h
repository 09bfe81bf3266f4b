// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The error messages for failures of PostgreSQL.
#pragma once

#include "perfcheck/history/history.h"

#include <string>
#include <string_view>

namespace perfcheck::history {

/// SQLSTATE codes on which the code depends: appendix A of PostgreSQL's documentation.
namespace sqlstate {
inline constexpr std::string_view kSerializationFailure = "40001";
inline constexpr std::string_view kDeadlock = "40P01";
inline constexpr std::string_view kTooManyConnections = "53300";
inline constexpr std::string_view kLockNotAvailable = "55P03";
inline constexpr std::string_view kCannotConnectNow = "57P03";
}  // namespace sqlstate

/// A failure of the server or of the connection to it.
class PostgresError : public HistoryError {
 public:
  PostgresError(std::string const& what, std::string state) : HistoryError(what), state_(std::move(state)) {}
  /// The server's SQLSTATE; empty where it gave none.
  std::string const& state() const { return state_; }

 private:
  std::string state_;
};

struct Failure {
  std::string history;         ///< its name, without a password
  std::string action;          ///< what did not work: "cannot be opened"
  std::string state;           ///< SQLSTATE, or empty
  std::string message;         ///< PostgreSQL's; error_of() makes one line of it
  std::string database, user;  ///< of the connection
  std::string remedy;          ///< empty: the usual one for the state
};

/// One line: history, action, message, remedy.
PostgresError error_of(Failure const& failure);

/// A failed attempt to connect has no result with an SQLSTATE, but its message may contain one: moves the state out of
/// "...: FATAL:  3D000: database ..." into `state`. A message without a state stays as it is.
void take_state_from_message(Failure& failure);

}  // namespace perfcheck::history
