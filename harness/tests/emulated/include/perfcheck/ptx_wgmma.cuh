// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: the same functions, with the instructions emulated. Products read their operands when
// they are waited for, as late as the hardware may.
#pragma once

#include "products.h"
#include "simulator.h"

#include <perfcheck/ptx_sm80.cuh>
#include <perfcheck/tile_descriptor.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace perfcheck::ptx {

inline void wgmma_fence() {}
inline void wgmma_commit() { emulated::close_group(emulated::Late::products); }
template <int kPending>
void wgmma_wait() {
  emulated::wait_for(emulated::Late::products, kPending);
}
template <class Sum, std::size_t kCount>
void hold_sums(Sum (& /*sums*/)[kCount]) {}

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

  void read(emulated::Rows<In>& rows) const {
    if (std::memcmp(own_, words_[thread_index() % 4], sizeof words_[0]) != 0) {
      emulated::fail("registers that wgmma may still read were written");
    }
    for (int below = 0; below < 2; ++below) {
      for (int k = 0; k < emulated::kSteps<In>; ++k) {
        uint32_t const& word = words_[k / kOfWord % 4][below + k / (4 * kOfWord) * 2];
        auto const* const bytes = reinterpret_cast<unsigned char const*>(&word);
        rows[below][k] = emulated::number_at<In>(bytes + k % kOfWord * static_cast<int>(sizeof(In)));
      }
    }
  }

 private:
  struct Operands {
    uint32_t const* a;
    uint32_t of_quad[4][4];
  };
  uint32_t const* own_;
  uint32_t words_[4][4];  // of each lane of four
};

template <class In, int kColumns, bool kColumnsContiguous, bool kRowsContiguous = false, class Sum>
void wgmma(Sum (&d)[kColumns / 2], uint64_t a, uint64_t b, bool add) {
  static_assert(sizeof(In) == 2 || !(kColumnsContiguous || kRowsContiguous));
  static_assert(kColumns % 8 == 0 && kColumns <= 256);
  emulated::do_when_waited(emulated::Late::products, [&d, a, b, add] {
    emulated::Rows<In> rows;
    emulated::read_rows<In>(emulated::OperandTile(a, 64, sizeof(In), kRowsContiguous), rows);
    emulated::OperandTile const columns(b, kColumns, sizeof(In), kColumnsContiguous);
    emulated::multiply<In>(d, rows, columns, kColumns, add);
  });
}

template <class In, int kColumns, bool kColumnsContiguous, class Sum>
void wgmma(Sum (&d)[kColumns / 2], uint32_t const (&a)[4], uint64_t b, bool add) {
  static_assert(sizeof(In) == 2 || !kColumnsContiguous);
  static_assert(kColumns % 8 == 0 && kColumns <= 256);
  emulated::do_when_waited(emulated::Late::products, [&d, registers = RowsInRegisters<In>(a), b, add] {
    emulated::Rows<In> rows;
    registers.read(rows);
    emulated::OperandTile const columns(b, kColumns, sizeof(In), kColumnsContiguous);
    emulated::multiply<In>(d, rows, columns, kColumns, add);
  });
}

}  // namespace perfcheck::ptx
