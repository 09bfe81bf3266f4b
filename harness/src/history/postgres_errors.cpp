// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::history {
namespace {

constexpr char const* kWhite = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  std::size_t const begin = text.find_first_not_of(kWhite);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kWhite) - begin + 1);
}

/// Joins the lines, except those that say where in PostgreSQL's own source the error arose.
std::string one_line(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    std::string_view const part = trimmed(text.substr(0, end));
    if (!part.empty() && !part.starts_with("LOCATION:")) {
      line += (line.empty() ? "" : " ") + std::string(part);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return line;
}

/// Remedy by the class of the state, its first two characters.
std::string remedy_of_class(std::string_view state) {
  std::string_view const kind = state.substr(0, 2);
  if (kind == "53") return "the server has run out of memory, disk or connections; make room there and try again";
  if (kind == "57") return "the server has stopped the work; nothing was changed: try again";
  if (kind == "08" || kind.empty()) return "is the server running, and are host and port right?";
  if (kind == "58" || kind == "XX") return "the server has failed, its log says more; nothing was changed";
  return "nothing was changed; if it stays, the server's log says more";
}

std::string remedy(Failure const& failure) {
  std::string const& state = failure.state;
  if (state == "3D000") return fmt::format("create it once: createdb --encoding=UTF8 {}", failure.database);
  if (state == "28P01") {
    return "put the password into ~/.pgpass (HOST:PORT:DATABASE:USER:PASSWORD, mode 600); in a command line others "
           "could "
           "read it";
  }
  if (state == "28000") {
    return fmt::format("create the role once: createuser {}; or allow it to connect, in the server's pg_hba.conf",
                       failure.user);
  }
  if (state == "42501") {
    return fmt::format(
        "let an owner of the database run: GRANT CONNECT, CREATE ON DATABASE \"{}\" TO \"{}\"; GRANT "
        "USAGE, CREATE ON SCHEMA public TO \"{}\"; and for tables of another role: GRANT SELECT, INSERT, "
        "UPDATE ON ALL TABLES IN SCHEMA public TO \"{}\"",
        failure.database, failure.user, failure.user, failure.user);
  }
  if (state == "3F000") return "create the schema that search_path names, and GRANT USAGE, CREATE on it";
  if (state == "25006") {
    return "the server, or this session, only reads; name the primary server to add to the history";
  }
  if (state == sqlstate::kTooManyConnections)
    return "raise the server's max_connections, or start fewer runners at once";
  if (state == sqlstate::kCannotConnectNow) return "the server starts or stops; try again in a minute";
  if (state == sqlstate::kLockNotAvailable) return "end the program that holds it and try again; nothing was changed";
  if (state == "57014")
    return "it took too long and was given up; nothing was changed: look for what keeps the server busy";
  if (state == "25P03")
    return "this program stood still for minutes and was given up; nothing was changed: run it again";
  if (state == sqlstate::kSerializationFailure || state == sqlstate::kDeadlock) {
    return "others were in the way every time; nothing was changed: try again";
  }
  return remedy_of_class(state);
}

}  // namespace

PostgresError error_of(Failure const& failure) {
  std::string const message = one_line(failure.message);
  return {fmt::format("{}: {} ({}); {}", failure.history, failure.action,
                      message.empty() ? "the connection was lost" : message,
                      failure.remedy.empty() ? remedy(failure) : failure.remedy),
          failure.state};
}

void take_state_from_message(Failure& failure) {
  constexpr std::size_t kLength = 5;
  std::string& message = failure.message;
  // Searches for ":  XXXXX: ", which follows the word for FATAL in the server's language. The last match counts: of
  // several hosts, it belongs to the one tried last.
  for (std::size_t at = message.rfind(":  "); at != std::string::npos && at > 0; at = message.rfind(":  ", at - 1)) {
    std::string const state = message.substr(at + 3, kLength);
    bool const is_state = state.size() == kLength && std::all_of(state.begin(), state.end(), [](char c) {
                            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                          });
    if (is_state && message.compare(at + 3 + kLength, 2, ": ") == 0) {
      failure.state = state;
      message.erase(at + 3, kLength + 2);
      return;
    }
  }
}

}  // namespace perfcheck::history
