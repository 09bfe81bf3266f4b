// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes          D = alpha * A * B + beta * C in FP16 or BF16, with FP32 sums.
// Layouts           A row-major; B row-major or column-major; C and D row-major.
// Idea              Programmatic dependent launch: a block starts while the kernel in front still runs, sets up its
//                   barriers and fetches its tensor maps, and waits for that kernel's end before it touches memory.
// Previous step     cooperative with tiles of 64 x 128 and 8 stages, which plain_launch is: the same code without the
//                   two instructions, launched behind the kernel in front.
// Tile and threads  Block 64 x 128 of D: one group of 4 math warps, one copy warp, k in steps of 128 bytes.
// Shared memory     208 KiB: 8 stages of 24 KiB, 8 strips of 2 KiB. A multiprocessor has room for one block, which
//                   starts when the one in front of it on this multiprocessor has ended.
// Intensity         43 FLOP per byte of L2.
// Expected          In a chain of launches, half a microsecond less per launch (README.md): what lies between the
//                   end of one and the first copies of the next.
// Requires          Compute capability 9.0 (sm_90a); lda and ldb multiples of 8.
// Limits            The figure is that of a launch in a chain of launches of itself, as graphs replay them; behind a
//                   kernel that does not call launch_dependents() nothing is gained. It is to be compared with
//                   plain_launch, and with nothing that is launched plainly, cuBLAS included: most kernels would gain
//                   as much. So neither `perfcheck tune` nor gemm/fastest knows it.
#include "tiles.cuh"

namespace {

using namespace perfcheck;
using namespace perfcheck::wgmma;

struct Space {
  static constexpr Shape kShapes[] = {{.tile_m = 64, .tile_n = 128, .groups = 1, .stages = 8, .strips = 2}};
};

template <class V, bool kDependent>
__global__ void __launch_bounds__(kThreads<V>, 1)
    dependent_launch(GemmArgs args, __grid_constant__ TensorMaps const maps) {
#if __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) unsigned char memory[];
  auto& shared = *reinterpret_cast<SharedMemory<V>*>(memory);
  initialise(shared, maps);
  if constexpr (kDependent) {
    ptx::launch_dependents();
    ptx::wait_for_launches_before();
  }
  compute_tiles<V>(args, maps, shared);
#endif
}

template <class V, bool kDependent>
void launch(GemmArgs const& args) {
  launch_clusters(dependent_launch<V, kDependent>,
                  {.blocks = count_staying_blocks<V>(args),
                   .cluster = V::kShape.cluster_blocks(),
                   .threads = kThreads<V>,
                   .shared_bytes = sizeof(SharedMemory<V>),
                   .dependent = kDependent},
                  args.stream, args, make_tensor_maps<V>(args));
}

template <class V>
struct Dependent {
  static void launch(GemmArgs const& args) { ::launch<V, true>(args); }
};
template <class V>
struct Plain {
  static void launch(GemmArgs const& args) { ::launch<V, false>(args); }
};

template <class Row>
constexpr GemmKernel kDependent =
    make_kernel<Dependent, Row, Space>("starts while the launch in front still runs, and waits for its end");
template <class Row>
constexpr GemmKernel kPlain = make_kernel<Plain, Row, Space>("what dependent_launch is to be compared with");

}  // namespace

PERFCHECK_GEMM_KERNEL(dependent_launch_f16, kDependent<mma::F16>);
PERFCHECK_GEMM_KERNEL(dependent_launch_bf16, kDependent<mma::Bf16>);
PERFCHECK_GEMM_KERNEL(plain_launch_f16, kPlain<mma::F16>);
PERFCHECK_GEMM_KERNEL(plain_launch_bf16, kPlain<mma::Bf16>);
