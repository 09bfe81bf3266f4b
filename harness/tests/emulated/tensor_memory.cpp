// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory.h"

#include "memory_barrier.h"
#include "simulator.h"

#include <bit>
#include <deque>
#include <limits>
#include <map>
#include <memory>

namespace perfcheck::emulated {
namespace {

using Product = std::function<void(TensorMemory&)>;

struct Commit {
  std::vector<Product> products;
  MemoryBarrier barrier;
};

struct Block {
  TensorMemory memory;
  std::vector<Product> started;
  std::deque<Commit> committed;
};

/// Of blocks that have allocated, by their number.
std::map<unsigned, std::shared_ptr<Block>>& blocks() {
  static std::map<unsigned, std::shared_ptr<Block>> all;
  return all;
}

std::shared_ptr<Block> present_block() {
  auto const found = blocks().find(block_index().x);
  if (found == blocks().end()) fail("a block that has no tensor memory uses it");
  return found->second;
}

}  // namespace

TensorMemory::TensorMemory(int columns)
    : columns_(columns), words_(static_cast<std::size_t>(columns) * kLanes, std::numeric_limits<float>::quiet_NaN()) {}

float& TensorMemory::at(std::uint32_t address) {
  std::uint32_t const lane = address >> 16, column = (address & 0xFFFF) - kFirstColumn;
  if (lane >= kLanes || column >= static_cast<std::uint32_t>(columns_)) fail("an address outside of tensor memory");
  return words_[std::size_t{lane} * static_cast<std::size_t>(columns_) + column];
}

std::uint32_t allocate_tensor_memory(int columns) {
  if (columns < 32 || columns > TensorMemory::kMostColumns || !std::has_single_bit(static_cast<unsigned>(columns))) {
    fail("tensor memory is allocated in powers of two from 32 to 512 columns");
  }
  auto const [at, is_new] =
      blocks().try_emplace(block_index().x, std::make_shared<Block>(Block{TensorMemory(columns), {}, {}}));
  if (!is_new) {
    forget_tensor_memory();
    fail("tensor memory was allocated before, and not freed");
  }
  return TensorMemory::kFirstColumn;
}

void free_tensor_memory(std::uint32_t address, int columns) {
  auto const block = present_block();
  if (address != TensorMemory::kFirstColumn || columns != block->memory.columns()) {
    fail("other tensor memory is freed than was allocated");
  }
  if (!block->started.empty() || !block->committed.empty()) fail("tensor memory is freed while products may use it");
  blocks().erase(block_index().x);
}

void forget_tensor_memory() { blocks().clear(); }

TensorMemory& present_tensor_memory() { return present_block()->memory; }

void start_product(Product product) { present_block()->started.push_back(std::move(product)); }

void commit_products(std::uint32_t barrier) {
  auto const block = present_block();
  block->committed.push_back({.products = std::move(block->started), .barrier = MemoryBarrier(barrier)});
  block->started.clear();
  // One turn of the tensor cores for each commit, which takes the oldest.
  copy_later(rank_in_cluster(), [block] {
    Commit const commit = std::move(block->committed.front());
    block->committed.pop_front();
    for (Product const& product : commit.products) product(block->memory);
    commit.barrier.arrive();
  });
}

}  // namespace perfcheck::emulated
