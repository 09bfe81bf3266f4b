// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// "Did you mean ...?": the known name that a mistyped one resembles most.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::model {

/// The candidate with the fewest edits (insert, delete, replace, swap neighbours) from `word`; empty when none is close
/// enough to be what was meant. Ties go to the earlier candidate.
std::optional<std::string> nearest_name(std::string_view word, std::vector<std::string> const& candidates);

}  // namespace perfcheck::model
