// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// What a worker answers, and whether it keeps the protocol.
#include "perfcheck/protocol/contract.h"
#include "support/property.h"
#include "support/run_property.h"

using namespace perfcheck;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  auto const answer =
      fuzz::accepted<model::FormatError>([&] { return protocol::decode_answer(fuzz::text_of(data, size), "worker"); });
  if (!answer) {
    return 0;
  }
  std::string const line = protocol::encode(*answer);
  fuzz::require(line.find('\n') + 1 == line.size(), "an answer is one line");
  fuzz::require(protocol::encode(protocol::decode_answer(line, "written")) == line,
                "an answer reads back as it was written");
  if (auto const* const hello = std::get_if<protocol::HelloAnswer>(&*answer)) {
    (void)protocol::hello_breach({.client = "perfcheck"}, *hello);
  } else if (auto const* const plan = std::get_if<protocol::PlanAnswer>(&*answer)) {
    (void)protocol::plan_breach(*plan);
  } else if (auto const* const result = std::get_if<protocol::ResultAnswer>(&*answer)) {
    fuzz::require_usable(result->result);
    (void)protocol::result_breach({.case_id = result->result.id, .options = {}}, result->result);
  }
  return 0;
}
