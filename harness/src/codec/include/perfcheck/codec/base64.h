// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::codec {

/// RFC 4648, section 4, with padding, on one line.
std::string base64(std::string_view bytes);

}  // namespace perfcheck::codec
