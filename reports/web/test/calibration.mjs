// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// A made-up document of `perfcheck calibrate --json` for the cases of a made-up device.

export function makeCalibration(cases, kernels, deviceName, rng) {
  const seen = (noise, percent) => 1 / (1 + Math.exp(-(percent - 0.5 - 120 * noise) * 4));
  const described = cases.map((one) => {
    const noise = 0.001 + 0.012 * rng.uniform() ** 3;
    const detection = (scale) => [0.5, 1, 2, 3, 5].map((percent) => {
      const trials = Math.round(scale * (1 + rng.uniform()));
      return { percent, trials, units: Math.max(1, Math.round(trials / 7)), found: Math.round(trials * seen(noise, percent)) };
    });
    const time = one.latest?.time_ns ?? 1e5;
    return {
      id: one.id, library: kernels[one.kernel].library !== "", time_ns: time, seconds: 0.2, device_seconds: 0.1,
      detectable: 0.004 + 2.5 * noise, untouched: 21, flagged: Math.round(3 * rng.uniform()), false_alarms: 0, inconclusive: 0,
      device: detection(7), added: detection(30),
      noise: { ratio: { rounds: noise / 3, sessions: noise, cards: noise * 2 }, cycles: { rounds: noise / 4, sessions: noise * 0.8, cards: noise * 1.5 },
        time: { rounds: noise / 3, sessions: noise * 2, cards: noise * 4 } },
    };
  });
  const rule = (name, source, alarms, power) => ({
    name, source, untouched: 6776, false_alarms: Math.round(6776 * alarms), sessions: 56, false_sessions: Math.round(56 * Math.min(1, alarms * 60)),
    device: [0.5, 1, 2, 3, 5].map((percent) => ({ percent, trials: 600, units: 90, found: Math.round(600 * Math.min(1, power * percent)) })),
  });
  return {
    schema: "perfcheck.calibration/1", suite: "default", compared_with: "its own sessions", confirm_sessions: 6, checks: 56, false_checks: 0,
    false_kernel_checks: 0, inconclusive_checks: 1,
    cards: [{ uuid: "GPU-11111111", device: deviceName, driver: "580.159.04", libraries: { cuBLAS: "13.1.0" },
      commit: "84cb31fe01ace4251b8f9aa5f4be9c06db23bb4d", baseline_sessions: 8, blocks: ["block-01.run.json", "block-02.run.json"] }],
    cases: described,
    misses: described.filter((one) => one.detectable > 0.025).map((one) => ({ id: one.id, percent: 3, goal: 0.99, reached: 0.67, trials: 45 })),
    rules: [rule("perfcheck", "docs/how-the-gate-decides.md", 0, 0.95), rule("rank test over rounds", "docs/peer-rules.md", 0.53, 0.9),
      rule("threshold 5 %", "docs/peer-rules.md", 0.01, 0.11), rule("intervals that do not overlap", "docs/peer-rules.md", 0.31, 0.7)],
  };
}
