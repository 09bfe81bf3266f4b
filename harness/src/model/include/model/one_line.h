// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Text from outside as part of a message, which is one line whatever the text holds.
#pragma once

#include <string>
#include <string_view>

namespace perfcheck::model {

/// Every control character as a space.
std::string one_line(std::string_view text);

/// In quotes, escaped to printable ASCII and shortened.
std::string in_quotes(std::string_view text);

}  // namespace perfcheck::model
