// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// A GPU on the CPU, for tests of kernels where there is none. Every thread of a launch is a fiber. Warps take turns in
// an order that is drawn anew, and what a GPU does on the side arrives late: copies of the copy engine at drawn times
// and in any order; those of cp.async, its stores and products of wgmma not before they are waited for. Shared memory
// begins as NaN.
//
// It finds wrong addresses and results, data that is used before it is there, and threads that wait for ever. It does
// not know what compilers and hardware reorder within a thread, and says nothing about time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace perfcheck::emulated {

constexpr int kWarp = 32;

/// A kernel did what it must not do, or waits for ever. what() names the thread.
class EmulationError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the present test emulates.
struct Device {
  int multiprocessors = 5;  ///< few, so that small problems have several rounds
  unsigned seed = 1;        ///< of the order in which things happen
  unsigned launches = 0;    ///< until now; in every third, copies take longer than a stage of any ring is multiplied
  std::function<void(void const*)> prefetches = {};  ///< is told, if set, what a kernel fetches to L2
};
Device& device();

/// The sizes of a launch of one dimension.
struct Launch {
  int blocks = 1;
  int cluster = 1;  ///< blocks that form a cluster
  int threads = 1;  ///< per block
  int shared_bytes = 0;
  bool dependent = false;  ///< may begin before the launch in front has ended
};

/// Calls `kernel` once as each thread of a launch. Returns when all have returned, and all copies have arrived. Throws
/// EmulationError, and what the kernel throws.
void run(Launch const& launch, std::function<void()> const& kernel);

// The rest is for code that runs as a thread of a launch.

struct Index {
  unsigned x = 0, y = 0, z = 0;
};
Index thread_index();
Index block_index();
Index block_size();
Index grid_size();

[[noreturn]] void fail(std::string const& what);

/// Lets others go on; `waits_for` is for messages.
void yield(char const* waits_for);
/// Lets others go on for as long as the four bytes at `word`, under `mask`, are `value`, which has no other bits. They
/// are looked at without a switch to this thread: most of the time, most threads wait.
void wait_while(char const* waits_for, void const* word, std::uint32_t mask, std::uint32_t value);
/// Something changed for which others may wait.
void happened();

/// The block's shared memory. Addresses of 32 bits count from 1024 on, so that 0 is none; their upper bits hold the
/// block's rank in the cluster.
unsigned char* shared_memory();
std::uint32_t shared_address(void const* pointer);
/// `bytes` bytes at an address, which must be a multiple of `alignment`, in shared memory of the block with this rank
/// in the cluster, or of the thread's own block.
unsigned char* at_shared(std::uint32_t address, int bytes, int alignment);
unsigned char* at_shared_of(int rank, std::uint32_t address, int bytes, int alignment);

/// bar.sync and bar.arrive; barrier 0 is __syncthreads().
void named_barrier(int id, int threads);
void arrive_at_named_barrier(int id, int threads);
int threads_of_block();
void cluster_barrier();
int rank_in_cluster();

/// What all lanes of a warp do together: each brings an operand, and the last one calls `all` with those of all lanes.
using Operands = std::array<void*, kWarp>;
void together(char const* what, void* operand, std::function<void(Operands const&)> const& all);

/// In a dependent launch, a thread waits before it lets the copy engine touch global memory; what it reads and writes
/// itself is not watched.
void wait_for_launches_before();
void touch_global_memory();

/// A copy by the copy engine to shared memory of the block with this rank in the cluster: happens at some time, which
/// must be before that block ends.
void copy_later(int rank, std::function<void()> copy);
/// What a thread starts in groups, each of which happens when the thread waits for it, and not before: copies by
/// cp.async, stores by the copy engine, products by wgmma. A thread must not end without having waited for its stores.
enum class Late { copies, stores, products };
void do_when_waited(Late kind, std::function<void()> work);
void close_group(Late kind);
void wait_for(Late kind, int pending_groups);

}  // namespace perfcheck::emulated
