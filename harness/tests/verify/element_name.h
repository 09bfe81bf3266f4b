// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Element types in the names of tests.
#pragma once

#include "perfcheck/verify/element.h"

#include <string>

namespace perfcheck::verify {

inline std::string name_of(Element element) { return std::string(to_text(element)); }

}  // namespace perfcheck::verify
