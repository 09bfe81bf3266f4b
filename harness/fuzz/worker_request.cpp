// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker is asked.
#include "perfcheck/protocol/messages.h"
#include "support/property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const request = fuzz::accepted<model::FormatError>(
      [&] { return protocol::decode_request(fuzz::text_of(data, size), "perfcheck"); });
  if (request) {
    std::string const line = protocol::encode(*request);
    fuzz::require(line.find('\n') + 1 == line.size(), "a request is one line");
    fuzz::require(protocol::encode(protocol::decode_request(line, "written")) == line,
                  "a request reads back as it was written");
  }
  return 0;
}
