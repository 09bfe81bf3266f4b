// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Turns bytes into the text of a page: compresses them, then encodes them.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report {

/// A zlib stream (RFC 1950) of the bytes, in base64; the form that chunk_script() and chunk_file() take.
std::string packed(std::string_view bytes);

}  // namespace perfcheck::report
