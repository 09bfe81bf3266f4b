// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/verify/draw_secret.h"

#include <sys/random.h>

#include <cerrno>
#include <system_error>

namespace perfcheck::verify {

std::uint64_t draw_secret() {
  std::uint64_t secret = 0;
  while (getrandom(&secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret)) {
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "the system gives no random numbers");
  }
  return secret;
}

}  // namespace perfcheck::verify
