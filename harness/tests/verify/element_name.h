// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Element types in the names of tests.
#pragma once

#include "perfcheck/verify/element.h"

#include <string>

namespace perfcheck::verify {

inline std::string name_of(Element element) {
  return element == Element::f32 ? "f32" : element == Element::f16 ? "f16" : "bf16";
}

}  // namespace perfcheck::verify
