// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What the made-up machines are: kernels, shapes, levels. Nothing here was measured, and the page says so.

export function random(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal, pick: (list) => list[Math.floor(uniform() * list.length)] };
}

export const hostile = `</script><img src=x onerror="window.hacked=1">&lt;b&gt;`;

// name, types, share of the reference's speed; the first of each types is the reference.
const ladder = [
  ["library/cublas_f32", "f32", 1], ["simt/naive", "f32", 0.04], ["simt/shared_tile", "f32", 0.16],
  ["simt/register_tile", "f32", 0.83], ["simt/vector_loads", "f32", 0.88], ["simt/cp_async_pipeline", "f32", 0.97],
  ["simt/split_k", "f32", 0.74],
  ["library/cublas_tf32", "tf32", 1], ["wmma/many_fragments_tf32", "tf32", 0.28], ["mma/tf32_pipeline", "tf32", 0.46],
  ["mma/tf32_swizzled", "tf32", 0.61],
  ["library/cublas_f16", "f16.f32", 1], ["wmma/many_fragments_f16", "f16.f32", 0.34], ["mma/f16_tile", "f16.f32", 0.42],
  ["mma/f16_pipeline", "f16.f32", 0.58], ["mma/f16_swizzled", "f16.f32", 0.66], ["wgmma/f16_tma", "f16.f32", 0.86],
  ["wgmma/f16_persistent", "f16.f32", 0.95],
  ["library/cublas_bf16", "bf16.f32", 1], ["wmma/many_fragments_bf16", "bf16.f32", 0.23], ["mma/bf16_pipeline", "bf16.f32", 0.56],
  ["wgmma/bf16_tma", "bf16.f32", 0.87], ["wgmma/bf16_persistent", "bf16.f32", 0.96],
  [`wrong/${"<b>bold</b>"}`, "bf16.f32", 0.5],
];

const shapes = [
  ["nn", 512, 512, 512], ["nn", 1024, 1024, 1024], ["nn", 2048, 2048, 2048], ["nn", 4096, 4096, 4096],
  ["nn", 8192, 8192, 8192], ["nn", 1024, 3072, 768, "GPT-2 attention, in"], ["nt", 16, 14336, 4096, "8B decoder, 16 tokens"],
  ["nt", 256, 4096, 14336, "8B decoder, MLP out"], ["nt", 512, 28672, 8192, "70B decoder, MLP in"],
  ["nt", 1024, 8192, 8192, "70B decoder, attention out"], ["nt", 2048, 4096, 11008, "7B decoder, MLP out"],
  ["nt", 2048, 6144, 4096, "8B decoder, QKV"], ["nt", 2048, 11008, 4096, "7B decoder, MLP in"],
  ["nt", 2048, 12288, 4096, "7B decoder, QKV"], ["nt", 4096, 1024, 4096],
];

export const arithmetics = { f32: "f32", tf32: "tf32", "f16.f32": "f16", "bf16.f32": "bf16" };
export const machines = [
  { name: "NVIDIA H100 80GB HBM3", slug: "nvidia-h100-80gb-hbm3", clock: 1755, gb_s: 3352.3,
    peak: { f32: 66.9, tf32: 494.7, f16: 989.4, bf16: 989.4 } },
  { name: "NVIDIA H200", slug: "nvidia-h200", clock: 1830, gb_s: 4814.5,
    peak: { f32: 66.9, tf32: 494.7, f16: 989.4, bf16: 989.4 } },
];

export function makeKernels(count) {
  const kernels = [];
  for (let i = 0; i < count; i++) {
    const [name, types, speed] = ladder[i % ladder.length];
    const again = Math.floor(i / ladder.length);
    kernels.push({
      id: `gemm/${name}${again > 0 ? `_v${again + 1}` : ""}`, types, speed: speed * (1 - 0.03 * again),
      summary: name.includes("wrong") ? `${hostile} in a summary` : `${name.split("/")[1].replace(/_/g, " ")}, made up`,
      library: name.startsWith("library/") && again === 0 ? "cuBLAS" : "", line: 40 + i,
      file: `kernels/gemm/${name.split("/")[0]}/${name.split("/")[1]}.cu`,
    });
  }
  return kernels;
}

export function makeProblems(count) {
  const problems = [];
  for (const types of Object.keys(arithmetics)) {
    for (let i = 0; i < count; i++) {
      const [layout, m, n, k0, name] = shapes[i % shapes.length];
      const k = k0 + 64 * Math.floor(i / shapes.length);
      const size = types === "f32" || types === "tf32" ? 4 : 2;
      problems.push({
        text: `${types},${layout},m${m}n${n}k${k}`, name: name ?? "", flop: 2 * m * n * k,
        bytes: size * (m * k + k * n) + 4 * m * n, types,
        axes: Object.entries({ types, layout, m, n, k }).map(([axis, value]) => ({ name: axis, value })),
      });
    }
  }
  return problems;
}

export function timeOf(machine, kernel, problem) {
  const peak = machine.peak[arithmetics[problem.types]] * 1e3;
  const compute = problem.flop / (peak * 0.76 * kernel.speed);
  const memory = problem.bytes / (machine.gb_s * 0.82 * Math.min(1, kernel.speed + 0.3));
  return Math.hypot(compute, memory) + 3500;
}

const verbs = ["tune", "unroll", "split", "rename", "widen", "simplify", "swizzle", "double-buffer", "revert", "document"];
const things = ["tiles of the f16 pipeline", "epilogue stores", "the loop over k", "shared memory layout", "launch bounds",
  "cp.async groups", "predicates at edges", "the wgmma descriptor", "README", "CI runner set-up"];
const authors = ["A. Kernel", "Bo Warp", "Chris Tile", "D. Lane-Mask", `Eve ${hostile}`];

export function makeCommits(count, rng) {
  const start = Date.parse("2026-11-21T09:12:00Z") - count * 11 * 3600e3;
  return Array.from({ length: count }, (_, i) => ({
    id: Array.from({ length: 40 }, () => rng.pick([..."0123456789abcdef"])).join(""),
    subject: i % 37 === 5 ? `fix: ${hostile}` : `gemm: ${rng.pick(verbs)} ${rng.pick(things)}`,
    author: rng.pick(authors), branch: "main",
    committed: new Date(start + i * 11 * 3600e3 + rng.uniform() * 3e7).toISOString().slice(0, 19) + "Z",
  }));
}
