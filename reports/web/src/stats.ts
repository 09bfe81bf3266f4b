// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// The few statistics that the page itself computes.

/** Quantile by linear interpolation between order statistics of sorted values. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return NaN;
  const at = q * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below] as number;
  return low + (at - below) * ((sorted[Math.min(below + 1, sorted.length - 1)] as number) - low);
}

export function sorted(values: Iterable<number>): number[] {
  return [...values].sort((a, b) => a - b);
}

export function median(values: Iterable<number>): number {
  return quantile(sorted(values), 0.5);
}

export interface Box {
  low: number;
  q1: number;
  median: number;
  q3: number;
  high: number;
}

/** Quartiles, and whiskers at the last values within 1.5 times their distance (Tukey). */
export function box(values: readonly number[]): Box {
  const order = sorted(values);
  const q1 = quantile(order, 0.25);
  const q3 = quantile(order, 0.75);
  const reach = 1.5 * (q3 - q1);
  return {
    low: order.find((value) => value >= q1 - reach) ?? NaN,
    q1,
    median: quantile(order, 0.5),
    q3,
    high: order.reduce((best, value) => (value <= q3 + reach ? value : best), NaN),
  };
}

export function histogram(values: readonly number[], low: number, high: number, bins: number): number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const value of values) {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor(((value - low) / (high - low || 1)) * bins)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}

/** ln(gamma(x)) for x > 0, by Lanczos' approximation. */
export function logGamma(x: number): number {
  const coefficients = [
    76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155, 0.1208650973866179e-2,
    -0.5395239384953e-5,
  ];
  let sum = 1.000000000190015;
  coefficients.forEach((coefficient, i) => (sum += coefficient / (x + 1 + i)));
  return -(x + 5.5) + (x + 0.5) * Math.log(x + 5.5) + Math.log((2.5066282746310005 * sum) / x);
}

/** Continued fraction of the incomplete beta function (Lentz' method). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  const guard = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-12) break;
  }
  return result;
}

/** The regularised incomplete beta function. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

function betaQuantile(p: number, a: number, b: number): number {
  let low = 0;
  let high = 1;
  for (let i = 0; i < 80; i++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, a, b) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Clopper and Pearson's lower confidence limit of a share, given k of n; it is wrong with probability alpha. */
export function shareLow(k: number, n: number, alpha: number): number {
  return k <= 0 ? 0 : betaQuantile(alpha, k, n - k + 1);
}

export function shareHigh(k: number, n: number, alpha: number): number {
  return n <= 0 || k >= n ? 1 : betaQuantile(1 - alpha, k + 1, n - k);
}

/** The probability of both tails of Student's t distribution beyond t. */
export function tailOfT(t: number, df: number): number {
  return incompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/** The t at which both tails of Student's t distribution together have probability p. */
export function quantileOfT(p: number, df: number): number {
  const x = betaQuantile(p, df / 2, 0.5);
  return Math.sqrt((df * (1 - x)) / x);
}

const normal95 = 1.959964;

/** The change between two values, with its 95 % limits. */
export interface Difference {
  change: number;
  low: number;
  high: number;
  /** Size of the change in standard errors; NaN where these are unknown. */
  errors: number;
  /** Probability of so large a difference between equal cases; NaN where standard errors are unknown. */
  p: number;
}

/**
 * A run's interval says how precisely the run measured its own value; the scatter of runs says how much the next run of
 * the same code differs. The larger of the two counts, because the scatter already includes the uncertainty of single
 * runs.
 */
export function difference(before: number, after: number, hwBefore: number, hwAfter: number, scatter?: { sd: number; df: number }): Difference {
  const logarithm = Math.log(after / before);
  const own = Math.hypot(Number.isFinite(hwBefore) ? hwBefore : 0, Number.isFinite(hwAfter) ? hwAfter : 0) / normal95;
  const between = scatter ? Math.SQRT2 * scatter.sd : 0;
  const error = Math.max(own, between);
  const df = between > own && scatter ? scatter.df : Infinity;
  const reach = error * (Number.isFinite(df) ? quantileOfT(0.05, df) : normal95);
  const errors = error > 0 ? Math.abs(logarithm) / error : NaN;
  return {
    change: Math.expm1(logarithm),
    low: error > 0 ? Math.expm1(logarithm - reach) : NaN,
    high: error > 0 ? Math.expm1(logarithm + reach) : NaN,
    errors,
    // Student's distribution with very many degrees of freedom stands for the normal distribution.
    p: error > 0 ? tailOfT(errors, Math.min(df, 1e6)) : NaN,
  };
}
