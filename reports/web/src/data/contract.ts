// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The data of a page as docs/report-data.md describes them. The same program writes page and data, so these types are
// not checked at run time. Members that may be absent are optional.

export type Verdict =
  | "pass" | "improved" | "regressed" | "inconclusive" | "no_baseline" | "missing" | "incorrect" | "implausible"
  | "crashed" | "timed_out" | "failed" | "invalid" | "incomparable" | "skipped";

export type Counts = Record<string, number>;

export interface LastRun {
  started: string;
  commit?: string;
  exit_code?: number;
  counts: Counts;
}

export interface ManifestDevice {
  key: string;
  name: string;
  operation: string;
  backend: string;
  chunk: string;
  cases: number;
  runs: number;
  last_run?: LastRun;
}

export interface Manifest {
  schema: string;
  title: string;
  generated: string;
  tool_version: string;
  site: boolean;
  notes: string[];
  devices: ManifestDevice[];
}

export interface Commit {
  id: string;
  subject: string;
  author: string;
  committed: string;
  branch: string;
}

export interface Environment {
  driver?: string;
  cuda_driver?: string;
  cuda_runtime?: string;
  libraries?: Record<string, string>;
  power_limit_w?: number;
  host?: string;
  os?: string;
  cpu?: string;
  persistence_mode?: string;
  ecc?: string;
  mig?: string;
  compute_mode?: string;
  warnings?: string[];
  tool_version?: string;
  compiler?: string;
  cuda_toolkit?: string;
}

export interface Run {
  id: string;
  started: string;
  commit: number;
  dirty?: boolean;
  environment: number;
  card?: string;
  suite?: string;
  filters?: string[];
  sessions?: number;
  seconds?: number;
  exit_code?: number;
  counts: Counts;
  origin?: string;
  notes?: string[];
}

/** What the operation says that tells a problem from others: types is "f16.f32", m is 4096. */
export interface Axis {
  name: string;
  value: number | string;
}

export interface Problem {
  text: string;
  name?: string;
  flop?: number;
  bytes?: number;
  /** In the order of labels. */
  axes?: Axis[];
}

export interface Kernel {
  id: string;
  summary?: string;
  file?: string;
  line?: number;
  library?: string;
  executes?: string;
  work_share?: number;
}

/** A metric of a case's latest result, and how it is shown. */
export interface MetricRow {
  key: string;
  name: string;
  unit: string;
  digits: number;
  better: "lower" | "higher" | "neither";
  print: "time" | "number" | "share" | "percent" | "factor";
  ladder: boolean;
}

/** Its metrics are those of Device.metrics; the members below are the ones that charts use. */
export interface Latest {
  run: number;
  status: string;
  message?: string;
  verdict?: string;
  reason_code?: string;
  reason?: string;
  also_changed?: string;
  decided_by?: string;
  change?: number;
  low?: number;
  high?: number;
  margin?: number;
  detectable?: number;
  time_ns?: number;
  clock_mhz?: number;
  tflops?: number;
  reference_share?: number;
  peak_share?: number;
}

export interface Level {
  median: number;
  low: number;
  high: number;
}

export interface Baseline {
  sessions: number;
  accepted?: string;
  who?: string;
  why?: string;
  commit?: string;
  time_ns?: Level;
  ratio?: Level;
  cycles?: Level;
  margin?: number;
}

export interface Change {
  metric: string;
  run: number;
  from: number;
  to: number;
  size: number;
  low?: number;
  high?: number;
  before?: number;
  after?: number;
  p?: number;
  went_away?: boolean;
}

/**
 * How much runs differ while the level does not change: the logarithmic standard deviation of one run, and its degrees
 * of freedom.
 */
export interface Scatter {
  sd: number;
  df: number;
}

/** A case that became slower by steps too small for the gate. */
export interface Creep {
  status: string;
  metric: string;
  drift: number;
  low: number;
  high: number;
  margin: number;
  anchor: string;
  anchor_from: number;
  anchor_to: number;
  onset: number;
  alarm: number;
  commits: { run: number; moved?: number; low?: number; high?: number; likeliest: boolean }[];
}

export interface Case {
  id: string;
  kernel: number;
  problem: number;
  reference?: string;
  arithmetic?: string;
  chunk: string;
  metric: string;
  runs: number;
  spark: (number | null)[];
  /** By metric. */
  scatter?: Record<string, Scatter>;
  latest?: Latest;
  baseline?: Baseline;
  creep?: Creep;
  changes: Change[];
}

export interface Device {
  key: string;
  name: string;
  slug: string;
  operation: string;
  backend: string;
  compute_capability?: string;
  multiprocessors?: number;
  memory_bytes?: number;
  cache_bytes?: number;
  max_clock_mhz?: number;
  peak_tflops?: Record<string, number>;
  peak_gb_s?: number;
  peak_cache_gb_s?: number;
  empty_launch_ns?: number;
  repository?: string;
  commits: Commit[];
  environments: Environment[];
  runs: Run[];
  problems: Problem[];
  kernels: Kernel[];
  metrics: MetricRow[];
  cases: Case[];
  calibrations: { recorded?: string; calibration: Calibration }[];
  creep?: { judged: number; release?: string };
}

export interface Launch {
  function: string;
  grid: number[];
  block: number[];
  registers: number;
  shared_bytes: number;
  local_bytes: number;
  blocks_per_sm: number;
  occupancy: number;
  machine_code?: string;
}

export interface Attributes {
  launches?: Launch[];
  machine_code?: string;
}

export interface Check {
  name: string;
  passed: boolean;
  error_over_bound?: number;
  detail?: string;
}

export interface Rounds {
  launches?: number;
  reference_launches?: number;
  time_ns: number[];
  reference_time_ns?: number[];
  clock_mhz?: number[];
  reference_clock_mhz?: number[];
}

export interface CaseResult {
  id: string;
  status: string;
  reference?: string;
  message?: string;
  verification?: { passed: boolean; checks: Check[] };
  launches?: Launch[];
  rounds?: Rounds;
  proof?: { replays: number; compared: number; outputs_compared: number; clock_deviation: number };
  state?: {
    throttle_reasons?: string[];
    sm_clock_mhz?: number;
    memory_clock_mhz?: number;
    power_w?: number;
    temperature_c?: number;
    other_processes?: number;
  };
  stop_reason?: string;
  injected_percent?: number;
}

export interface DetailSession {
  run: number;
  id: string;
  purpose: string;
  started: string;
  seed?: string;
  result: CaseResult;
}

export interface Detail {
  sessions: DetailSession[];
}

export interface Detection {
  percent: number;
  trials: number;
  found: number;
  units: number;
}

export interface CalibratedCase {
  id: string;
  library?: boolean;
  time_ns?: number;
  detectable?: number;
  untouched: number;
  flagged: number;
  false_alarms: number;
  inconclusive: number;
  device: Detection[];
  added: Detection[];
  noise: Record<string, { rounds?: number; sessions?: number; cards?: number }>;
}

export interface Calibration {
  suite: string;
  compared_with: string;
  confirm_sessions: number;
  checks: number;
  false_checks: number;
  false_kernel_checks?: number;
  inconclusive_checks?: number;
  cards: {
    uuid?: string;
    device: string;
    driver?: string;
    libraries?: Record<string, string>;
    commit?: string;
    baseline_sessions: number;
    blocks: string[];
  }[];
  cases: CalibratedCase[];
  misses: { id: string; percent: number; goal: number; reached: number; trials: number }[];
  rules: {
    name: string;
    source?: string;
    untouched: number;
    false_alarms: number;
    sessions: number;
    false_sessions: number;
    device: Detection[];
  }[];
}
