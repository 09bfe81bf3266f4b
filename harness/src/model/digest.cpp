// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/model/digest.h"

#include <fmt/format.h>

namespace perfcheck::model {

void Digest::add(std::string_view text) {
  for (char const c : text) {
    mix(static_cast<unsigned char>(c));
  }
  mix('\n');
}

std::string Digest::text() const { return fmt::format("{:016x}", hash_); }

std::string digest_of(std::string_view text) {
  Digest digest;
  digest.add(text);
  return digest.text();
}

}  // namespace perfcheck::model
