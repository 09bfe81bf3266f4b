// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "postgres_session.h"

#include "place.h"
#include "postgres_errors.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace perfcheck::history {
namespace {

constexpr int kOldestServer = 100000;  // 10.0: identity columns

// With these settings nothing waits forever: we do not wait for others, others do not wait for a stalled process of
// ours, and the server does not wait for a runner that has vanished. Locks are normally held only while one run is
// added. Settings in the address (?options=-c lock_timeout=...) are the user's choice and stay.
constexpr char const* kSettings = R"sql(
SELECT set_config(name, wanted, false)
FROM (VALUES ('lock_timeout', '60s'),
             ('statement_timeout', '15min'),
             ('idle_in_transaction_session_timeout', '5min'),
             ('tcp_keepalives_idle', '60'),
             ('tcp_keepalives_interval', '10'),
             ('tcp_keepalives_count', '3'),
             ('client_min_messages', 'error')) AS ours (name, wanted)
JOIN pg_settings USING (name)
WHERE source <> 'client')sql";

// A run whose commit was acknowledged must survive a crash of the server. Every value but "off" guarantees that.
constexpr char const* kDurable =
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

struct ClearResult {
  Libpq const* api;
  void operator()(PGresult* result) const { api->clear(result); }
};
using Answer = std::unique_ptr<PGresult, ClearResult>;

std::string field(Libpq const& api, PGresult const* result, int code) {
  char const* const text = result == nullptr ? nullptr : api.result_error_field(result, code);
  return text == nullptr ? "" : text;
}

/// By default libpq prints notices to stderr; a library must not print.
void ignore_notice(void* /*context*/, PGresult const* /*notice*/) {}

}  // namespace

PostgresSession::PostgresSession(std::string const& address, Mode mode)
    : name_(name_of(address)), api_(libpq(name_)), connection_(connect(api_, name_, address)) {
  api_.set_notice_receiver(connection_.get(), ignore_notice, nullptr);
  require_suitable_server();
  settle(mode);
}

void PostgresSession::require_suitable_server() {
  int const version = api_.server_version(connection_.get());
  if (version < kOldestServer) {
    throw HistoryError(fmt::format("{}: the server is PostgreSQL {}; 10 or newer is needed", name_,
                                   api_.parameter_status(connection_.get(), "server_version")));
  }
  char const* const encoding = api_.parameter_status(connection_.get(), "server_encoding");
  if (encoding == nullptr || std::strcmp(encoding, "UTF8") != 0) {
    throw HistoryError(
        fmt::format("{}: the database has the encoding {}, which cannot hold every name; create one that can: createdb "
                    "--encoding=UTF8 --template=template0 NAME",
                    name_, encoding == nullptr ? "unknown" : encoding));
  }
}

void PostgresSession::settle(Mode mode) {
  run(kSettings);
  run(kDurable);
  if (mode == Mode::read) {
    run("SET default_transaction_read_only = on");
  }
}

std::string PostgresSession::run(std::string const& sql) {
  require_idle();
  Answer const answer(api_.exec(connection_.get(), sql.c_str()), {&api_});
  ExecStatusType const status = api_.result_status(answer.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    fail(answer.get());
  }
  return api_.command_status(answer.get());
}

void PostgresSession::query(std::string const& sql, PostgresParameters const& parameters, RowCallback const& callback) {
  require_idle();
  PGconn* const connection = connection_.get();
  if (api_.send_query_params(connection, sql.c_str(), parameters.count(), parameters.types(), parameters.values(),
                             parameters.lengths(), parameters.formats(), 1) == 0) {
    fail(nullptr);
  }
  api_.set_single_row_mode(connection);
  Answer failed(nullptr, {&api_});
  std::exception_ptr thrown;
  busy_ = true;
  while (PGresult* const result = api_.get_result(connection)) {
    Answer answer(result, {&api_});
    switch (api_.result_status(result)) {
      case PGRES_SINGLE_TUPLE:
        if (!thrown) {
          try {
            callback(PostgresRow(api_, result, name_));
          } catch (...) {
            thrown = std::current_exception();
          }
        }
        break;
      case PGRES_COMMAND_OK:
      case PGRES_TUPLES_OK: break;
      default: failed = std::move(answer); break;
    }
  }
  busy_ = false;
  if (thrown) {
    std::rethrow_exception(thrown);
  }
  if (failed) {
    fail(failed.get());
  }
}

void PostgresSession::query(std::string const& sql, std::vector<Parameter> const& parameters,
                            RowCallback const& callback) {
  PostgresParameters encoded;
  for (Parameter const& parameter : parameters) {
    encoded.add(parameter);
  }
  query(sql, encoded, callback);
}

void PostgresSession::require_idle() const {
  if (busy_) {
    throw std::logic_error("a callback of Database::query uses the database");
  }
}

void PostgresSession::fail(PGresult const* result) const {
  PGconn* const connection = connection_.get();
  Failure failure{.history = name_,
                  .action = "cannot be read or written",
                  .state = field(api_, result, PG_DIAG_SQLSTATE),
                  .message = field(api_, result, PG_DIAG_MESSAGE_PRIMARY),
                  .database = api_.database_name(connection),
                  .user = api_.user_name(connection)};
  if (std::string const detail = field(api_, result, PG_DIAG_MESSAGE_DETAIL); !detail.empty()) {
    failure.message += "; " + detail;
  }
  if (failure.message.empty()) {
    failure.message = api_.error_message(connection);
  }
  if (lost()) {
    failure.remedy =
        "the connection is gone, and with it what was not finished; run the command again once the server "
        "answers";
  }
  throw error_of(failure);
}

}  // namespace perfcheck::history
