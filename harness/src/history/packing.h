// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits a run into parts for the tables, and reassembles it without loss.
#pragma once

#include "perfcheck/model/run.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfcheck::history {

struct PackedRounds {
  std::string case_id;
  std::size_t session = 0;
  std::string bytes;  ///< rounds_codec.h
};

struct PackedRun {
  std::string head;                   ///< compressed JSON of the run, its sessions without cases
  std::vector<std::string> sessions;  ///< compressed JSON of each session's cases, without rounds
  std::vector<PackedRounds> rounds;
};

PackedRun pack(model::Run const& run);

/// `origin` names the run in errors. Throws codec::DecodeError or model::FormatError for damaged parts. The result has
/// at least one session.
model::Run unpack(PackedRun const& packed, std::string const& origin);
model::Run unpack_head(std::string_view head, std::string const& origin);

}  // namespace perfcheck::history
