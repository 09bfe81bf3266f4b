// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/digest.h"
#include "perfcheck/model/json.h"
#include "perfcheck/model/json_members.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace perfcheck::model {
namespace {

using nlohmann::json;

/// Adds a canonical form of the value, the same whoever wrote it: keys are sorted, every number is a double.
void add(json const& value, Digest& digest) {
  if (value.is_object()) {
    digest.add("{");
    for (auto const& [key, member] : value.items()) {
      digest.add(one_line_text(key));
      add(member, digest);
    }
    digest.add("}");
  } else if (value.is_array()) {
    digest.add("[");
    for (json const& element : value) {
      add(element, digest);
    }
    digest.add("]");
  } else if (value.is_number()) {
    digest.add(fmt::format("{}", value.get<double>()));
  } else {
    digest.add(one_line_text(value));
  }
}

}  // namespace

std::string baseline_digest(json const& file) {
  Digest digest;
  for (auto const& [key, member] : file.items()) {
    if (key != "digest") {
      digest.add(one_line_text(key));
      add(member, digest);
    }
  }
  return digest.text();
}

}  // namespace perfcheck::model
