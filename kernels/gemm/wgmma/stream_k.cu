// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C: FP16, BF16, TF32 and INT8.
// Layouts           A row-major; B row-major (16-bit types) or column-major; C and D row-major.
// Idea              The tiles that do not fill a whole round are cut along k and shared by all clusters (stream.cuh),
//                   so that the tile can be the one that needs least energy for its products, however many there are.
// Previous step     cooperative: 8192 cubed is 1376 tiles of 256 x 192, which are 10.4 rounds of 132 and take 11. The
//                   clusters that continue a tile leave their sums in the workspace, and the one that began it adds
//                   them. Results are the same in every launch.
// Tile and threads  As the point says: its name is tile, stages and what is special (shape.cuh).
// Shared memory     At most 227 KiB.
// Intensity         As cooperative with the same tile; besides, the sums of each block, 192 KiB, are written once and
//                   read once.
// Expected          As cooperative, without the part of the last round that is empty. While shares are multiplied,
//                   clusters are at different k, and L2 holds less of what they need.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 16 bytes. TF32 and INT8: column-major B.
// Limits            Clearing the flags and passing sums cost some microseconds, which small problems do not gain back.
//                   The tensor cores wait while sums are passed.
#include "stream.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {
      {.tile_m = 256,
       .tile_n = 192,
       .groups = 2,
       .stages = 3,
       .strips = 2,
       .cluster_m = 2,
       .turns_back = true,
       .halves = 1},
      {.tile_m = 256, .tile_n = 168, .groups = 2, .stages = 3, .strips = 2, .turns_back = true, .halves = 1},
      {.tile_m = 128, .tile_n = 256, .groups = 2, .stages = 4, .strips = 2, .turns_back = true},
  };
};

template <class V>
__global__ void __launch_bounds__(kThreads<V>, 1)
    stream_k(GemmArgs args, ClusterPlan<V> plan, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  compute_stream<V>(args, plan, maps, memory);
#endif
}

template <class V>
struct Launch {
  static void launch(GemmArgs const& args) { launch_stream<V>(stream_k<V>, args); }
};

template <class Row, int kPoint>
std::size_t workspace_bytes(GemmProblem const& /*problem*/) {
  return stream_workspace_bytes<Variant<Row, ShapesFor<Space, typename Row::In>, kPoint, BLayout::column_major>>();
}

template <class Row, int kPoint>
constexpr GemmKernel kernel() {
  GemmKernel kernel = make_kernel<Launch, Row, ShapesFor<Space, typename Row::In>, kPoint>(
      "the last tiles are shared by all clusters, cut along k");
  kernel.workspace_bytes = workspace_bytes<Row, kPoint>;
  return kernel;
}

template <int kPoint>
constexpr GemmKernel kF16 = kernel<mma::F16, kPoint>();
template <int kPoint>
constexpr GemmKernel kBf16 = kernel<mma::Bf16, kPoint>();
template <int kPoint>
constexpr GemmKernel kTf32 = kernel<mma::Tf32, kPoint>();
template <int kPoint>
constexpr GemmKernel kS8 = kernel<mma::S8, kPoint>();

using S8Space = ShapesFor<Space, int8_t>;

}  // namespace

PERFCHECK_TUNED_GEMM_KERNEL(stream_k_f16, Space::kShapes, kF16);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_bf16, Space::kShapes, kBf16);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_tf32, Space::kShapes, kTf32);
PERFCHECK_TUNED_GEMM_KERNEL(stream_k_s8, S8Space::kShapes, kS8);
