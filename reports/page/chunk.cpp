// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "report/chunk.h"

#include "codec/base64.h"
#include "codec/deflate.h"

namespace perfcheck::report {

std::string packed(std::string_view bytes) { return codec::base64(codec::deflate(bytes)); }

}  // namespace perfcheck::report
