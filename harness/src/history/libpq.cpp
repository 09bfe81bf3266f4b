// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "libpq.h"

#include "perfcheck/history/history.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace perfcheck::history {
namespace {

/// Fills members of Libpq by dlsym() and remembers a missing name, which the caller reports at the end.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <typename Function>
  void fetch(char const* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
    if (function == nullptr) {
      missing_ = name;
    }
  }
  std::string const& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

void fetch_connection(Symbols& symbols, Libpq& api) {
  symbols.fetch("PQconninfoParse", api.conninfo_parse);
  symbols.fetch("PQconndefaults", api.conndefaults);
  symbols.fetch("PQconninfoFree", api.conninfo_free);
  symbols.fetch("PQfreemem", api.freemem);
  symbols.fetch("PQconnectStartParams", api.connect_start);
  symbols.fetch("PQconnectPoll", api.connect_poll);
  symbols.fetch("PQfinish", api.finish);
  symbols.fetch("PQstatus", api.status);
  symbols.fetch("PQsocket", api.socket);
  symbols.fetch("PQtransactionStatus", api.transaction_status);
  symbols.fetch("PQparameterStatus", api.parameter_status);
  symbols.fetch("PQserverVersion", api.server_version);
  symbols.fetch("PQerrorMessage", api.error_message);
  symbols.fetch("PQsetErrorVerbosity", api.set_error_verbosity);
  symbols.fetch("PQsetNoticeReceiver", api.set_notice_receiver);
  symbols.fetch("PQdb", api.database_name);
  symbols.fetch("PQuser", api.user_name);
}

void fetch_statements(Symbols& symbols, Libpq& api) {
  symbols.fetch("PQexec", api.exec);
  symbols.fetch("PQsendQueryParams", api.send_query_params);
  symbols.fetch("PQsetSingleRowMode", api.set_single_row_mode);
  symbols.fetch("PQgetResult", api.get_result);
  symbols.fetch("PQclear", api.clear);
  symbols.fetch("PQresultStatus", api.result_status);
  symbols.fetch("PQresultErrorField", api.result_error_field);
  symbols.fetch("PQcmdStatus", api.command_status);
  symbols.fetch("PQntuples", api.row_count);
  symbols.fetch("PQnfields", api.column_count);
  symbols.fetch("PQftype", api.column_type);
  symbols.fetch("PQgetisnull", api.is_null);
  symbols.fetch("PQgetlength", api.length);
  symbols.fetch("PQgetvalue", api.value);
}

}  // namespace

Libpq load_libpq(std::string const& history, std::vector<std::string> const& file_names) {
  void* library = nullptr;
  for (std::string const& name : file_names) {
    // Never closed: the library may have registered handlers that must live as long as the process.
    library = library != nullptr ? library : ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr) {
    throw HistoryError(
        fmt::format("{}: PostgreSQL's client library {} was not found; install it (Debian and Ubuntu: apt-get install "
                    "libpq5), or keep the history in a file: --history history.sqlite",
                    history, file_names.front()));
  }
  Libpq api;
  Symbols symbols(library);
  fetch_connection(symbols, api);
  fetch_statements(symbols, api);
  if (!symbols.missing().empty()) {
    throw HistoryError(fmt::format("{}: PostgreSQL's client library has no {}; install one of version 12 or newer",
                                   history, symbols.missing()));
  }
  return api;
}

Libpq const& libpq(std::string const& history) {
  static Libpq const api = load_libpq(history, {"libpq.so.5", "libpq.so"});
  return api;
}

}  // namespace perfcheck::history
