// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// PostgreSQL's client library, loaded on first use: whoever keeps a history in a file does not need it.
#pragma once

#include <libpq-fe.h>

#include <string>
#include <vector>

namespace perfcheck::history {

struct Libpq {
  decltype(&PQconninfoParse) conninfo_parse = nullptr;
  decltype(&PQconndefaults) conndefaults = nullptr;
  decltype(&PQconninfoFree) conninfo_free = nullptr;
  decltype(&PQfreemem) freemem = nullptr;
  decltype(&PQconnectStartParams) connect_start = nullptr;
  decltype(&PQconnectPoll) connect_poll = nullptr;
  decltype(&PQfinish) finish = nullptr;
  decltype(&PQstatus) status = nullptr;
  decltype(&PQsocket) socket = nullptr;
  decltype(&PQtransactionStatus) transaction_status = nullptr;
  decltype(&PQparameterStatus) parameter_status = nullptr;
  decltype(&PQserverVersion) server_version = nullptr;
  decltype(&PQerrorMessage) error_message = nullptr;
  decltype(&PQsetErrorVerbosity) set_error_verbosity = nullptr;
  decltype(&PQsetNoticeReceiver) set_notice_receiver = nullptr;
  decltype(&PQdb) database_name = nullptr;
  decltype(&PQuser) user_name = nullptr;
  decltype(&PQexec) exec = nullptr;
  decltype(&PQsendQueryParams) send_query_params = nullptr;
  decltype(&PQsetSingleRowMode) set_single_row_mode = nullptr;
  decltype(&PQgetResult) get_result = nullptr;
  decltype(&PQclear) clear = nullptr;
  decltype(&PQresultStatus) result_status = nullptr;
  decltype(&PQresultErrorField) result_error_field = nullptr;
  decltype(&PQcmdStatus) command_status = nullptr;
  decltype(&PQntuples) row_count = nullptr;
  decltype(&PQnfields) column_count = nullptr;
  decltype(&PQftype) column_type = nullptr;
  decltype(&PQgetisnull) is_null = nullptr;
  decltype(&PQgetlength) length = nullptr;
  decltype(&PQgetvalue) value = nullptr;
};

/// The library, loaded once. If it cannot be loaded, throws a HistoryError that names `history` and the package to
/// install.
Libpq const& libpq(std::string const& history);

/// Loads the first library found under one of these file names, without caching it.
Libpq load_libpq(std::string const& history, std::vector<std::string> const& file_names);

}  // namespace perfcheck::history
