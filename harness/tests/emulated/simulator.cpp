// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "simulator.h"

#include <algorithm>
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace perfcheck::emulated {
namespace {

namespace context = boost::context;

constexpr int kFirstAddress = 1024;
constexpr std::uint32_t kAddressesOfBlock = 1U << 24;  // as seen on an H200, in the addresses of blocks of a cluster
constexpr std::size_t kAlignment = 1024;               // of shared memory, as kernels ask for
constexpr int kNamedBarriers = 16;
constexpr std::size_t kStackBytes = std::size_t{64} * 1024;
/// Rounds between copies where they are slow: more than any warp here takes for a stage.
constexpr unsigned kSlowCopies = 150;
/// So many rounds in which nothing happens are no coincidence: in each, most warps have their turn.
constexpr int kMostIdleRounds = 200;

using Group = std::vector<std::function<void()>>;  // of what happens when it is waited for

struct Barrier {
  int arrived = 0;
  unsigned phase = 0;
};

struct Cluster {
  int threads = 0;
  Barrier barrier;
};

struct Block {
  int index = 0, first_of_cluster = 0;
  Cluster* cluster = nullptr;
  std::unique_ptr<unsigned char, decltype(&std::free)> memory{nullptr, &std::free};
  Barrier named[kNamedBarriers];
  int live = 0;  // threads
};

/// By the copy engine.
struct Copy {
  Block const* to;
  std::function<void()> run;
};

struct Warp {
  Barrier barrier;
  char const* doing = nullptr;
  Operands operands{};
};

struct Thread {
  int index = 0;
  Block* block = nullptr;
  Warp* warp = nullptr;
  char const* waits_for = "";
  bool waited_for_launches = false;
  std::array<std::vector<Group>, 3> late;  // of each kind; the last group is open, once there is one
  context::fiber fiber, scheduler;
};

/// What a thread waits for; apart from the threads, as it is looked at more often than all else.
struct Wait {
  void const* word = nullptr;  // null while the thread waits for nothing
  std::uint32_t mask = 0, value = 0;

  bool lasts() const {
    if (word == nullptr) return false;
    std::uint32_t now = 0;
    std::memcpy(&now, word, sizeof now);
    return (now & mask) == value;
  }
};

class Simulation;
Simulation* simulation = nullptr;
Thread* present = nullptr;

class Simulation {
 public:
  Simulation(Launch const& launch, std::function<void()> const& kernel)
      : launch_(launch), kernel_(kernel), random_(device().seed) {
    if (device().launches++ % 3 == 2) rounds_between_copies_ = kSlowCopies;
    int const warps = (launch.threads + kWarp - 1) / kWarp;
    if (launch.threads % kWarp != 0 || launch.cluster < 1 || launch.blocks % launch.cluster != 0) {
      throw EmulationError("a launch needs whole warps and whole clusters");
    }
    clusters_.resize(static_cast<std::size_t>(launch.blocks / launch.cluster));
    for (Cluster& cluster : clusters_) cluster.threads = launch.cluster * launch.threads;
    blocks_.resize(static_cast<std::size_t>(launch.blocks));
    warps_.resize(blocks_.size() * static_cast<std::size_t>(warps));
    threads_.resize(blocks_.size() * static_cast<std::size_t>(launch.threads));
    waits_.resize(threads_.size());
    for (int b = 0; b < launch.blocks; ++b) start_block(b);
  }

  void run() {
    std::vector<std::size_t> order(warps_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (int idle = 0; live_ > 0 || !copies_.empty();) {
      std::uint64_t const before = events;
      std::ranges::shuffle(order, random_);
      for (std::size_t const warp : order) {
        if (random_() % 4 != 0) run_warp(warp);  // some are slower
      }
      if (random_() % rounds_between_copies_ == 0) {
        while (!copies_.empty() && random_() % 3 != 0) run_copy();
      }
      idle = events == before && copies_.empty() ? idle + 1 : 0;
      if (idle > kMostIdleRounds) throw EmulationError("threads wait for ever: " + who_waits());
    }
  }

  unsigned char* memory_of(int block, std::uint32_t address, int bytes, int alignment) {
    address %= kAddressesOfBlock;
    if (address % static_cast<unsigned>(alignment) != 0)
      fail("shared address " + std::to_string(address) + " is not aligned");
    if (address < kFirstAddress ||
        address - kFirstAddress + static_cast<unsigned>(bytes) > static_cast<unsigned>(launch_.shared_bytes)) {
      fail("shared address " + std::to_string(address) + " lies outside");
    }
    Block const& of = blocks_.at(static_cast<std::size_t>(block));
    if (of.live == 0) fail("block " + std::to_string(block) + " has ended, and its shared memory with it");
    return of.memory.get() + (address - kFirstAddress);
  }

  Launch const& launch() const { return launch_; }
  Wait& wait_of(Thread const& thread) { return waits_[static_cast<std::size_t>(&thread - threads_.data())]; }
  void add_copy(int block, std::function<void()> copy) {
    copies_.push_back({&blocks_.at(static_cast<std::size_t>(block)), std::move(copy)});
  }

  std::uint64_t events = 0;

 private:
  void start_block(int index) {
    Block& block = blocks_[static_cast<std::size_t>(index)];
    block.index = index;
    block.first_of_cluster = index / launch_.cluster * launch_.cluster;
    block.cluster = &clusters_[static_cast<std::size_t>(index / launch_.cluster)];
    std::size_t const bytes = (static_cast<std::size_t>(launch_.shared_bytes) / kAlignment + 1) * kAlignment;
    block.memory.reset(static_cast<unsigned char*>(std::aligned_alloc(kAlignment, bytes)));
    std::memset(block.memory.get(), 0xFF, bytes);
    for (int t = 0; t < launch_.threads; ++t) {
      int const number = index * launch_.threads + t;
      Thread& thread = threads_[static_cast<std::size_t>(number)];
      thread.index = t;
      thread.block = &block;
      thread.warp = &warps_[static_cast<std::size_t>(number / kWarp)];
      thread.fiber = fiber_of(thread);
      ++block.live;
    }
    live_ += block.live;
  }

  context::fiber fiber_of(Thread& thread) {
    return {std::allocator_arg, context::fixedsize_stack(kStackBytes), [this, &thread](context::fiber&& scheduler) {
              thread.scheduler = std::move(scheduler);
              try {
                kernel_();
              } catch (context::detail::forced_unwind const&) {
                throw;  // the launch failed elsewhere
              } catch (...) {
                failure_ = std::current_exception();
              }
              if (!thread.late[static_cast<std::size_t>(Late::stores)].empty() && !failure_) {
                failure_ = std::make_exception_ptr(EmulationError("thread " + std::to_string(thread.index) +
                                                                  " ends while its stores still read shared memory"));
              }
              --live_;
              --thread.block->live;
              ++events;
              return std::move(thread.scheduler);
            }};
  }

  void run_warp(std::size_t warp) {
    for (std::size_t i = warp * kWarp; i < (warp + 1) * kWarp; ++i) {
      if (waits_[i].lasts() || !threads_[i].fiber) continue;
      present = &threads_[i];
      present->fiber = std::move(present->fiber).resume();
      present = nullptr;
      if (failure_) std::rethrow_exception(failure_);
    }
    present = nullptr;
  }

  void run_copy() {
    std::swap(copies_[random_() % copies_.size()], copies_.back());
    auto const copy = std::move(copies_.back());
    copies_.pop_back();
    if (copy.to->live == 0) {
      throw EmulationError("a copy arrives in block " + std::to_string(copy.to->index) + ", which has ended");
    }
    copy.run();
    ++events;
  }

  std::string who_waits() const {
    auto const waiting = std::ranges::find_if(threads_, [](Thread const& thread) { return bool{thread.fiber}; });
    return "thread " + std::to_string(waiting->index) + " of block " + std::to_string(waiting->block->index) + " for " +
           waiting->waits_for;
  }

  Launch launch_;
  std::function<void()> const& kernel_;
  std::mt19937 random_;
  unsigned rounds_between_copies_ = 1;
  std::vector<Cluster> clusters_;
  std::vector<Block> blocks_;
  std::vector<Warp> warps_;
  std::vector<Copy> copies_;
  std::vector<Wait> waits_;  // of each thread
  int live_ = 0;
  std::exception_ptr failure_;
  std::vector<Thread> threads_;  // the last member: unwound first
};

void arrive(Barrier& barrier, int expected) {
  happened();
  if (++barrier.arrived < expected) return;
  barrier.arrived = 0;
  ++barrier.phase;
}

void arrive_and_wait(Barrier& barrier, int expected, char const* what) {
  unsigned const phase = barrier.phase;
  arrive(barrier, expected);
  wait_while(what, &barrier.phase, ~0U, phase);
}

Barrier& named(int id) {
  if (id < 0 || id >= kNamedBarriers) fail("there is no barrier " + std::to_string(id));
  return present->block->named[id];
}

Index of(int x) { return {.x = static_cast<unsigned>(x)}; }

}  // namespace

Device& device() {
  static Device device;
  return device;
}

void run(Launch const& launch, std::function<void()> const& kernel) {
  Simulation now(launch, kernel);
  simulation = &now;
  present = nullptr;
  now.run();
}

Index thread_index() { return of(present->index); }
Index block_index() { return of(present->block->index); }
Index block_size() { return {.x = static_cast<unsigned>(threads_of_block()), .y = 1, .z = 1}; }
Index grid_size() { return {.x = static_cast<unsigned>(simulation->launch().blocks), .y = 1, .z = 1}; }

void fail(std::string const& what) {
  if (present == nullptr) throw EmulationError("what a block has started: " + what);
  throw EmulationError("thread " + std::to_string(present->index) + " of block " +
                       std::to_string(present->block->index) + ": " + what);
}

void yield(char const* waits_for) {
  Thread& thread = *present;
  thread.waits_for = waits_for;
  thread.scheduler = std::move(thread.scheduler).resume();
}

void wait_while(char const* waits_for, void const* word, std::uint32_t mask, std::uint32_t value) {
  Wait& wait = simulation->wait_of(*present);
  wait = {.word = word, .mask = mask, .value = value};
  if (wait.lasts()) yield(waits_for);
  wait = {};
}

void happened() { ++simulation->events; }

unsigned char* shared_memory() { return present->block->memory.get(); }

std::uint32_t shared_address(void const* pointer) {
  auto const offset = static_cast<unsigned char const*>(pointer) - shared_memory();
  if (offset < 0 || offset >= simulation->launch().shared_bytes) fail("a pointer does not point to shared memory");
  return static_cast<std::uint32_t>(offset + kFirstAddress) +
         static_cast<std::uint32_t>(rank_in_cluster()) * kAddressesOfBlock;
}

unsigned char* at_shared(std::uint32_t address, int bytes, int alignment) {
  return simulation->memory_of(present->block->index, address, bytes, alignment);
}
unsigned char* at_shared_of(int rank, std::uint32_t address, int bytes, int alignment) {
  return simulation->memory_of(present->block->first_of_cluster + rank, address, bytes, alignment);
}

int threads_of_block() { return simulation->launch().threads; }
void named_barrier(int id, int threads) { arrive_and_wait(named(id), threads, "a barrier of the block"); }
void arrive_at_named_barrier(int id, int threads) { arrive(named(id), threads); }
void cluster_barrier() {
  arrive_and_wait(present->block->cluster->barrier, present->block->cluster->threads, "the barrier of the cluster");
}

void together(char const* what, void* operand, std::function<void(Operands const&)> const& all) {
  Warp& warp = *present->warp;
  if (warp.barrier.arrived > 0 && std::strcmp(warp.doing, what) != 0) {
    fail(std::string("lanes of a warp diverge: ") + what + " meets " + warp.doing);
  }
  warp.doing = what;
  warp.operands[static_cast<std::size_t>(present->index % kWarp)] = operand;
  if (warp.barrier.arrived == kWarp - 1) all(warp.operands);
  arrive_and_wait(warp.barrier, kWarp, what);
}

void wait_for_launches_before() { present->waited_for_launches = true; }
void touch_global_memory() {
  if (simulation->launch().dependent && !present->waited_for_launches) {
    fail("touches global memory before it has waited for the launches in front");
  }
}

int rank_in_cluster() { return present->block->index - present->block->first_of_cluster; }

void copy_later(int rank, std::function<void()> copy) {
  simulation->add_copy(present->block->first_of_cluster + rank, std::move(copy));
}

namespace {
std::vector<Group>& groups_of(Late kind) { return present->late[static_cast<std::size_t>(kind)]; }
}  // namespace

void do_when_waited(Late kind, std::function<void()> work) {
  if (groups_of(kind).empty()) groups_of(kind).emplace_back();
  groups_of(kind).back().push_back(std::move(work));
}

void close_group(Late kind) {
  if (groups_of(kind).empty()) groups_of(kind).emplace_back();
  groups_of(kind).emplace_back();
}

void wait_for(Late kind, int pending_groups) {
  auto& groups = groups_of(kind);
  while (static_cast<int>(groups.size()) - 1 > pending_groups) {
    for (auto const& work : groups.front()) work();
    groups.erase(groups.begin());
  }
  if (groups.size() == 1 && groups.front().empty()) groups.clear();
}

}  // namespace perfcheck::emulated
