// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Warpgroup matrix multiply and accumulate of compute capability 9.0 (sm_90a). PTX, "Asynchronous Warpgroup Level
// Matrix Multiply-Accumulate Instructions". Four warps whose first has an index divisible by 4 execute each of these
// together; operands come from shared memory, or those of A from registers, and sums stay in registers.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <perfcheck/tile_descriptor.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perfcheck::ptx {

/// To be executed before the first wgmma(), and before one whose sums a thread has touched since the last.
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory"); }

/// Closes the present group of wgmma().
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory"); }

/// Waits until at most `kPending` of the youngest groups are still executing. Older ones have read their operands and
/// written their sums.
template <int kPending>
__device__ __forceinline__ void wgmma_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(kPending) : "memory");
}

/// Keeps the compiler from moving uses of sums across this place.
template <class Sum, std::size_t kCount>
__device__ __forceinline__ void hold_sums(Sum (&sums)[kCount]) {
#pragma unroll
  for (std::size_t i = 0; i < kCount; ++i) {
    if constexpr (std::is_integral_v<Sum>) {
      asm volatile("" : "+r"(sums[i])::"memory");
    } else {
      asm volatile("" : "+f"(sums[i])::"memory");
    }
  }
}

/// The columns that an instruction may have here.
__host__ __device__ constexpr bool is_wgmma_width(int columns) {
  for (int const width : {8, 16, 32, 48, 64, 80, 96, 128, 160, 168, 176, 184, 192, 224, 256}) {
    if (columns == width) return true;
  }
  return false;
}

// The operands of an instruction with N columns: its N / 2 sums, in text and as operands, and the numbers of the
// operands behind them.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PERFCHECK_SUMS_4(c, i) "+" c(d[(i)]), "+" c(d[(i) + 1]), "+" c(d[(i) + 2]), "+" c(d[(i) + 3])
#define PERFCHECK_SUMS_8(c, i) PERFCHECK_SUMS_4(c, i), PERFCHECK_SUMS_4(c, (i) + 4)
#define PERFCHECK_SUMS_16(c, i) PERFCHECK_SUMS_8(c, i), PERFCHECK_SUMS_8(c, (i) + 8)
#define PERFCHECK_SUMS_32(c, i) PERFCHECK_SUMS_16(c, i), PERFCHECK_SUMS_16(c, (i) + 16)
#define PERFCHECK_SUMS_64(c, i) PERFCHECK_SUMS_32(c, i), PERFCHECK_SUMS_32(c, (i) + 32)
#define PERFCHECK_TEXT_OF_SUMS_0 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define PERFCHECK_TEXT_OF_SUMS_1 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define PERFCHECK_TEXT_OF_SUMS_2 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define PERFCHECK_TEXT_OF_SUMS_3 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define PERFCHECK_TEXT_OF_SUMS_4 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define PERFCHECK_TEXT_OF_SUMS_5 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define PERFCHECK_TEXT_OF_SUMS_6 \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111"
#define PERFCHECK_TEXT_OF_SUMS_7 \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define PERFCHECK_SUMS_OF_8(c) PERFCHECK_SUMS_4(c, 0)
#define PERFCHECK_SUMS_OF_16(c) PERFCHECK_SUMS_8(c, 0)
#define PERFCHECK_SUMS_OF_32(c) PERFCHECK_SUMS_16(c, 0)
#define PERFCHECK_SUMS_OF_48(c) PERFCHECK_SUMS_16(c, 0), PERFCHECK_SUMS_8(c, 16)
#define PERFCHECK_SUMS_OF_64(c) PERFCHECK_SUMS_32(c, 0)
#define PERFCHECK_SUMS_OF_80(c) PERFCHECK_SUMS_32(c, 0), PERFCHECK_SUMS_8(c, 32)
#define PERFCHECK_SUMS_OF_96(c) PERFCHECK_SUMS_32(c, 0), PERFCHECK_SUMS_16(c, 32)
#define PERFCHECK_SUMS_OF_128(c) PERFCHECK_SUMS_64(c, 0)
#define PERFCHECK_SUMS_OF_160(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_16(c, 64)
#define PERFCHECK_SUMS_OF_168(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_16(c, 64), PERFCHECK_SUMS_4(c, 80)
#define PERFCHECK_SUMS_OF_176(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_16(c, 64), PERFCHECK_SUMS_8(c, 80)
#define PERFCHECK_SUMS_OF_184(c) \
  PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_16(c, 64), PERFCHECK_SUMS_8(c, 80), PERFCHECK_SUMS_4(c, 88)
#define PERFCHECK_SUMS_OF_192(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_32(c, 64)
#define PERFCHECK_SUMS_OF_224(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_32(c, 64), PERFCHECK_SUMS_16(c, 96)
#define PERFCHECK_SUMS_OF_256(c) PERFCHECK_SUMS_64(c, 0), PERFCHECK_SUMS_64(c, 64)

// One instruction with the sums' text, their operands and the numbers of the others: `tail` is what follows the
// predicate that says whether sums are added to.
#define PERFCHECK_WGMMA(instruction, text, sums, a_number, b_number, add_number, tail, ...)                         \
  asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, " add_number ", 0;\nwgmma.mma_async.sync.aligned." instruction \
               " {" text "}, " a_number ", " b_number ", add" tail ";\n}\n"                                         \
               : sums                                                                                               \
               : "l"(a), "l"(b), "r"(static_cast<uint32_t>(add))__VA_OPT__(, ) __VA_ARGS__)

// The same with the rows of A in registers, which are passed in pairs: so there are as many operands, with the same
// numbers, as an instruction of 16-bit elements has.
#define PERFCHECK_WGMMA_REGISTERS(instruction, text, sums, low, high, b_number, add_number, tail)                  \
  asm volatile(                                                                                                    \
      "{\n.reg .pred add;\nsetp.ne.b32 add, " add_number ", 0;\n.reg .b32 a0, a1, a2, a3;\nmov.b64 {a0, a1}, " low \
      ";\nmov.b64 {a2, a3}, " high ";\nwgmma.mma_async.sync.aligned." instruction " {" text                        \
      "}, {a0, a1, a2, a3}, " b_number ", add" tail ";\n}\n"                                                       \
      : sums                                                                                                       \
      : "l"(register_pair(a[0], a[1])), "l"(register_pair(a[2], a[3])), "l"(b), "r"(static_cast<uint32_t>(add)))

__device__ __forceinline__ uint64_t register_pair(uint32_t low, uint32_t high) { return uint64_t{high} << 32 | low; }

/// d += a * b, or d = a * b unless `add`, for 64 x kColumns sums and 32 bytes of k: rows of A at the descriptor `a` and
/// columns of B at `b`. Sums d[4 j] and d[4 j + 1] lie in row 16 w + l / 4 of warp w and lane l, columns 8 j + 2 (l %
/// 4) and + 1; d[4 j + 2] and d[4 j + 3] eight rows below. PTX, "Register Fragments for wgmma.mma_async.m64nNk16". `In`
/// is the type of a and b: __half, __nv_bfloat16, float (of which TF32 reads the upper 19 bits), __nv_fp8_e4m3 or
/// int8_t. With `kColumnsContiguous`, the descriptor of B is one of columns; with `kRowsContiguous`, A's is one of
/// rows.
///
/// `a` is a descriptor (uint64_t), or for float and int8_t the rows themselves (uint32_t[4]): of 16 bytes of k, a[0]
/// has bytes 4 (l % 4) and on of row 16 w + l / 4, and a[1] those of the row eight below; a[2] and a[3] the same of the
/// next 16 bytes. These registers must stay as they are until the product has been waited for, and wgmma_fence() must
/// follow when they have been written.
template <class In, int kColumns, bool kColumnsContiguous, bool kRowsContiguous = false, class A, class Sum>
__device__ __forceinline__ void wgmma(Sum (&d)[kColumns / 2], A const& a, uint64_t b, bool add) {
  constexpr bool kRegisters = std::is_same_v<A, uint32_t[4]>;
  static_assert(kRegisters || std::is_same_v<A, uint64_t>);
  static_assert(is_wgmma_width(kColumns));
  static_assert(sizeof(In) == 2 || !(kColumnsContiguous || kRowsContiguous),
                "operands that are not of 16 bits are contiguous along k");
  static_assert(!(kRegisters && kRowsContiguous), "registers have no layout");
#define PERFCHECK_WGMMA_OF_WIDTH(n, text, sums, a_number, b_number, add_number, rows_number, columns_number)     \
  if constexpr (kColumns == n) {                                                                                 \
    if constexpr (kRegisters && std::is_same_v<In, float>) {                                                     \
      PERFCHECK_WGMMA_REGISTERS("m64n" #n "k8.f32.tf32.tf32", text, sums("f"), a_number, b_number, add_number,   \
                                rows_number, ", 1, 1");                                                          \
    } else if constexpr (kRegisters) {                                                                           \
      static_assert(std::is_same_v<In, int8_t> && kColumns % 16 == 0, "no rows of this type in registers");      \
      PERFCHECK_WGMMA_REGISTERS("m64n" #n "k32.s32.s8.s8", text, sums("r"), a_number, b_number, add_number,      \
                                rows_number, "");                                                                \
    } else if constexpr (std::is_same_v<In, __half>) {                                                           \
      PERFCHECK_WGMMA("m64n" #n "k16.f32.f16.f16", text, sums("f"), a_number, b_number, add_number,              \
                      ", 1, 1, " rows_number ", " columns_number, "n"(kRowsContiguous ? 1 : 0),                  \
                      "n"(kColumnsContiguous ? 1 : 0));                                                          \
    } else if constexpr (std::is_same_v<In, __nv_bfloat16>) {                                                    \
      PERFCHECK_WGMMA("m64n" #n "k16.f32.bf16.bf16", text, sums("f"), a_number, b_number, add_number,            \
                      ", 1, 1, " rows_number ", " columns_number, "n"(kRowsContiguous ? 1 : 0),                  \
                      "n"(kColumnsContiguous ? 1 : 0));                                                          \
    } else if constexpr (std::is_same_v<In, float>) {                                                            \
      PERFCHECK_WGMMA("m64n" #n "k8.f32.tf32.tf32", text, sums("f"), a_number, b_number, add_number, ", 1, 1");  \
    } else if constexpr (std::is_same_v<In, __nv_fp8_e4m3>) {                                                    \
      PERFCHECK_WGMMA("m64n" #n "k32.f32.e4m3.e4m3", text, sums("f"), a_number, b_number, add_number, ", 1, 1"); \
    } else {                                                                                                     \
      static_assert(std::is_same_v<In, int8_t> && kColumns % 16 == 0, "wgmma has no such type");                 \
      PERFCHECK_WGMMA("m64n" #n "k32.s32.s8.s8", text, sums("r"), a_number, b_number, add_number, "");           \
    }                                                                                                            \
  }
  PERFCHECK_WGMMA_OF_WIDTH(8, "%0, %1, %2, %3", PERFCHECK_SUMS_OF_8, "%4", "%5", "%6", "%7", "%8")
  PERFCHECK_WGMMA_OF_WIDTH(16, "%0, %1, %2, %3, %4, %5, %6, %7", PERFCHECK_SUMS_OF_16, "%8", "%9", "%10", "%11", "%12")
  PERFCHECK_WGMMA_OF_WIDTH(32, PERFCHECK_TEXT_OF_SUMS_0, PERFCHECK_SUMS_OF_32, "%16", "%17", "%18", "%19", "%20")
  PERFCHECK_WGMMA_OF_WIDTH(48, PERFCHECK_TEXT_OF_SUMS_0 ", %16, %17, %18, %19, %20, %21, %22, %23",
                           PERFCHECK_SUMS_OF_48, "%24", "%25", "%26", "%27", "%28")
  PERFCHECK_WGMMA_OF_WIDTH(64, PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1, PERFCHECK_SUMS_OF_64, "%32",
                           "%33", "%34", "%35", "%36")
  PERFCHECK_WGMMA_OF_WIDTH(
      80, PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", %32, %33, %34, %35, %36, %37, %38, %39",
      PERFCHECK_SUMS_OF_80, "%40", "%41", "%42", "%43", "%44")
  PERFCHECK_WGMMA_OF_WIDTH(96, PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2,
                           PERFCHECK_SUMS_OF_96, "%48", "%49", "%50", "%51", "%52")
  PERFCHECK_WGMMA_OF_WIDTH(128,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3,
                           PERFCHECK_SUMS_OF_128, "%64", "%65", "%66", "%67", "%68")
  PERFCHECK_WGMMA_OF_WIDTH(160,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4,
                           PERFCHECK_SUMS_OF_160, "%80", "%81", "%82", "%83", "%84")
  PERFCHECK_WGMMA_OF_WIDTH(168,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", %80, %81, %82, %83",
                           PERFCHECK_SUMS_OF_168, "%84", "%85", "%86", "%87", "%88")
  PERFCHECK_WGMMA_OF_WIDTH(176,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", %80, %81, %82, %83, %84, %85, %86, %87",
                           PERFCHECK_SUMS_OF_176, "%88", "%89", "%90", "%91", "%92")
  PERFCHECK_WGMMA_OF_WIDTH(184,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91",
                           PERFCHECK_SUMS_OF_184, "%92", "%93", "%94", "%95", "%96")
  PERFCHECK_WGMMA_OF_WIDTH(192,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", " PERFCHECK_TEXT_OF_SUMS_5,
                           PERFCHECK_SUMS_OF_192, "%96", "%97", "%98", "%99", "%100")
  PERFCHECK_WGMMA_OF_WIDTH(224,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", " PERFCHECK_TEXT_OF_SUMS_5 ", " PERFCHECK_TEXT_OF_SUMS_6,
                           PERFCHECK_SUMS_OF_224, "%112", "%113", "%114", "%115", "%116")
  PERFCHECK_WGMMA_OF_WIDTH(256,
                           PERFCHECK_TEXT_OF_SUMS_0 ", " PERFCHECK_TEXT_OF_SUMS_1 ", " PERFCHECK_TEXT_OF_SUMS_2
                                                    ", " PERFCHECK_TEXT_OF_SUMS_3 ", " PERFCHECK_TEXT_OF_SUMS_4
                                                    ", " PERFCHECK_TEXT_OF_SUMS_5 ", " PERFCHECK_TEXT_OF_SUMS_6
                                                    ", " PERFCHECK_TEXT_OF_SUMS_7,
                           PERFCHECK_SUMS_OF_256, "%128", "%129", "%130", "%131", "%132")
#undef PERFCHECK_WGMMA_OF_WIDTH
}
#undef PERFCHECK_WGMMA
#undef PERFCHECK_WGMMA_REGISTERS
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace perfcheck::ptx
