// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a history, and migrations from older schemas.
#pragma once

#include "database.h"

namespace perfcheck::history {

/// Script number i brings a history from version i to version i + 1. Released scripts never change; a change of the
/// tables is another script.
std::vector<std::string> const& migrations();

/// The history's version, which is not negative; 0 for an empty database. Throws HistoryError if the database holds
/// something else, or if the version is invalid.
int version_of(Database& database, std::string const& name);

/// Brings the history to the version of `scripts`, in one transaction: afterwards it is either unchanged or up to date.
/// Waits for another process that does the same at the same time. Throws HistoryError when the history is newer than
/// this program.
void bring_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts);

/// For readers, which change nothing: throws HistoryError unless the history has the version of `scripts`.
void require_up_to_date(Database& database, std::string const& name, std::vector<std::string> const& scripts);

/// For a history that is up to date: throws HistoryError unless each of its tables is a real table. A file from an
/// untrusted source may have views instead, which can keep a reader busy forever.
void require_tables(Database& database, std::string const& name);

}  // namespace perfcheck::history
