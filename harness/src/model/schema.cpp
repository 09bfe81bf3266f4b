// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "schema.h"
#include "perfcheck/model/one_line.h"

#include "place.h"

#include <fmt/format.h>

#include <algorithm>

namespace perfcheck::model {

std::string require_schema(ObjectReader& reader, std::string_view supported, std::span<char const* const> earlier) {
  if (!reader.has("schema")) {
    reader.fail("schema", fmt::format("is missing, so this is not a {} file; name the right file", supported));
  }
  std::string schema = reader.text("schema");
  if (schema == supported || std::find(earlier.begin(), earlier.end(), schema) != earlier.end()) {
    return schema;
  }
  std::string_view const kind = supported.substr(0, supported.find('/') + 1);
  if (schema.starts_with(kind)) {
    std::string all(supported);
    for (std::size_t i = 0; i < earlier.size(); ++i) {
      all += fmt::format("{}{}", i + 1 == earlier.size() ? " and " : ", ", earlier[i]);
    }
    reader.fail("schema",
                fmt::format("is {}, but this perfcheck reads {}; use the perfcheck that wrote the file, or write it "
                            "again with this one",
                            in_quotes(schema), all));
  }
  reader.fail("schema",
              fmt::format("is {}, but a {} file is wanted here; name the right file", in_quotes(schema), supported));
}

}  // namespace perfcheck::model
