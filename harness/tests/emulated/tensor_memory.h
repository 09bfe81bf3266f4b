// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensor memory, and the products that the tensor cores add to it on the side. Each block has its own, as blocks that
// use it have a multiprocessor to themselves here.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace perfcheck::emulated {

/// 128 lanes of columns of 32 bits, which begin as NaN.
class TensorMemory {
 public:
  static constexpr int kLanes = 128, kMostColumns = 512;
  /// Columns count from this on, so that 0 is none.
  static constexpr std::uint32_t kFirstColumn = 32;

  explicit TensorMemory(int columns);
  /// The word at an address: lane in its upper, column in its lower 16 bits. Fails outside of what was allocated.
  float& at(std::uint32_t address);
  int columns() const { return columns_; }

 private:
  int columns_;
  std::vector<float> words_;
};

/// Of the present block. A kernel that allocates twice, frees what it did not allocate, or ends without having freed it
/// (which the next one finds) fails.
std::uint32_t allocate_tensor_memory(int columns);
void free_tensor_memory(std::uint32_t address, int columns);
TensorMemory& present_tensor_memory();
/// To be called when a launch has failed on purpose, and so freed nothing.
void forget_tensor_memory();

/// Products that the block's threads start. They execute when they have been committed: at a drawn time, in their
/// order, and then the barrier at a shared address is arrived at.
void start_product(std::function<void(TensorMemory&)> product);
void commit_products(std::uint32_t barrier);

}  // namespace perfcheck::emulated
