// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// GEMM of any types with any features, one thread per element of D. It is split into parts so that a kernel that is
// wrong on purpose can replace one of them.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <perfcheck/cuda_check.h>
#include <perfcheck/gemm.h>

#include <cstdint>
#include <type_traits>

namespace perfcheck::plain {

inline constexpr int kTile = 16;  ///< blocks of 16 x 16 threads, one per element of D

/// The C++ type of an element in memory, for formats that have one: integers of whole bytes, by their size, and
/// floating-point numbers.
template <int kBits>
using Integer = std::conditional_t<kBits == 8, int8_t, std::conditional_t<kBits == 16, int16_t, int32_t>>;
template <Element kElement>
struct Stored {
  static_assert(format_of(kElement).integer, "a floating-point format needs its type here");
  using Signed = Integer<format_of(kElement).bits>;
  using Type = std::conditional_t<format_of(kElement).has_sign, Signed, std::make_unsigned_t<Signed>>;
};
template <>
struct Stored<Element::f64> {
  using Type = double;
};
template <>
struct Stored<Element::f32> {
  using Type = float;
};
template <>
struct Stored<Element::f16> {
  using Type = __half;
};
template <>
struct Stored<Element::bf16> {
  using Type = __nv_bfloat16;
};
template <>
struct Stored<Element::e4m3> {
  using Type = __nv_fp8_e4m3;
};
template <>
struct Stored<Element::e5m2> {
  using Type = __nv_fp8_e5m2;
};

/// Element `index` of memory, as a number of type T.
template <Element kElement, class T>
__device__ __forceinline__ T load(void const* data, int64_t index) {
  if constexpr (format_of(kElement).bits == 4) {
    static_assert(kElement == Element::s4, "other formats of four bits have to be read here");
    int const nibble = static_cast<uint8_t const*>(data)[index / 2] >> (index % 2 * 4) & 15;
    return static_cast<T>(nibble < 8 ? nibble : nibble - 16);
  } else {
    auto const value = static_cast<typename Stored<kElement>::Type const*>(data)[index];
    if constexpr (format_of(kElement).integer || format_of(kElement).bits > 16) {
      return static_cast<T>(value);
    } else {
      return static_cast<T>(static_cast<float>(value));
    }
  }
}

/// Rounds to nearest, ties to even. FP8, and integers of less than 32 bits, saturate.
template <Element kElement, class T>
__device__ __forceinline__ void store(void* data, int64_t index, T value) {
  using Type = typename Stored<kElement>::Type;
  Type& element = static_cast<Type*>(data)[index];
  constexpr ElementFormat kFormat = format_of(kElement);
  if constexpr (kFormat.integer && kFormat.bits < 32) {
    int const whole = __float2int_rn(static_cast<float>(value));
    element =
        static_cast<Type>(min(max(whole, static_cast<int>(kFormat.smallest())), static_cast<int>(kFormat.largest)));
  } else if constexpr (kFormat.integer || kFormat.bits > 16) {
    element = static_cast<Type>(value);
  } else {
    element = Type(static_cast<float>(value));  // all these conversions round to nearest; those to FP8 saturate
  }
}

/// A row of types as a type: nvcc cannot name kernels whose template arguments are objects.
template <Element kA, Element kB, Element kC, Element kD, Element kAccumulate, Element kCompute, GemmScaling kScaling>
struct Row {
  static constexpr GemmTypes types{kA, kB, kC, kD, kAccumulate, kCompute, kScaling};
};
template <GemmTypes kTypes>
using RowOf = Row<kTypes.a, kTypes.b, kTypes.c, kTypes.d, kTypes.accumulate, kTypes.compute, kTypes.scaling>;

/// One launch. With groups, `matrix` is the index of a group, and rows are counted from the first group on. Sums are
/// kept in FP32, FP64 or INT32. Results are computed in the type of the sums, except that INT32 sums become FP32 unless
/// D is INT32.
template <class TypesRow>
struct PlainGemm {
  static constexpr GemmTypes kTypes = TypesRow::types;
  using SumType = std::conditional_t<kTypes.accumulate == Element::f64, double,
                                     std::conditional_t<kTypes.accumulate == Element::s32, int32_t, float>>;
  using ResultType = std::conditional_t<kTypes.accumulate == Element::s32 && kTypes.d != Element::s32, float, SumType>;
  GemmFullArgs const& args;

  /// The address of a matrix: from the array of pointers, if there is one.
  template <class Memory>
  __device__ Memory* memory(Memory* one, Memory* const* pointers, int64_t matrix) const {
    return pointers == nullptr ? one : pointers[matrix];
  }
  /// Which of the two kept elements of a sparse A stands for step k: 0, 1, or -1 for none.
  __device__ int kept(int row, int k) const {
    int const pair = args.a_indices[row * int64_t{args.k / 8} + k / 8] >> (k / 4 % 2 * 4) & 15;
    return k % 4 == (pair & 3) ? 0 : k % 4 == pair >> 2 ? 1 : -1;
  }
  __device__ SumType a_kept(int row, int k, int place) const {
    return place < 0 ? 0 : load<kTypes.a, SumType>(args.a, row * args.lda + k / 4 * 2 + place);
  }
  __device__ SumType a(int64_t matrix, int row, int k) const {
    if (args.a_indices != nullptr) return a_kept(row, k, kept(row, k));
    return load<kTypes.a, SumType>(memory(args.a, args.a_pointers, matrix),
                                   matrix * args.a_stride + row * args.lda + k);
  }
  __device__ SumType b(int64_t matrix, int k, int column) const {
    bool const column_major = args.b_layout == BLayout::column_major;
    return load<kTypes.b, SumType>(
        memory(args.b, args.b_pointers, matrix),
        matrix * args.b_stride + (column_major ? column * args.ldb + k : k * args.ldb + column));
  }
  __device__ int64_t d_index(int64_t matrix, int row, int column) const {
    return matrix * args.d_stride + row * args.ldd + column;
  }

  /// Scale factors, by the row or column of an element and its block of k.
  __device__ float a_scale(int row, int k_block) const {
    if constexpr (kTypes.scaling == GemmScaling::none || kTypes.scaling == GemmScaling::groups) return 1;
    int64_t const index = kTypes.scaling == GemmScaling::tensor ? 0
                          : kTypes.scaling == GemmScaling::rows ? row
                                                                : int64_t{k_block} * args.m + row;
    return load<scale_element(kTypes), float>(args.a_scales, index);
  }
  __device__ float b_scale(int k_block, int column) const {
    if constexpr (kTypes.scaling == GemmScaling::none) return 1;
    int const k_blocks = (args.k + kScaledElements - 1) / kScaledElements;
    int64_t const index = kTypes.scaling == GemmScaling::tensor   ? 0
                          : kTypes.scaling == GemmScaling::rows   ? column
                          : kTypes.scaling == GemmScaling::groups ? int64_t{k_block} * args.n + column
                                                                  : column / kScaledElements * k_blocks + k_block;
    return load<scale_element(kTypes), float>(args.b_scales, index);
  }

  /// Sum of the products of steps first to last - 1.
  __device__ SumType sum(int64_t matrix, int row, int column, int first, int last) const {
    SumType sum = 0;
    for (int k = first; k < last; ++k) sum += a(matrix, row, k) * b(matrix, k, column);
    return sum;
  }

  /// The sum over all k, with scale factors: those that change along k are applied to each block's sum.
  __device__ ResultType scaled_sum(int64_t matrix, int row, int column) const {
    if constexpr (kTypes.scaling == GemmScaling::blocks || kTypes.scaling == GemmScaling::groups) {
      ResultType total = 0;
      for (int block = 0; block * kScaledElements < args.k; ++block) {
        int const first = block * kScaledElements, last = min(first + kScaledElements, args.k);
        total += sum(matrix, row, column, first, last) * (a_scale(row, block) * b_scale(block, column));
      }
      return total;
    } else if constexpr (kTypes.scaling == GemmScaling::none) {
      return sum(matrix, row, column, 0, args.k);
    } else {
      return sum(matrix, row, column, 0, args.k) * (a_scale(row, 0) * b_scale(0, column));
    }
  }

  __device__ ResultType activated(ResultType x) const {
    if constexpr (!std::is_floating_point_v<ResultType>) {
      return args.activation == Activation::relu ? max(x, ResultType{0}) : x;
    } else {
      switch (args.activation) {
        case Activation::none: return x;
        case Activation::relu: return x > 0 ? x : x * 0;
        case Activation::gelu: {
          ResultType const u = ResultType(0.7978845608028654) * (x + ResultType(0.044715) * x * x * x);
          return ResultType(0.5) * x * (1 + tanh(u));
        }
        case Activation::gelu_erf: return ResultType(0.5) * x * (1 + erf(x * ResultType(0.7071067811865476)));
        case Activation::silu: return x / (1 + exp(-x));
      }
      return x;
    }
  }

  /// The value of an element of D, from its sum.
  __device__ ResultType finished(int64_t matrix, int row, int column, ResultType sum) const {
    int64_t const at = d_index(matrix, row, column);
    ResultType x = static_cast<ResultType>(args.alpha) * sum;
    if (args.beta != 0.0F)
      x += static_cast<ResultType>(args.beta) * load<kTypes.c, ResultType>(memory(args.c, args.c_pointers, matrix), at);
    if (args.bias != nullptr) x += load<kTypes.d, ResultType>(args.bias, column);
    x = activated(x);
    void const* const residual = memory(args.residual, args.residual_pointers, matrix);
    return residual == nullptr ? x : x + load<kTypes.d, ResultType>(residual, at);
  }
};

/// The group that a row belongs to: the last one that begins at the row or before it. It is never empty.
__device__ inline int64_t group_of(GemmFullArgs const& args, int row) {
  int low = 0, high = args.groups;
  while (high - low > 1) {
    int const middle = (low + high) / 2;
    (args.group_offsets[middle] <= row ? low : high) = middle;
  }
  return low;
}

/// Stores finished(sum_of(gemm, matrix, row, column)) for every element of D. The grid's z runs over the matrices of a
/// batch; beyond its limit, a block computes several.
template <class TypesRow, class SumOf>
__global__ void __launch_bounds__(kTile* kTile) multiply(GemmFullArgs args, SumOf sum_of) {
  int const row = static_cast<int>(blockIdx.y) * kTile + static_cast<int>(threadIdx.y);
  int const column = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  if (row >= args.m || column >= args.n) return;
  PlainGemm<TypesRow> const gemm{args};
  auto const store_element = [&](int64_t matrix) {
    auto const result = gemm.finished(matrix, row, column, sum_of(gemm, matrix, row, column));
    store<TypesRow::types.d>(gemm.memory(args.d, args.d_pointers, matrix), gemm.d_index(matrix, row, column), result);
  };
  if (args.groups != 0) return store_element(group_of(args, row));
  for (int64_t matrix = blockIdx.z; matrix < args.batch; matrix += gridDim.z) store_element(matrix);
}

template <GemmTypes kTypes, class SumOf>
void launch(GemmFullArgs const& args, SumOf sum_of) {
  auto const tiles = [](int size) { return static_cast<unsigned>((size + kTile - 1) / kTile); };
  dim3 const grid(tiles(args.n), tiles(args.m), static_cast<unsigned>(args.batch < 65535 ? args.batch : 65535));
  multiply<RowOf<kTypes>><<<grid, dim3(kTile, kTile), 0, args.stream>>>(args, sum_of);
  PERFCHECK_CUDA(cudaGetLastError());
}

/// The correct sum.
struct RightSum {
  template <class Gemm>
  __device__ auto operator()(Gemm const& gemm, int64_t matrix, int row, int column) const {
    return gemm.scaled_sum(matrix, row, column);
  }
};

/// Every feature that PlainGemm has.
inline constexpr GemmFeature kFeatures = GemmFeature::batch | GemmFeature::pointers | GemmFeature::groups |
                                         GemmFeature::sparse24 | GemmFeature::bias | GemmFeature::residual |
                                         Activation::relu | Activation::gelu | Activation::gelu_erf | Activation::silu;

/// The grid's y dimension is at most 65535.
inline Refusal accepts(GemmProblem const& problem) {
  if (problem.m > 65535 * kTile) return "m is above 1048560, where the grid ends";
  return {};
}

}  // namespace perfcheck::plain
