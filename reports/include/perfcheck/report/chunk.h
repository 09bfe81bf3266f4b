// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// From bytes to what stands in a page: compressed, then as text.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::report {

/// A zlib stream (RFC 1950) of the bytes, in base64: what chunk_script() and chunk_file() take.
std::string packed(std::string_view bytes);

}  // namespace perfcheck::report
