// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// How findings name sessions, and themselves.
#pragma once

#include "perfcheck/store/audit.h"

#include <cstddef>
#include <span>
#include <string>

namespace perfcheck::store {

/// "session s3 of run r2 (s03)": the names in the run and, in parentheses, in the file. For several: "sessions s05,
/// s06, s07 (run r2)", with the run if they are all of one.
std::string sessions_text(model::Baseline const& baseline, std::span<std::size_t const> sessions);

/// "outlier:r2/s3:CASE"; `case_id` is empty for findings about whole sessions. For several sessions the first one's.
std::string finding_name(FindingKind kind, model::BaselineSession const& session, std::string const& case_id);

/// The run that a session came from, and its id there; empty where the file does not say.
struct Origin {
  std::string run, session;
};
Origin origin_of(model::BaselineSession const& session);

}  // namespace perfcheck::store
