// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace perfcheck::verify {

/// A number from the operating system that nobody can know before it is drawn. Throws std::system_error when the system
/// gives none.
std::uint64_t draw_secret();

}  // namespace perfcheck::verify
