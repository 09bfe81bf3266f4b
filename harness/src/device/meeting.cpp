// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "perfcheck/device/meeting.h"

#include "shared_host_memory.h"

#include <atomic>

namespace perfcheck::device {
namespace {

std::uint64_t load(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_acquire); }
void store(std::uint64_t& word, std::uint64_t value) { std::atomic_ref(word).store(value, std::memory_order_release); }

}  // namespace

Meeting::Meeting() : shared_(allocate_shared_host_memory(sizeof(MeetingPlace))) { reset(); }

void Meeting::reset() {
  for (auto* const word : {&place().released, &place().reached, &place().ended, &place().secret, &place().last}) {
    store(*word, 0);
  }
}

bool Meeting::reached() const { return load(place().reached) != 0; }

void Meeting::release(std::uint64_t secret) {
  store(place().secret, secret);
  store(place().released, 1);
}

std::optional<std::uint64_t> Meeting::last() const {
  return load(place().ended) != 0 ? std::optional(load(place().last)) : std::nullopt;
}

}  // namespace perfcheck::device
