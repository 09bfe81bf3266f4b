// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What the formats that are JSON have in common.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfcheck::report::ci {

/// model::one_line() text.
nlohmann::json text_json(std::string_view text);
/// Six significant digits; leaves no key for what is absent or not finite.
void put_digits(nlohmann::json& object, char const* key, std::optional<double> value);

}  // namespace perfcheck::report::ci
