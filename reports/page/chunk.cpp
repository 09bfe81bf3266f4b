// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/report/chunk.h"

#include "perfcheck/codec/base64.h"
#include "perfcheck/codec/deflate.h"

namespace perfcheck::report {

std::string packed(std::string_view bytes) { return codec::base64(codec::deflate(bytes)); }

}  // namespace perfcheck::report
