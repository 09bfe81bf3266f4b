// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_connecting.h"

#include "backoff.h"
#include "postgres_errors.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <map>

namespace perfcheck::history {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kAttempts = 10;  // about six seconds while the server is starting or full
constexpr char const* kForm = "postgresql://USER@HOST:PORT/DATABASE";

/// "perfcheck runner-7:1234", by which the server's operator, and whoever waits for our locks, can identify us.
std::string application_name() {
  std::array<char, 40> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) {
    host[0] = '\0';
  }
  return fmt::format("perfcheck {}:{}", host.data(), ::getpid());
}

/// Those of libpq's options that have a value. Frees the list.
std::map<std::string, std::string> values_of(Libpq const& api, PQconninfoOption* options) {
  std::map<std::string, std::string> values;
  for (PQconninfoOption const* option = options; option != nullptr && option->keyword != nullptr; ++option) {
    if (option->val != nullptr && *option->val != '\0') {
      values[option->keyword] = option->val;
    }
  }
  api.conninfo_free(options);
  return values;
}

/// The options in the address itself. libpq's error message for a malformed address quotes it, perhaps with part of a
/// password in which an '@' or a '/' was not encoded. So an address that may hold a password gets our own message,
/// which quotes nothing.
std::map<std::string, std::string> parsed(Libpq const& api, std::string const& history, std::string const& address) {
  char* reason = nullptr;
  PQconninfoOption* const options = api.conninfo_parse(address.c_str(), &reason);
  std::string why = reason != nullptr ? reason : "out of memory";
  api.freemem(reason);
  bool const may_hold_password = address.find('@') != std::string::npos || address.find("pass") != std::string::npos;
  if (options == nullptr && !may_hold_password) {
    throw error_of(
        {.history = history, .action = "is no address", .message = why, .remedy = fmt::format("write {}", kForm)});
  }
  std::map<std::string, std::string> values;
  if (options != nullptr) {
    values = values_of(api, options);
  }
  bool const well_formed = options != nullptr && values["host"].find('@') == std::string::npos &&
                           values["port"].find_first_not_of("0123456789,") == std::string::npos;
  if (!well_formed) {
    throw HistoryError(fmt::format(
        "{}: is no address; write {}, in which %40 stands for @, %2F for / and %3A for : within a name, and "
        "the password stands in ~/.pgpass",
        history, kForm));
  }
  return values;
}

/// Adds defaults for what is not set, so that nothing hangs forever.
std::map<std::string, std::string> with_defaults(Libpq const& api, std::map<std::string, std::string> values) {
  values.merge(values_of(api, api.conndefaults()));
  values.merge(std::map<std::string, std::string>{{"connect_timeout", "10"},
                                                  {"keepalives_idle", "60"},
                                                  {"keepalives_interval", "10"},
                                                  {"keepalives_count", "3"},
                                                  {"tcp_user_timeout", "90000"},
                                                  {"fallback_application_name", application_name()}});
  return values;
}

/// When to stop waiting for an answer. libpq's connect_timeout applies to each of several hosts; below 1 there is none.
Clock::time_point deadline_of(std::map<std::string, std::string> const& values) {
  int const seconds = std::atoi(values.at("connect_timeout").c_str());
  auto const host = values.find("host");
  auto const hosts = host == values.end() ? 1 : 1 + std::count(host->second.begin(), host->second.end(), ',');
  return seconds < 1 ? Clock::time_point::max() : Clock::now() + std::chrono::seconds(seconds * hosts);
}

/// Waits for the socket; false when the deadline has passed.
bool wait_for(int socket, PostgresPollingStatusType status, Clock::time_point deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline != Clock::time_point::max()) {
      auto const left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      milliseconds = static_cast<int>(std::max<int64_t>(left, 0));
    }
    pollfd waiting{
        .fd = socket, .events = status == PGRES_POLLING_READING ? short{POLLIN} : short{POLLOUT}, .revents = 0};
    int const ready = ::poll(&waiting, 1, milliseconds);
    if (ready >= 0) {
      return ready > 0;
    }
    if (errno != EINTR) {
      return true;  // libpq will find out what is wrong with the socket
    }
  }
}

struct Attempt {
  PostgresConnection connection;
  bool timed_out = false;
};

Attempt attempt(Libpq const& api, std::string const& address, std::map<std::string, std::string> const& values) {
  std::vector<char const*> keywords, texts;
  for (char const* name : {"connect_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count",
                           "tcp_user_timeout", "fallback_application_name"}) {
    keywords.push_back(name);
    texts.push_back(values.at(name).c_str());
  }
  // The encoding comes after the address, so that the address cannot override it.
  for (auto const& [name, text] : {std::pair{"dbname", address.c_str()}, {"client_encoding", "UTF8"}}) {
    keywords.push_back(name);
    texts.push_back(text);
  }
  keywords.push_back(nullptr);
  texts.push_back(nullptr);

  Attempt made{.connection = {api.connect_start(keywords.data(), texts.data(), 1), {&api}}};
  PGconn* const connection = made.connection.get();
  if (connection == nullptr || api.status(connection) == CONNECTION_BAD) {
    return made;
  }
  // Only verbose messages contain the SQLSTATE; their text is in the server's language.
  api.set_error_verbosity(connection, PQERRORS_VERBOSE);
  Clock::time_point const deadline = deadline_of(values);
  PostgresPollingStatusType status = PGRES_POLLING_WRITING;
  while (status != PGRES_POLLING_OK && status != PGRES_POLLING_FAILED) {
    made.timed_out = !wait_for(api.socket(connection), status, deadline);
    if (made.timed_out) {
      return made;
    }
    status = api.connect_poll(connection);
  }
  return made;
}

Failure failure_of(Libpq const& api, std::string const& history, Attempt const& made) {
  Failure failure{.history = history, .action = "cannot be opened"};
  PGconn* const connection = made.connection.get();
  if (made.timed_out) {
    failure.message = "the server did not answer in time";
  } else if (connection == nullptr) {
    failure.message = "out of memory";
  } else {
    failure.message = api.error_message(connection);
    take_state_from_message(failure);
  }
  if (connection != nullptr) {
    failure.database = api.database_name(connection) != nullptr ? api.database_name(connection) : "";
    failure.user = api.user_name(connection) != nullptr ? api.user_name(connection) : "";
    // The server asked for a password and there was none: libpq itself gave up, so there is no SQLSTATE.
    if (failure.state.empty() && failure.message.find("no password supplied") != std::string::npos) {
      failure.state = "28P01";
    }
  }
  return failure;
}

}  // namespace

PostgresConnection connect(Libpq const& api, std::string const& history, std::string const& address) {
  std::map<std::string, std::string> const values = with_defaults(api, parsed(api, history, address));
  for (Backoff backoff(kAttempts);;) {
    Attempt made = attempt(api, address, values);
    if (made.connection && !made.timed_out && api.status(made.connection.get()) == CONNECTION_OK) {
      api.set_error_verbosity(made.connection.get(), PQERRORS_DEFAULT);
      return std::move(made.connection);
    }
    Failure const failure = failure_of(api, history, made);
    bool const passes = failure.state == sqlstate::kTooManyConnections || failure.state == sqlstate::kCannotConnectNow;
    if (!passes || !backoff.wait()) {
      throw error_of(failure);
    }
  }
}

}  // namespace perfcheck::history
