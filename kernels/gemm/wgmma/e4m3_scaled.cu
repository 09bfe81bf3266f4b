// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C with FP8 (E4M3) data, FP32 sums and BF16 results, with scale factors
//                   of A and B for the whole matrix, for each row and column, or for 1 x 128 and 128 x 128 elements.
// Layouts           A row-major; B column-major; C and D row-major.
// Idea              A factor of the whole matrix belongs to alpha; those of rows and columns multiply totals before
//                   they are stored. Those of blocks change every 128 k, as temporary sums do (promote.cuh): adding a
//                   temporary sum becomes a multiply-add, which takes as long. Its factors are loaded to registers when
//                   its products begin.
// Previous step     e4m3_promoted: factors.
// Tile and threads  256 x 128 of D, 8 math warps and 4 copy warps, k in steps of 128.
// Shared memory     4 stages of 48 KiB, and 32 KiB for strips.
// Intensity         171 FLOP per byte of L2, 256 with the cluster of 1 x 2, whose blocks share rows of A.
// Expected          What e4m3_promoted reaches: a stage of 256 x 128 needs 1 KiB of factors besides 48 KiB of elements.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16.
// Limits            Blocks: a factor of B is for one tile, so its columns are 128.
#include "promote.cuh"

#include <perfcheck/tensor_types.cuh>

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct OneShape {
  static constexpr Shape kShapes[] = {
      {.tile_m = 256, .tile_n = 128, .groups = 2, .stages = 4, .strips = 2, .cluster_n = 2, .temporaries = 1}};
};

template <GemmScaling kScaling>
struct ScaledE4m3 : mma::E4m3 {
  static constexpr GemmTypes kRow = mma::E4m3::kRow.scaled(kScaling);
};

/// As in GemmFullArgs.
struct Scales {
  float const* a = nullptr;
  float const* b = nullptr;
};

/// The first of the two rows that a thread has of a group's i-th 64; the other is eight further on.
template <class V>
__device__ __forceinline__ int row_of(TileIndex tile, int i) {
  int const thread = ptx::thread_index();
  return place_of<V>(tile, thread).row + i * kRows + thread % kWarp / 4;
}

/// Factors of rows and columns.
template <class V>
class RowFactors : public NoFactors<V> {
 public:
  __device__ __forceinline__ RowFactors(GemmArgs const& args, Scales const& scales)
      : m_(args.m), n_(args.n), scales_(scales) {}

  __device__ __forceinline__ void apply(GroupSums<V>& totals, TileIndex tile) const {
    constexpr int kM = V::kShape.mmas_m();
    float of_a[kM][2];
#pragma unroll
    for (int i = 0; i < kM; ++i) {
      int const row = row_of<V>(tile, i);
      of_a[i][0] = scales_.a[min(row, m_ - 1)];
      of_a[i][1] = scales_.a[min(row + 8, m_ - 1)];
    }
    int const thread = ptx::thread_index();
    int const first = place_of<V>(tile, thread).column + thread % 4 * 2;
#pragma unroll
    for (int j = 0; j < V::kShape.group_columns() / 2; ++j) {
      float const of_b = scales_.b[min(first + j / 4 * 8 + j % 2, n_ - 1)];
#pragma unroll
      for (int i = 0; i < kM; ++i) totals.sums[i][j] *= of_a[i][j / 2 % 2] * of_b;
    }
  }

 private:
  int m_, n_;
  Scales scales_;
};

/// Factors of blocks.
template <class V>
class BlockFactors : public NoFactors<V> {
  static_assert(V::kK == kScaledElements && kScaledElements % V::kShape.tile_n == 0 && !V::kShape.turns_back &&
                V::kShape.share != Share::turns);

 public:
  static constexpr bool kPerStage = true;

  __device__ __forceinline__ BlockFactors(GemmArgs const& args, Scales const& scales, Divisor const& supertile)
      : m_(args.m),
        n_(args.n),
        k_blocks_(tiles_to_cover(args.k, V::kK)),
        stages_(Rounds<V>::count(args.k) * Rounds<V>::kStages),
        scales_(scales),
        tiles_(args, supertile) {}

  __device__ __forceinline__ void load(int slot, int i) {
    if (i == 0) advance();
    bool const exists = stage_ < k_blocks_;
    int const row = row_of<V>(tile_, i), column = tile_.column * V::kShape.tile_n;
    float const* const a = scales_.a + int64_t{stage_} * m_ + row;
    a_[slot][0] = exists && row < m_ ? a[0] : 0.0F;
    a_[slot][1] = exists && row + 8 < m_ ? a[8] : 0.0F;
    b_[slot] = exists && column < n_ ? scales_.b[column / kScaledElements * k_blocks_ + stage_] : 0.0F;
  }

  __device__ __forceinline__ float of(int slot, int half) const { return a_[slot][half] * b_[slot]; }

 private:
  /// To the next stage, which is perhaps that of another tile.
  __device__ __forceinline__ void advance() {
    if (++stage_ < stages_) return;
    stage_ = 0;
    tiles_.next(tile_);
  }

  int m_, n_, k_blocks_, stages_;
  Scales scales_;
  ClusterTiles<V> tiles_;
  TileIndex tile_{};
  int stage_ = stages_ - 1;  // of the last piece; the first one takes the first tile
  float a_[V::kShape.temporaries][2], b_[V::kShape.temporaries];
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1)
    scaled_tiles(GemmArgs args, __grid_constant__ TensorMaps const maps, Scales scales) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  if constexpr (V::Row::kRow.scaling == GemmScaling::tensor) {
    args.alpha *= *scales.a * *scales.b;
    compute_promoted_tiles<V>(args, maps, memory, NoFactors<V>{});
  } else if constexpr (V::Row::kRow.scaling == GemmScaling::rows) {
    compute_promoted_tiles<V>(args, maps, memory, RowFactors<V>(args, scales));
  } else {
    compute_promoted_tiles<V>(args, maps, memory, BlockFactors<V>(args, scales, maps.supertile));
  }
#endif
}

template <GemmScaling kScaling>
void launch(GemmFullArgs const& args) {
  using V = Variant<ScaledE4m3<kScaling>, OneShape, 0, BLayout::column_major>;
  Scales const scales{.a = static_cast<float const*>(args.a_scales), .b = static_cast<float const*>(args.b_scales)};
  launch_ring<V>(scaled_tiles<V>, count_staying_blocks<V>(args), args.stream, static_cast<GemmArgs const&>(args),
                 make_tensor_maps<V>(args), scales);
}

template <GemmScaling kScaling>
constexpr GemmKernel kernel(char const* summary) {
  return {.summary = summary,
          .types = ScaledE4m3<kScaling>::kRow,
          .arch = arch_exactly(9, 0),
          .accepts = refuse_layout<mma::E4m3>,
          .launch_full = launch<kScaling>};
}

}  // namespace

PERFCHECK_GEMM_KERNEL(e4m3_scaled, kernel<GemmScaling::tensor>("sums move to FP32 registers, scaled tensors"));
PERFCHECK_GEMM_KERNEL(e4m3_scaled_rows, kernel<GemmScaling::rows>("sums move to FP32 registers, scaled rows"));
PERFCHECK_GEMM_KERNEL(e4m3_scaled_blocks, kernel<GemmScaling::blocks>("sums move to FP32 registers, scaled blocks"));
