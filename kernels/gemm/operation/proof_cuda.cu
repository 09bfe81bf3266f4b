// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0
#include "proof_task.cuh"

#include <perfcheck/cuda_check.h>
#include <perfcheck/device/exclusive.cuh>

#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>

namespace perfcheck::gemm {
namespace {

using verify::SecretKey;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kRows = 4;    ///< of A and D that one warp takes together, so that B x is read once for them
constexpr int kDepth = 64;  ///< steps of k that drawn blocks keep in shared memory at a time

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
    std::uint32_t const parts = task.parts.count;
    std::uint32_t const matrix = task.parts.matrix(static_cast<int>(at / task.k % parts));
    SecretFactorKeys const keys = keys_of(task.b, task.secret, static_cast<int>(at / task.k / parts));
    std::uint32_t const row = matrix * task.b_rows + at % task.k, column0 = matrix * task.b_columns;
    double sum = 0;
    for (std::uint32_t column = lane; column < task.n; column += 32) {
      double const value = element_at(task.b, keys, row, column0 + column);
      sum += (negative[column / 32] >> lane & 1U) != 0 ? -value : value;
    }
    sum = add_up(sum, groups);
    if (lane < groups) task.weights[at * static_cast<std::int64_t>(groups) + lane] = sum;
  }
}

/// Reads from the outputs all that will be checked, as the only kernel on the device, right after the clock has
/// stopped: whatever writes to them from now on comes too late. A warp takes a row; its lanes keep to one group each.
__global__ void __launch_bounds__(device::kExclusiveThreads, device::kExclusiveBlocks)
    seize_kernel(__grid_constant__ Task const task, device::ExclusiveState* state, std::uint64_t* closed_ns) {
  if (device::arrive_together(state)) *closed_ns = device::global_nanoseconds();
  std::uint32_t const lane = threadIdx.x % 32;
  std::uint32_t const warps = gridDim.x * (device::kExclusiveThreads / 32);
  std::uint32_t const first = blockIdx.x * (device::kExclusiveThreads / 32) + threadIdx.x / 32;
  std::uint32_t const rows = task.rows;
  for (std::uint32_t at = first; at < task.sets * rows; at += warps) {
    double sum = 0, squares = 0;
    for (std::uint32_t column = lane; column < task.n; column += 32) {
      double const d = number_of(task.element, bits_of_d(task, at / rows, at % rows, column));
      sum += verify::column_sign(task.draw, column) < 0 ? -d : d;
      squares += d * d;
    }
    sum = add_up(sum, static_cast<int>(task.groups));
    squares = add_up(squares, static_cast<int>(task.groups));
    if (lane < task.groups) task.sums[at * task.groups + lane] = {sum, squares};
  }
  for (std::uint32_t at = first * 32 + lane; at < task.sets * task.blocks * kBlock * kBlock; at += warps * 32) {
    std::uint32_t const index = at / (kBlock * kBlock) % task.blocks, set = at / (kBlock * kBlock) / task.blocks;
    ProofBlock const block = block_of(task, set, index);
    std::uint32_t const y = at / kBlock % kBlock, x = at % kBlock;
    bool const inside = y < block.rows && x < block.columns;
    task.elements[at] =
        inside ? bits_of_d(task, set, block.first_row + y, static_cast<std::uint32_t>(block.first_column) + x) : 0;
  }
}

/// The same sum over what is added to the products of a row, for the lane's group.
__device__ RowSum sum_added(Task const& task, int set, std::int64_t row, int groups) {
  RowSum sum{};
  for (std::uint32_t column = threadIdx.x % 32; column < task.n; column += 32) {
    double const term = task.epilogue.beta * added_at(task, task.c, Input::c, set, row, column) +
                        added_at(task, task.bias, Input::bias, set, 0, column) +
                        added_at(task, task.residual, Input::residual, set, row, column);
    sum.d += static_cast<double>(verify::column_sign(task.draw, column)) * term;
    sum.squares += term * term;
  }
  return {add_up(sum.d, groups), add_up(sum.squares, groups)};
}

/// Where an activation follows, a sum only tells that all elements are numbers.
__global__ void __launch_bounds__(kThreads) check_numbers_kernel(__grid_constant__ Task const task) {
  std::int64_t const sums = static_cast<std::int64_t>(task.sets) * task.rows * task.groups;
  std::int64_t const at = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (at >= sums) return;
  double const sum = task.sums[at].d;
  count(task, static_cast<int>(at / (static_cast<std::int64_t>(task.rows) * task.groups)), sum == sum);
}

template <int kGroups>
__global__ void __launch_bounds__(kThreads) check_sums_kernel(__grid_constant__ Task const task) {
  int const set = static_cast<int>(blockIdx.y);
  std::uint32_t const lane = threadIdx.x % 32;
  RowRange const range = task.parts.range(blockIdx.x, kWarps * kRows);
  std::uint32_t const first = threadIdx.x / 32 * kRows;
  if (first >= range.rows) return;
  std::int64_t const first_row = range.first + first;
  SecretFactorKeys const keys = keys_of(task.a, task.secret, set);
  double const* const weights =
      task.weights + (static_cast<std::int64_t>(set) * task.parts.count + range.part) * task.k * kGroups;
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
      double const a = element_at(task.a, keys, first_row + row, step);
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
      if (lane % kGroups == group) expected = task.epilogue.alpha * sum;
    }
    if (first + row < range.rows) {
      bool const adds = task.c.read || task.bias.read || task.residual.read;
      RowSum const added = adds ? sum_added(task, set, first_row + row, kGroups) : RowSum{};
      if (lane < kGroups) {
        auto const at = (static_cast<std::int64_t>(set) * task.rows + first_row + row) * kGroups + lane;
        RowSum const got = task.sums[at];
        double const tolerance = task.tolerance.per_row_norm * norm +
                                 task.tolerance.per_added_norm * sqrt(added.squares) +
                                 task.tolerance.per_d_norm * sqrt(got.squares) + task.tolerance.tiny;
        count(task, set, fabs(got.d - expected - added.d) <= tolerance);  // false for NaN
      }
    }
  }
}

/// One drawn block of one set, element by element in FP64.
__global__ void __launch_bounds__(kBlock* kBlock) check_block_kernel(__grid_constant__ Task const task) {
  __shared__ double a[kBlock][kDepth + 1];
  __shared__ double b[kDepth][kBlock + 1];
  int const set = static_cast<int>(blockIdx.y);
  ProofBlock const block = block_of(task, blockIdx.y, blockIdx.x);
  std::int64_t const b_row0 = static_cast<std::int64_t>(block.matrix) * task.b_rows;
  std::int64_t const b_column0 = static_cast<std::int64_t>(block.matrix) * task.b_columns + block.first_column;
  SecretFactorKeys const a_keys = keys_of(task.a, task.secret, set);
  SecretFactorKeys const b_keys = keys_of(task.b, task.secret, set);
  double sum = 0, scale = 0;
  for (std::uint32_t first = 0; first < task.k; first += kDepth) {
    std::uint32_t const depth = min(kDepth, task.k - first);
    for (std::uint32_t at = threadIdx.y * kBlock + threadIdx.x; at < kBlock * kDepth; at += kBlock * kBlock) {
      std::uint32_t const line = at / kDepth, step = at % kDepth;
      a[line][step] = element_at(task.a, a_keys, block.first_row + line, first + step);
      b[step][line] = element_at(task.b, b_keys, b_row0 + first + step, b_column0 + line);
    }
    __syncthreads();
    for (std::uint32_t step = 0; step < depth; ++step) {
      double const product = a[threadIdx.y][step] * b[step][threadIdx.x];
      sum += product;
      scale += fabs(product);
    }
    __syncthreads();
  }
  if (threadIdx.y >= block.rows || threadIdx.x >= block.columns) return;
  std::int64_t const row = block.first_row + threadIdx.y;
  auto const column = static_cast<std::uint32_t>(block.first_column) + threadIdx.x;
  auto const expected = verify::finished(task.epilogue, sum, scale, added_at(task, task.c, Input::c, set, row, column),
                                         added_at(task, task.bias, Input::bias, set, 0, column),
                                         added_at(task, task.residual, Input::residual, set, row, column));
  auto const place = static_cast<std::int64_t>(set) * task.blocks + blockIdx.x;
  Bits const bits = task.elements[(place * kBlock + threadIdx.y) * kBlock + threadIdx.x];
  count(task, set, !verify::judge(task.element, bits, expected, task.bound).wrong);
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

  bool takes_outputs() const override { return true; }

  void reserve(ProofTask const& proof) override {
    auto const groups = static_cast<std::size_t>(proof_groups(proof.d.columns));
    auto const sets = static_cast<std::size_t>(proof.sets);
    auto const steps = static_cast<std::size_t>(proof.parts.count * proof.k());
    if (proof.is_linear()) grow(weights_, sets * steps * groups * sizeof(double));
    grow(sums_, sets * static_cast<std::size_t>(proof.d.rows) * groups * sizeof(RowSum));
    // Fewer sets may have more blocks in total: allocate enough for those too, since nothing can be allocated while a
    // launch is recorded.
    auto const blocks = static_cast<std::size_t>(most_proof_blocks(proof.sets, proof.is_linear()));
    grow(elements_, blocks * kBlock * kBlock * sizeof(Bits));
  }

  void enqueue(ProofTask const& proof) override {
    reserve(proof);
    auto const stream = backend_.stream();
    int const groups = proof_groups(proof.d.columns);
    Task const task = task_of(proof, groups);
    // Launched first, so that nothing runs before it whose time others could use.
    seize_kernel<<<exclusive_blocks_, device::kExclusiveThreads, 0, stream>>>(
        task, static_cast<device::ExclusiveState*>(state_.data()), &static_cast<Counts*>(counts_.data())->seized_ns);
    backend_.check_launch();
    // 0x7f in each byte of the int: no set is wrong yet.
    PERFCHECK_CUDA(cudaMemsetAsync(&static_cast<Counts*>(counts_.data())->right, 0, sizeof(Counts::right), stream));
    PERFCHECK_CUDA(cudaMemsetAsync(&static_cast<Counts*>(counts_.data())->wrong_set, 0x7f, sizeof(int), stream));
    if (task.linear) {
      check_sums(task, groups);
    } else {
      std::int64_t const sums = std::int64_t{proof.sets} * proof.d.rows * groups;
      check_numbers_kernel<<<static_cast<unsigned>((sums + kThreads - 1) / kThreads), kThreads, 0, stream>>>(task);
      backend_.check_launch();
    }
    dim3 const drawn(task.blocks, task.sets);
    check_block_kernel<<<drawn, dim3(kBlock, kBlock), 0, stream>>>(task);
    backend_.check_launch();
    judged_ = judgements_of(proof);
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
  void check_sums(Task const& task, int groups) {
    std::uint32_t const rows = task.sets * task.parts.count * task.k;  // of B
    std::size_t const sign_bytes = (task.n + 31) / 32 * sizeof(std::uint32_t);
    weigh_kernel<<<std::min(most_blocks_, (rows + kWarps - 1) / kWarps), kThreads, sign_bytes, backend_.stream()>>>(
        task, rows);
    backend_.check_launch();
    dim3 const grid(static_cast<unsigned>(task.parts.ranges(kWarps * kRows)), task.sets);
    auto* const kernel = groups == 1   ? check_sums_kernel<1>
                         : groups == 2 ? check_sums_kernel<2>
                         : groups == 4 ? check_sums_kernel<4>
                                       : check_sums_kernel<kMostProofGroups>;
    kernel<<<grid, kThreads, 0, backend_.stream()>>>(task);
    backend_.check_launch();
  }

  Task task_of(ProofTask const& proof, int groups) {
    auto const k = static_cast<std::uint32_t>(proof.k()), n = static_cast<std::uint32_t>(proof.d.columns);
    bool const b_by_rows = proof.input(Input::b).first.column_stride == 1;
    auto const added = [&](Input input) { return Added{proof.input(input).format(), proof.reads(input)}; };
    return {.element = proof.d.element,
            .rows = static_cast<std::uint32_t>(proof.d.rows),
            .n = n,
            .k = k,
            .parts = proof.parts,
            .d = static_cast<char const*>(proof.d.data),
            .ldd = proof.d.row_stride,
            .d_set_bytes = proof.d_set_bytes,
            .a = proof.a(),
            .b = proof.b(),
            .b_rows = b_by_rows ? k : 0,
            .b_columns = b_by_rows ? 0 : n,
            .c = added(Input::c),
            .bias = added(Input::bias),
            .residual = added(Input::residual),
            .secret = proof.secret,
            .draw = proof.draw,
            .epilogue = proof.epilogue,
            .linear = proof.is_linear(),
            .bound = proof.bound,
            .tolerance = sum_tolerance(proof),
            .weights = static_cast<double*>(weights_.data()),
            .sums = static_cast<RowSum*>(sums_.data()),
            .elements = static_cast<Bits*>(elements_.data()),
            .sets = static_cast<std::uint32_t>(proof.sets),
            .groups = static_cast<std::uint32_t>(groups),
            .blocks = static_cast<std::uint32_t>(proof_blocks(proof.sets, proof.is_linear())),
            .counts = static_cast<Counts*>(counts_.data())};
  }

  void grow(device::Memory& memory, std::size_t bytes) {
    if (memory.size() >= bytes) return;
    memory = device::Memory();  // frees first, so that old and new need not fit side by side
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
