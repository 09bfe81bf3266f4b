// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "place.h"

#include <algorithm>

namespace perfcheck::history {

bool is_postgres(std::string const& place) {
  return place.starts_with("postgresql://") || place.starts_with("postgres://");
}

std::string name_of(std::string const& place) {
  if (!is_postgres(place)) {
    return place;
  }
  // The part before the last '@' is the user and, after a colon, perhaps a password, which may contain any character
  // that somebody forgot to encode. The part after '?' may contain a password too.
  std::string shown = place.substr(place.find("://") + 3);
  if (std::size_t const at = shown.rfind('@'); at != std::string::npos) {
    std::size_t const colon = std::min(shown.find(':'), at);
    shown.erase(colon, at - colon);
  }
  shown.resize(std::min(shown.find('?'), shown.size()));
  return "postgresql://" + shown;
}

}  // namespace perfcheck::history
