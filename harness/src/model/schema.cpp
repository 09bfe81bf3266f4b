// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "schema.h"
#include "perfcheck/model/one_line.h"

#include "place.h"

#include <fmt/format.h>

namespace perfcheck::model {

void require_schema(ObjectReader& reader, std::string_view supported, std::string_view earlier) {
  if (!reader.has("schema")) {
    reader.fail("schema", fmt::format("is missing, so this is not a {} file; name the right file", supported));
  }
  std::string const schema = reader.text("schema");
  if (schema == supported || (!earlier.empty() && schema == earlier)) {
    return;
  }
  std::string_view const kind = supported.substr(0, supported.find('/') + 1);
  if (schema.starts_with(kind)) {
    reader.fail(
        "schema",
        fmt::format("is {}, but this perfcheck reads {}{}{}; use the perfcheck that wrote the file, or write it "
                    "again with this one",
                    in_quotes(schema), supported, earlier.empty() ? "" : " and ", earlier));
  }
  reader.fail("schema",
              fmt::format("is {}, but a {} file is wanted here; name the right file", in_quotes(schema), supported));
}

}  // namespace perfcheck::model
