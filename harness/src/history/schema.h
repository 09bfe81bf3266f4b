// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a history, and how older ones become the present ones.
#pragma once

#include "database.h"

namespace perfcheck::history {

/// Script number i brings a history of version i to version i + 1. Scripts that were released are never changed; a
/// change of the tables is one more script.
std::vector<std::string> const& migrations();

/// The history's version, which is not negative; 0 for an empty database. Throws HistoryError for a database of
/// something else and for a version that is none.
int version_of(Database& database, std::string const& name);

/// Brings the history to the version of `scripts`, in one transaction: it is as it was, or up to date. Another process
/// that does the same at the same time is waited for. Throws HistoryError when the history is newer than this program.
void bring_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts);

/// For readers, who change nothing: throws HistoryError unless the history has the version of `scripts`.
void require_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts);

/// Of a history that is up to date: throws HistoryError unless its tables are tables. A file from elsewhere may have
/// views in their place, which can keep a reader busy for ever.
void require_tables(Database& database, std::string const& name);

}  // namespace perfcheck::history
