// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: the same functions, with the instructions emulated. Products read their operands when
// they are waited for, as late as the hardware may.
#pragma once

#include "simulator.h"

#include <cuda_fp8.h>
#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile_descriptor.cuh>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace perfcheck::ptx {

inline void wgmma_fence() {}
inline void wgmma_commit() { emulated::close_group(emulated::Late::products); }
template <int kPending>
void wgmma_wait() {
  emulated::wait_for(emulated::Late::products, kPending);
}
template <class Sum, std::size_t kCount>
void hold_sums(Sum (& /*sums*/)[kCount]) {}

/// Element `e` of a tile of `In`, as a number to multiply.
template <class In>
auto number_at(unsigned char const* at) {
  if constexpr (sizeof(In) == 2) {
    uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return number_of<In>(bits);
  } else if constexpr (std::is_same_v<In, float>) {
    uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return __uint_as_float(bits & ~0x1FFFU);
  } else if constexpr (std::is_same_v<In, int8_t>) {
    return int{static_cast<int8_t>(*at)};
  } else {
    static_assert(sizeof(In) == 1);
    return number_of<In>(*at);
  }
}

/// The tile at a descriptor: 32 bytes of k of `lines` rows or columns.
template <class In, bool kColumnsContiguous>
class TileAt {
  static constexpr int kBytes = sizeof(In);

 public:
  TileAt(uint64_t descriptor, int lines)
      : start_(static_cast<uint32_t>(descriptor & 0x3FFF) * 16),
        far_(static_cast<uint32_t>(descriptor >> 16 & 0x3FFF) * 16),
        near_(static_cast<uint32_t>(descriptor >> 32 & 0x3FFF) * 16) {
    uint32_t const last = offset(lines - 1, 32 / kBytes - 1);
    block_ = emulated::at_shared(start_, static_cast<int>(last) + kBytes, 16) - start_;
  }

  auto at(int line, int k) const {
    uint32_t const address = start_ + offset(line, k);
    return number_at<In>(block_ + (address ^ (address / 128 % 8 * 16)));
  }

 private:
  uint32_t offset(int line, int k) const {
    return kColumnsContiguous
               ? line / 64 * far_ + k / 8 * near_ + static_cast<uint32_t>(k % 8 * 128 + line % 64 * kBytes)
               : line / 8 * near_ + static_cast<uint32_t>(line % 8 * 128 + k * kBytes);
  }

  uint32_t start_, far_, near_;
  unsigned char const* block_;
};

/// What a sum becomes when kCount products of `x` and `y` are added to it.
template <class In, class Sum, class Number, std::size_t kCount>
Sum sum_with_products(Sum sum, Number const (&x)[kCount], Number const (&y)[kCount]) {
  if constexpr (std::is_same_v<In, __nv_fp8_e4m3>) {
    // Hopper's tensor cores align all terms to the largest, and keep 13 bits behind its first one.
    float terms[kCount + 1], largest = std::abs(sum);
    terms[kCount] = sum;
    for (std::size_t k = 0; k < kCount; ++k) {
      terms[k] = x[k] * y[k];
      if (!std::isfinite(terms[k])) return sum + terms[k];
      largest = std::max(largest, std::abs(terms[k]));
    }
    if (largest == 0 || !std::isfinite(largest)) return sum;
    int const last_bit = std::ilogb(largest) - 13;
    float const scale = std::ldexp(1.0F, -last_bit);
    int total = 0;
    for (float const term : terms) total += static_cast<int>(term * scale);
    return std::ldexp(static_cast<float>(total), last_bit);
  } else {
    Sum products = 0;
    for (std::size_t k = 0; k < kCount; ++k) products += x[k] * y[k];
    return sum + products;
  }
}

/// The rows of A that a thread's sums need, from registers of its own and of the three lanes beside it. They must not
/// change before the product is waited for.
template <class In>
class RowsInRegisters {
  static constexpr int kOfWord = 4 / int{sizeof(In)};

 public:
  explicit RowsInRegisters(uint32_t const (&a)[4]) : own_(a) {
    Operands operands{.a = a, .of_quad = {}};
    emulated::together("wgmma", &operands, [](emulated::Operands const& lanes) {
      for (std::size_t lane = 0; lane < emulated::kWarp; ++lane) {
        for (std::size_t i = 0; i < 4; ++i) {
          std::memcpy(static_cast<Operands*>(lanes[lane])->of_quad[i],
                      static_cast<Operands*>(lanes[lane / 4 * 4 + i])->a, sizeof operands.of_quad[i]);
        }
      }
    });
    std::memcpy(words_, operands.of_quad, sizeof words_);
  }

  void check() const {
    if (std::memcmp(own_, words_[thread_index() % 4], sizeof words_[0]) != 0) {
      emulated::fail("registers that wgmma may still read were written");
    }
  }

  /// Element `k` of the thread's upper row, or of the one eight below.
  auto at(int below, int k) const {
    uint32_t const word = words_[k / kOfWord % 4][below + k / (4 * kOfWord) * 2];
    return number_at<In>(reinterpret_cast<unsigned char const*>(&word) + k % kOfWord * static_cast<int>(sizeof(In)));
  }

 private:
  struct Operands {
    uint32_t const* a;
    uint32_t of_quad[4][4];
  };
  uint32_t const* own_;
  uint32_t words_[4][4];  // of each lane of four
};

/// The rows of A that a thread's sums need, from shared memory.
template <class In, bool kRowsContiguous>
class RowsInMemory {
 public:
  explicit RowsInMemory(uint64_t a) : tile_(a, 64) {}
  void check() const {}
  auto at(int below, int k) const {
    int const thread = thread_index();
    return tile_.at(thread / 32 % 4 * 16 + thread % 32 / 4 + below * 8, k);
  }

 private:
  TileAt<In, kRowsContiguous> tile_;
};

/// `Rows` is one of the two.
template <class In, int kColumns, bool kColumnsContiguous, class Rows, class Sum>
void multiply_rows(Sum (&d)[kColumns / 2], Rows const& of_a, uint64_t b, bool add) {
  constexpr int kK = 32 / int{sizeof(In)};
  TileAt<In, kColumnsContiguous> const of_b(b, kColumns);
  int const pair = thread_index() % 4 * 2;
  using Number = decltype(of_a.at(0, 0));
  Number rows[2][kK];
  for (int below = 0; below < 2; ++below) {
    for (int k = 0; k < kK; ++k) rows[below][k] = of_a.at(below, k);
  }
  for (int j = 0; j < kColumns / 8; ++j) {
    for (int e = 0; e < 2; ++e) {
      Number column[kK];
      for (int k = 0; k < kK; ++k) column[k] = of_b.at(j * 8 + pair + e, k);
      for (int below = 0; below < 2; ++below) {
        Sum& to = d[j * 4 + below * 2 + e];
        to = sum_with_products<In>(add ? to : Sum{0}, rows[below], column);
      }
    }
  }
}

template <class In, int kColumns, bool kColumnsContiguous, bool kRowsContiguous = false, class Sum>
void wgmma(Sum (&d)[kColumns / 2], uint64_t a, uint64_t b, bool add) {
  static_assert(sizeof(In) == 2 || !(kColumnsContiguous || kRowsContiguous));
  emulated::do_when_waited(emulated::Late::products, [&d, a, b, add] {
    multiply_rows<In, kColumns, kColumnsContiguous>(d, RowsInMemory<In, kRowsContiguous>(a), b, add);
  });
}

template <class In, int kColumns, bool kColumnsContiguous, class Sum>
void wgmma(Sum (&d)[kColumns / 2], uint32_t const (&a)[4], uint64_t b, bool add) {
  static_assert(sizeof(In) == 2 || !kColumnsContiguous);
  emulated::do_when_waited(emulated::Late::products, [&d, rows = RowsInRegisters<In>(a), b, add] {
    rows.check();
    multiply_rows<In, kColumns, kColumnsContiguous>(d, rows, b, add);
  });
}

}  // namespace perfcheck::ptx
