// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// The HTML around the application and its data, in pieces that are written one after the other:
//
//   single page   page_begin, chunk_script for each chunk, page_end
//   site          index.html: page_begin, page_end; data/KEY.js: chunk_file
#pragma once

#include "perfcheck/report/chunk.h"
#include "perfcheck/report/page_data.h"
#include "perfcheck/report/page_json.h"

#include <string>
#include <string_view>

namespace perfcheck::report {

/// From the document type to the manifest: head with title, policy and style, the element that the application fills.
/// The policy allows no network; a site may load scripts from its own folder, also from a disk. `script_hash` is the
/// hash of the application, as in "sha256-BASE64", and makes it the only inline script that may run; where it is empty,
/// every inline script may. Throws std::invalid_argument when the style contains "</style" or the hash is malformed.
std::string page_begin(ReportManifest const& manifest, std::string_view css, std::string_view script_hash = {});

/// The element of one chunk; `base64` is packed(). Throws std::invalid_argument unless the key is made of lower-case
/// letters and digits and the rest of base64's characters.
std::string chunk_script(std::string_view key, std::string_view base64);
/// The file data/KEY.js of a site; throws as chunk_script() does.
std::string chunk_file(std::string_view key, std::string_view base64);

/// The application and the end of the page. "</script" and "<!--" in it, which would end the script early or not at
/// all, are escaped in a way that means the same in a string or a regular expression.
std::string page_end(std::string_view app_js);

}  // namespace perfcheck::report
