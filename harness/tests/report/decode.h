// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a page's data as the page itself does, for the tests. Written from docs/report-data.md, not from the writers.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfcheck::report::decode {

struct Columns {
  nlohmann::json header;
  std::map<std::string, std::vector<double>> values;  ///< NaN: missing
};

/// Each function throws std::runtime_error for malformed bytes.
Columns columns(std::string_view bytes);
std::string base64(std::string_view text);
std::string inflate(std::string_view bytes);
/// Decodes a chunk as it stands in a page.
std::string chunk(std::string_view text);

/// Checks an XML document: one root, tags nested and closed, attributes quoted and unique, only known entities, no
/// characters that XML forbids. Throws std::runtime_error with what is wrong. `texts`: the content of all elements and
/// attributes, unescaped.
std::vector<std::string> xml_texts(std::string_view document);

}  // namespace perfcheck::report::decode
