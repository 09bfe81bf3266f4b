// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proof.h"

#include <perfcheck/cuda_check.h>
#include <perfcheck/device/exclusive.cuh>

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::gemm {
namespace {

using verify::Element;
using verify::MatrixView;
using verify::SecretKey;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kRows = 4;    ///< of A and D that one warp takes together, so that B x is read once for them
constexpr int kDepth = 64;  ///< steps of k that drawn blocks keep in shared memory at a time
constexpr int kBlock = kProofBlock;

struct Counts {
  unsigned long long right;
  std::uint64_t seized_ns;  ///< when the outputs were taken, by the device's timer
  int wrong_set;            ///< the smallest
};

/// Sums of one row of D over one group of columns, with signs, and of the squares.
struct RowSum {
  double d, squares;
};

/// A task as device code sees it.
struct Task {
  Element element;
  std::uint32_t m, n, k;
  char const* d;
  std::int64_t ldd, d_set_bytes;
  int a_operand, b_operand, c_operand;
  std::uint64_t secret, draw;
  double alpha, beta;
  verify::Bound bound;
  SumTolerance tolerance;
  double* weights;          ///< B x: sets x k x groups
  RowSum* sums;             ///< D x: sets x m x groups
  std::uint32_t* elements;  ///< bits of D in the drawn blocks: sets x blocks x 16 x 16
  std::uint32_t sets, groups, blocks;
  Counts* counts;
};

__device__ std::uint32_t bits_of_d(Task const& task, std::uint32_t set, std::uint32_t row, std::uint32_t column) {
  char const* const d = task.d + set * task.d_set_bytes;
  return verify::load_bits(task.element, d, row * task.ldd + column);
}

__device__ double number_of(Element element, std::uint32_t bits) {
  if (element == Element::f32) return static_cast<double>(__uint_as_float(bits));
  if (element == Element::bf16) return static_cast<double>(__uint_as_float(bits << 16U));
  return static_cast<double>(__half2float(__ushort_as_half(static_cast<unsigned short>(bits))));
}

__device__ void count(Task const& task, int set, bool right) {
  unsigned const all = __activemask();
  unsigned const votes = __ballot_sync(all, right);
  if (!right) atomicMin(&task.counts->wrong_set, set);
  unsigned const lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
  if (lane == static_cast<unsigned>(__ffs(static_cast<int>(all))) - 1) {
    atomicAdd(&task.counts->right, static_cast<unsigned long long>(__popc(votes)));
  }
}

/// Adds up over the lanes whose numbers agree modulo `groups`; each of them gets the sum.
__device__ double add_up(double value, int groups) {
  for (int offset = 16; offset >= groups; offset /= 2) value += __shfl_xor_sync(0xffffffffU, value, offset);
  return value;
}

/// weights[set][k][group] = sum of x[j] B[k][j] over the columns of the group. A warp takes a row of B; its lanes keep
/// to one group each. Signs are worked out once per block, as bits.
__global__ void __launch_bounds__(kThreads) weigh_kernel(__grid_constant__ Task const task, std::uint32_t rows) {
  extern __shared__ std::uint32_t negative[];
  for (std::uint32_t first = threadIdx.x / 32 * 32; first < task.n; first += kThreads) {
    std::uint32_t const column = first + threadIdx.x % 32;
    unsigned const bits = __ballot_sync(0xffffffffU, column < task.n && verify::column_sign(task.draw, column) < 0);
    if (threadIdx.x % 32 == 0) negative[first / 32] = bits;
  }
  __syncthreads();
  int const groups = proof_groups(task.n);
  std::uint32_t const lane = threadIdx.x % 32;
  for (std::uint32_t at = blockIdx.x * kWarps + threadIdx.x / 32; at < rows; at += gridDim.x * kWarps) {
    SecretKey const key = verify::secret_key(task.secret, static_cast<int>(at / task.k), task.b_operand);
    std::uint32_t const row = at % task.k;
    double sum = 0;
    for (std::uint32_t column = lane; column < task.n; column += 32) {
      float const value = verify::secret_element(task.element, key, row, column);
      sum += static_cast<double>((negative[column / 32] >> lane & 1U) != 0 ? -value : value);
    }
    sum = add_up(sum, groups);
    if (lane < groups) task.weights[at * static_cast<std::int64_t>(groups) + lane] = sum;
  }
}

/// Takes from the outputs all that will be looked at, as the only kernel on the device, right behind the clock:
/// whatever writes to them from now on comes too late. A warp takes a row; its lanes keep to one group each.
__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    seize_kernel(__grid_constant__ Task const task, device::ExclusiveState* state, std::uint64_t* closed_ns) {
  if (device::arrive_together(state)) *closed_ns = device::global_nanoseconds();
  std::uint32_t const lane = threadIdx.x % 32;
  std::uint32_t const warps = gridDim.x * (device::kExclusiveThreads / 32);
  std::uint32_t const first = blockIdx.x * (device::kExclusiveThreads / 32) + threadIdx.x / 32;
  for (std::uint32_t at = first; at < task.sets * task.m; at += warps) {
    double sum = 0, squares = 0;
    for (std::uint32_t column = lane; column < task.n; column += 32) {
      double const d = number_of(task.element, bits_of_d(task, at / task.m, at % task.m, column));
      sum += verify::column_sign(task.draw, column) < 0 ? -d : d;
      squares += d * d;
    }
    sum = add_up(sum, static_cast<int>(task.groups));
    squares = add_up(squares, static_cast<int>(task.groups));
    if (lane < task.groups) task.sums[at * task.groups + lane] = {sum, squares};
  }
  for (std::uint32_t at = first * 32 + lane; at < task.sets * task.blocks * kBlock * kBlock; at += warps * 32) {
    std::uint32_t const block = at / (kBlock * kBlock) % task.blocks, set = at / (kBlock * kBlock) / task.blocks;
    auto const index = static_cast<int>(block);
    auto const row = static_cast<std::uint32_t>(proof_place(task.draw, static_cast<int>(set), index, 0, task.m));
    auto const column = static_cast<std::uint32_t>(proof_place(task.draw, static_cast<int>(set), index, 1, task.n));
    std::uint32_t const y = row + at / kBlock % kBlock, x = column + at % kBlock;
    task.elements[at] = y < task.m && x < task.n ? bits_of_d(task, set, y, x) : 0;
  }
}

/// The same sum over C for the lane's group.
__device__ RowSum sum_row_of_c(Task const& task, int set, std::uint32_t row, int groups) {
  RowSum sum{};
  SecretKey const key = verify::secret_key(task.secret, set, task.c_operand);
  for (std::uint32_t column = threadIdx.x % 32; column < task.n; column += 32) {
    double const c = static_cast<double>(verify::secret_element(task.element, key, row, column));
    sum.d += static_cast<double>(verify::column_sign(task.draw, column)) * c;
    sum.squares += c * c;
  }
  return {add_up(sum.d, groups), add_up(sum.squares, groups)};
}

template <int kGroups>
__global__ void __launch_bounds__(kThreads) check_sums_kernel(__grid_constant__ Task const task) {
  int const set = static_cast<int>(blockIdx.y);
  std::uint32_t const lane = threadIdx.x % 32;
  std::uint32_t const first_row = (blockIdx.x * kWarps + threadIdx.x / 32) * kRows;
  if (first_row >= task.m) return;
  SecretKey const key = verify::secret_key(task.secret, set, task.a_operand);
  double const* const weights = task.weights + static_cast<std::int64_t>(set) * task.k * kGroups;
  double sums[kRows][kGroups] = {};
  double squares[kRows] = {};
  for (std::uint32_t step = lane; step < task.k; step += 32) {
    double weight[kGroups];
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      weight[group] = weights[static_cast<std::int64_t>(step) * kGroups + group];
    }
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      double const a = static_cast<double>(verify::secret_element(task.element, key, first_row + row, step));
      squares[row] += a * a;
#pragma unroll
      for (int group = 0; group < kGroups; ++group) sums[row][group] += a * weight[group];
    }
  }
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    double const norm = sqrt(add_up(squares[row], 1));
    double expected = 0;
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      double const sum = add_up(sums[row][group], 1);
      if (lane % kGroups == group) expected = task.alpha * sum;
    }
    if (first_row + row < task.m) {
      RowSum const c = task.beta != 0 ? sum_row_of_c(task, set, first_row + row, kGroups) : RowSum{};
      if (lane < kGroups) {
        auto const at = (static_cast<std::int64_t>(set) * task.m + first_row + row) * kGroups + lane;
        RowSum const got = task.sums[at];
        double const tolerance = task.tolerance.per_row_norm * norm + task.tolerance.per_c_norm * sqrt(c.squares) +
                                 task.tolerance.per_d_norm * sqrt(got.squares) + task.tolerance.tiny;
        count(task, set, fabs(got.d - expected - task.beta * c.d) <= tolerance);  // false for NaN
      }
    }
  }
}

/// One drawn block of one set, element by element in FP64.
__global__ void __launch_bounds__(kBlock* kBlock) check_block_kernel(__grid_constant__ Task const task) {
  __shared__ double a[kBlock][kDepth + 1];
  __shared__ double b[kDepth][kBlock + 1];
  int const set = static_cast<int>(blockIdx.y);
  auto const row0 = static_cast<std::uint32_t>(proof_place(task.draw, set, blockIdx.x, 0, task.m));
  auto const column0 = static_cast<std::uint32_t>(proof_place(task.draw, set, blockIdx.x, 1, task.n));
  SecretKey const a_key = verify::secret_key(task.secret, set, task.a_operand);
  SecretKey const b_key = verify::secret_key(task.secret, set, task.b_operand);
  double sum = 0, scale = 0;
  for (std::uint32_t first = 0; first < task.k; first += kDepth) {
    std::uint32_t const depth = min(kDepth, task.k - first);
    for (std::uint32_t at = threadIdx.y * kBlock + threadIdx.x; at < kBlock * kDepth; at += kBlock * kBlock) {
      std::uint32_t const line = at / kDepth, step = at % kDepth;
      a[line][step] = static_cast<double>(verify::secret_element(task.element, a_key, row0 + line, first + step));
      b[step][line] = static_cast<double>(verify::secret_element(task.element, b_key, first + step, column0 + line));
    }
    __syncthreads();
    for (std::uint32_t step = 0; step < depth; ++step) {
      double const product = a[threadIdx.y][step] * b[step][threadIdx.x];
      sum += product;
      scale += fabs(product);
    }
    __syncthreads();
  }
  std::uint32_t const row = row0 + threadIdx.y, column = column0 + threadIdx.x;
  if (row >= task.m || column >= task.n) return;
  double reference = task.alpha * sum;
  scale *= fabs(task.alpha);
  if (task.beta != 0) {
    SecretKey const c_key = verify::secret_key(task.secret, set, task.c_operand);
    double const term = task.beta * static_cast<double>(verify::secret_element(task.element, c_key, row, column));
    reference += term;
    scale += fabs(term);
  }
  auto const block = static_cast<std::int64_t>(set) * task.blocks + blockIdx.x;
  auto const bits = task.elements[(block * kBlock + threadIdx.y) * kBlock + threadIdx.x];
  count(task, set, !verify::judge(task.element, bits, reference, scale, task.bound).wrong);
}

class CudaProofEngine final : public ProofEngine {
 public:
  explicit CudaProofEngine(device::Backend& backend)
      : backend_(backend),
        counts_(backend.allocate(sizeof(Counts))),
        state_(backend.allocate(sizeof(device::ExclusiveState))),
        exclusive_blocks_(device::exclusive_blocks(seize_kernel)) {
    if (backend.name() != "cuda") {
      throw std::logic_error("make_cuda_proof_engine needs the CUDA backend, not " + backend.name());
    }
    int device = 0, multiprocessors = 0;
    PERFCHECK_CUDA(cudaGetDevice(&device));
    PERFCHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    most_blocks_ = static_cast<unsigned>(8 * multiprocessors);
    if (exclusive_blocks_ == 0) {
      throw device::DeviceError("the kernel that seizes outputs cannot take all thread slots of this device", false);
    }
    device::ExclusiveState const none;
    backend.copy_to_device(state_.data(), &none, sizeof none);
  }

  void reserve(ProofTask const& proof) override {
    auto const groups = static_cast<std::size_t>(proof_groups(proof.d.columns));
    auto const sets = static_cast<std::size_t>(proof.sets);
    grow(weights_, sets * static_cast<std::size_t>(proof.a.first.columns) * groups * sizeof(double));
    grow(sums_, sets * static_cast<std::size_t>(proof.d.rows) * groups * sizeof(RowSum));
    // Fewer sets may have more blocks together: enough for those too, since nothing can be allocated while a launch is
    // recorded.
    auto const blocks = static_cast<std::size_t>(most_proof_blocks(proof.sets));
    grow(elements_, blocks * kBlock * kBlock * sizeof(std::uint32_t));
  }

  void enqueue(ProofTask const& proof) override {
    reserve(proof);
    auto const stream = backend_.stream();
    int const groups = proof_groups(proof.d.columns);
    Task const task = task_of(proof, groups);
    judged_ = judgements_of(proof);
    // First, with nothing in front of it that others could use.
    seize_kernel<<<exclusive_blocks_, device::kExclusiveThreads, 0, stream>>>(
        task, static_cast<device::ExclusiveState*>(state_.data()), &static_cast<Counts*>(counts_.data())->seized_ns);
    backend_.check_launch();
    // Bytes of an int: none wrong yet.
    PERFCHECK_CUDA(cudaMemsetAsync(&static_cast<Counts*>(counts_.data())->right, 0, sizeof(Counts::right), stream));
    PERFCHECK_CUDA(cudaMemsetAsync(&static_cast<Counts*>(counts_.data())->wrong_set, 0x7f, sizeof(int), stream));
    std::uint32_t const rows = static_cast<std::uint32_t>(proof.sets) * task.k;
    std::size_t const sign_bytes = (task.n + 31) / 32 * sizeof(std::uint32_t);
    weigh_kernel<<<std::min(most_blocks_, (rows + kWarps - 1) / kWarps), kThreads, sign_bytes, stream>>>(task, rows);
    backend_.check_launch();
    check_sums(task, groups, static_cast<unsigned>(proof.sets));
    dim3 const drawn(static_cast<unsigned>(proof_blocks(proof.sets)), static_cast<unsigned>(proof.sets));
    check_block_kernel<<<drawn, dim3(kBlock, kBlock), 0, stream>>>(task);
    backend_.check_launch();
  }

  ProofResult collect() override {
    Counts counts{};
    backend_.copy_to_host(&counts, counts_.data(), sizeof counts);
    device::ExclusiveState state;
    backend_.copy_to_host(&state, state_.data(), sizeof state);
    if (state.timed_out != 0) {
      throw device::Interference("something else was resident on the device when the clock had stopped", true);
    }
    constexpr int kNone = 0x7f7f7f7f;
    return {.right = counts.right,
            .judged = judged_,
            .wrong_set = counts.wrong_set == kNone ? -1 : counts.wrong_set,
            .seized_ns = counts.seized_ns};
  }

 private:
  void check_sums(Task const& task, int groups, unsigned sets) {
    dim3 const grid((task.m + kWarps * kRows - 1) / (kWarps * kRows), sets);
    auto* const kernel = groups == 1   ? check_sums_kernel<1>
                         : groups == 2 ? check_sums_kernel<2>
                         : groups == 4 ? check_sums_kernel<4>
                                       : check_sums_kernel<kMostProofGroups>;
    kernel<<<grid, kThreads, 0, backend_.stream()>>>(task);
    backend_.check_launch();
  }

  Task task_of(ProofTask const& proof, int groups) {
    auto const k = static_cast<std::uint32_t>(proof.a.first.columns);
    return {.element = proof.d.element,
            .m = static_cast<std::uint32_t>(proof.d.rows),
            .n = static_cast<std::uint32_t>(proof.d.columns),
            .k = k,
            .d = static_cast<char const*>(proof.d.data),
            .ldd = proof.d.row_stride,
            .d_set_bytes = proof.d_set_bytes,
            .a_operand = proof.a.operand,
            .b_operand = proof.b.operand,
            .c_operand = proof.c.operand,
            .secret = proof.secret,
            .draw = proof.draw,
            .alpha = proof.alpha,
            .beta = proof.beta,
            .bound = proof.bound,
            .tolerance = sum_tolerance(proof),
            .weights = static_cast<double*>(weights_.data()),
            .sums = static_cast<RowSum*>(sums_.data()),
            .elements = static_cast<std::uint32_t*>(elements_.data()),
            .sets = static_cast<std::uint32_t>(proof.sets),
            .groups = static_cast<std::uint32_t>(groups),
            .blocks = static_cast<std::uint32_t>(proof_blocks(proof.sets)),
            .counts = static_cast<Counts*>(counts_.data())};
  }

  void grow(device::Memory& memory, std::size_t bytes) {
    if (memory.size() >= bytes) return;
    memory = device::Memory();  // first, so that old and new need not fit side by side
    memory = backend_.allocate(bytes);
  }

  device::Backend& backend_;
  device::Memory counts_, state_, weights_, sums_, elements_;
  unsigned exclusive_blocks_ = 0;
  std::uint64_t judged_ = 0;
  unsigned most_blocks_ = 1;
};

}  // namespace

std::unique_ptr<ProofEngine> make_cuda_proof_engine(device::Backend& backend) {
  return std::make_unique<CudaProofEngine>(backend);
}

}  // namespace perfcheck::gemm
