// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "ci/json_document.h"

#include "perfcheck/model/json_members.h"
#include "perfcheck/model/one_line.h"
#include "text/markup.h"

#include <cmath>

namespace perfcheck::report::ci {

nlohmann::json text_json(std::string_view text) { return model::one_line(text); }

void put_digits(nlohmann::json& object, char const* key, std::optional<double> value) {
  if (value && std::isfinite(*value)) object[key] = model::rounded(*value, 6);
}

}  // namespace perfcheck::report::ci
