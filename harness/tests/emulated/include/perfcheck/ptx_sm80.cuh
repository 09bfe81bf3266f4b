// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// In place of kernels/common's: the same functions, with the instructions emulated.
#pragma once

#include "products.h"
#include "simulator.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <cstring>

namespace perfcheck::ptx {

inline uint32_t shared_address(void const* pointer) { return emulated::shared_address(pointer); }

inline void cp_async(uint32_t shared, void const* global, int bytes, int valid) {
  if (valid > 0 && reinterpret_cast<std::uintptr_t>(global) % static_cast<unsigned>(bytes) != 0) {
    emulated::fail("cp.async reads from an address that is not aligned");
  }
  unsigned char* const to = emulated::at_shared(shared, bytes, bytes);
  emulated::do_when_waited(emulated::Late::copies, [=] {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
    if (valid > 0) std::memcpy(to, global, static_cast<std::size_t>(valid));
  });
}
inline void cp_async_4(uint32_t shared, void const* global, bool valid = true) {
  cp_async(shared, global, 4, valid ? 4 : 0);
}
inline void cp_async_8(uint32_t shared, void const* global, bool valid = true) {
  cp_async(shared, global, 8, valid ? 8 : 0);
}
inline void cp_async_16(uint32_t shared, void const* global, int valid_bytes = 16) {
  cp_async(shared, global, 16, valid_bytes);
}
inline void cp_async_commit() { emulated::close_group(emulated::Late::copies); }
template <int kPending>
void cp_async_wait() {
  emulated::wait_for(emulated::Late::copies, kPending);
}

inline uint32_t read_shared_word(uint32_t shared) {
  uint32_t word = 0;
  std::memcpy(&word, emulated::at_shared(shared, sizeof word, sizeof word), sizeof word);
  return word;
}

inline uint4 read_shared_quad(uint32_t shared) {
  uint4 quad;
  std::memcpy(&quad, emulated::at_shared(shared, sizeof quad, sizeof quad), sizeof quad);
  return quad;
}

/// What a lane brings to ldmatrix and stmatrix.
struct MatrixRow {
  uint32_t at;
  uint32_t* fragment;
};

inline void ldmatrix(char const* name, uint32_t (&fragment)[4], uint32_t shared, bool transposed) {
  MatrixRow row{.at = shared, .fragment = fragment};
  emulated::together(name, &row, [&](emulated::Operands const& lanes) {
    unsigned char const* rows[emulated::kWarp];
    for (std::size_t lane = 0; lane < emulated::kWarp; ++lane) {
      rows[lane] = emulated::at_shared(static_cast<MatrixRow*>(lanes[lane])->at, 16, 16);
    }
    for (int lane = 0; lane < emulated::kWarp; ++lane) {
      uint32_t* const to = static_cast<MatrixRow*>(lanes[static_cast<std::size_t>(lane)])->fragment;
      for (int matrix = 0; matrix < 4; ++matrix) {
        uint16_t pair[2];
        for (int i = 0; i < 2; ++i) {
          int const along = lane % 4 * 2 + i, across = lane / 4;
          int const r = transposed ? along : across, c = transposed ? across : along;
          std::memcpy(&pair[i], rows[matrix * 8 + r] + c * 2, 2);
        }
        std::memcpy(&to[matrix], pair, sizeof pair);
      }
    }
  });
}
inline void ldmatrix_x4(uint32_t (&fragment)[4], uint32_t shared) { ldmatrix("ldmatrix", fragment, shared, false); }
inline void ldmatrix_x4_trans(uint32_t (&fragment)[4], uint32_t shared) {
  ldmatrix("ldmatrix.trans", fragment, shared, true);
}

/// What a lane brings to mma.sync.
template <class Sum>
struct MmaOperands {
  Sum* d;
  uint32_t const* a;
  uint32_t b[2];
};

/// d += a * b for 16 x 8 sums and 8 * kElements steps of k; a register holds kElements elements, and `element` takes
/// them out. PTX, "Matrix Fragments for mma.m16n8k16 with floating point type" and its neighbours.
template <int kElements, class Number, class Sum, class Element>
void mma(Sum (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1, Element const& element) {
  MmaOperands<Sum> operands{.d = d, .a = a, .b = {b0, b1}};
  emulated::together("mma.sync", &operands, [&](emulated::Operands const& lanes) {
    constexpr int kK = 8 * kElements;
    Number of_a[16][kK], of_b[kK][8];
    auto const of = [&](int lane) { return static_cast<MmaOperands<Sum>*>(lanes[static_cast<std::size_t>(lane)]); };
    for (int lane = 0; lane < emulated::kWarp; ++lane) {
      for (int e = 0; e < kElements; ++e) {
        int const line = lane / 4, k = lane % 4 * kElements + e;
        for (int r = 0; r < 4; ++r) of_a[line + r % 2 * 8][k + r / 2 * kK / 2] = element(of(lane)->a[r], e);
        for (int r = 0; r < 2; ++r) of_b[k + r * kK / 2][line] = element(of(lane)->b[r], e);
      }
    }
    Sum products[16][8] = {};
    for (int row = 0; row < 16; ++row) {
      for (int k = 0; k < kK; ++k) {
        for (int column = 0; column < 8; ++column) products[row][column] += of_a[row][k] * of_b[k][column];
      }
    }
    for (int lane = 0; lane < emulated::kWarp; ++lane) {
      for (int r = 0; r < 4; ++r) of(lane)->d[r] += products[lane / 4 + r / 2 * 8][lane % 4 * 2 + r % 2];
    }
  });
}

template <class T>
void mma_m16n8k16(float (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  mma<2, float>(d, a, b0, b1, [](uint32_t word, int e) { return emulated::all_numbers<T>[word >> (16 * e) & 0xFFFF]; });
}
inline void mma_m16n8k8_tf32(float (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  mma<1, float>(d, a, b0, b1, [](uint32_t word, int /*e*/) { return __uint_as_float(word & ~0x1FFFU); });
}
inline void mma_m16n8k32_s8(int32_t (&d)[4], uint32_t const (&a)[4], uint32_t b0, uint32_t b1) {
  mma<4, int>(d, a, b0, b1, [](uint32_t word, int e) { return int{static_cast<int8_t>(word >> (8 * e))}; });
}

inline int thread_index() { return static_cast<int>(emulated::thread_index().x); }
inline void named_barrier(int id, int threads) { emulated::named_barrier(id, threads); }

}  // namespace perfcheck::ptx
