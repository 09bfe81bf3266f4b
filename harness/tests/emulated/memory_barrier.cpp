// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "memory_barrier.h"

#include "simulator.h"

#include <bit>
#include <cstdlib>
#include <cstring>

namespace perfcheck::emulated {
namespace {

/// What the eight bytes of a barrier hold.
struct State {
  std::int16_t arrivals;  // per phase; negative while the phase's parity is 1
  std::int16_t pending;   // arrivals
  std::int32_t bytes;     // pending; below 0 if they arrive before they are expected

  std::uint32_t parity() const { return arrivals < 0 ? 1 : 0; }
};
static_assert(sizeof(State) == 8);
static_assert(std::endian::native == std::endian::little);
constexpr std::uint32_t kParity = 0x8000;  // State::parity() in the first four bytes: the sign of `arrivals`

State load(unsigned char const* from) {
  State state;
  std::memcpy(&state, from, sizeof state);
  return state;
}

void store(State state, unsigned char* to) {
  if (state.pending == 0 && state.bytes == 0) {
    state.arrivals = static_cast<std::int16_t>(-state.arrivals);
    state.pending = static_cast<std::int16_t>(std::abs(state.arrivals));
  }
  std::memcpy(to, &state, sizeof state);
}

}  // namespace

MemoryBarrier::MemoryBarrier(std::uint32_t address) : MemoryBarrier(address, rank_in_cluster()) {}

MemoryBarrier::MemoryBarrier(std::uint32_t address, int rank)
    : state_(at_shared_of(rank, address, sizeof(State), alignof(std::uint64_t))) {}

void MemoryBarrier::init(int arrivals) const {
  auto const count = static_cast<std::int16_t>(arrivals);
  State const state{.arrivals = count, .pending = count, .bytes = 0};
  std::memcpy(state_, &state, sizeof state);
}

void MemoryBarrier::arrive(int bytes) const {
  State state = load(state_);
  if (state.pending <= 0) fail("more arrivals at a barrier in shared memory than its phase has");
  state.bytes += bytes;
  --state.pending;
  store(state, state_);
  happened();
}

void MemoryBarrier::receive(int bytes) const {
  State state = load(state_);
  state.bytes -= bytes;
  store(state, state_);
}

bool MemoryBarrier::test(std::uint32_t parity) const {
  if (parity > 1) fail("a parity is 0 or 1");
  return load(state_).parity() != parity;
}

void MemoryBarrier::wait(std::uint32_t parity) const {
  if (!test(parity)) wait_while("a barrier in shared memory", state_, kParity, parity * kParity);
}

}  // namespace perfcheck::emulated
