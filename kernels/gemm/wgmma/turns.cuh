// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Two groups that have tiles of their own and take turns.
#pragma once

#include "ring.cuh"

namespace perfcheck::wgmma {

/// A group's turns: only one group at a time begins products. It is also what keeps a group from waiting for a stage
/// whose barrier is two phases behind, which looks like the phase waited for.
class Turns {
 public:
  __device__ __forceinline__ explicit Turns(int group) : group_(group) {
    if (group == 1) pass();  // group 0 begins
  }
  __device__ __forceinline__ void wait() const { ptx::named_barrier(kTurnBarrier + group_, 2 * kGroupThreads); }
  __device__ __forceinline__ void pass() const {
    ptx::named_barrier_arrive(kTurnBarrier + 1 - group_, 2 * kGroupThreads);
  }

 private:
  int group_;
};

/// Calls work(tile, turns, mine) for each tile of a block; every other one is the group's. For its own tiles, work()
/// waits for the group's turn before it waits for the first stage, and passes when it has waited for the last.
template <class V, class Work>
__device__ __forceinline__ void take_turns(ClusterTiles<V> tiles, int group, Work const& work) {
  Turns const turns(group);
  TileIndex tile;
  int whose = 0;
  while (tiles.next(tile)) {
    work(tile, turns, whose == group);
    whose ^= 1;
  }
  if (whose == group) turns.wait();  // the other group has passed, and no barrier is left half full
}

}  // namespace perfcheck::wgmma
