// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/one_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perfcheck::model {
namespace {

struct Decoded {
  uint32_t code = 0;
  std::size_t length = 0;  ///< 0: no character begins here
};

/// Well-formed UTF-8 only (Unicode 15, table 3-7): no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text) {
  auto const byte = [&](std::size_t i) { return static_cast<uint8_t>(text[i]); };
  uint8_t const lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t const length = lead >= 0xc2 && lead <= 0xdf   ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if (length == 0 || text.size() < length) return {};
  uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  bool const overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  bool const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

/// Controls of ASCII and Latin-1, what sets the direction of text (a name could show another order than it has), and
/// the two that XML forbids.
bool is_dropped(uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xfffe || code == 0xffff;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    Decoded const decoded = decode(text);
    std::size_t const length = std::max<std::size_t>(decoded.length, 1);
    if (decoded.length == 0) {
      result += "\xef\xbf\xbd";
    } else if (decoded.code == '\t' || decoded.code == '\n' || decoded.code == '\r') {
      result += ' ';
    } else if (!is_dropped(decoded.code)) {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace perfcheck::model
