// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A race between two processes, with a known outcome.
#pragma once

#include "database.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perfcheck::history::testing {

/// Simulates a faster process: `other` runs once, right after the first has_table() or is_empty().
class Outrun : public Database {
 public:
  Outrun(Database& database, std::function<void()> other) : database_(database), other_(std::move(other)) {}

  void run_script(std::string const& sql) override { database_.run_script(sql); }
  void query(std::string const& sql, std::vector<Parameter> const& parameters, RowCallback const& callback) override {
    database_.query(sql, parameters, callback);
  }
  void insert(std::string const& table, std::vector<std::string> const& columns,
              std::vector<std::vector<Parameter>> const& rows, std::string const& conflict) override {
    database_.insert(table, columns, rows, conflict);
  }
  bool has_table(std::string const& name) override { return then_other(database_.has_table(name)); }
  bool is_empty() override { return then_other(database_.is_empty()); }
  void in_transaction(std::function<void()> const& work) override { database_.in_transaction(work); }
  void in_exclusive_transaction(std::function<void()> const& work) override {
    database_.in_exclusive_transaction(work);
  }

 private:
  bool then_other(bool answer) {
    if (auto const other = std::exchange(other_, nullptr)) {
      other();
    }
    return answer;
  }

  Database& database_;
  std::function<void()> other_;
};

}  // namespace perfcheck::history::testing
