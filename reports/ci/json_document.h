// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Helpers that the JSON formats share.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// The text after model::one_line().
nlohmann::json text_json(std::string_view text);
/// Sets a number with six significant digits; sets no key for one that is absent or not finite.
void put_digits(nlohmann::json& object, char const* key, std::optional<double> value);

}  // namespace perfcheck::report::ci
