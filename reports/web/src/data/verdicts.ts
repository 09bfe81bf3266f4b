// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Words, glyphs and tones of verdicts and statuses, in the order of their importance.

export type Tone = "worse" | "better" | "broken" | "unsure" | "fine" | "none";

export interface State {
  word: string;
  glyph: string;
  tone: Tone;
  /** What the state means, in a sentence. */
  meaning: string;
}

const states: Record<string, State> = {
  incorrect: { word: "incorrect", glyph: "\u2715", tone: "broken", meaning: "a result was wrong, so there is no time" },
  implausible: { word: "implausible", glyph: "\u221e", tone: "broken", meaning: "timed faster than the device can possibly be" },
  invalid: { word: "invalid", glyph: "\u2297", tone: "broken", meaning: "its numbers cannot be used" },
  crashed: { word: "crashed", glyph: "\u2716", tone: "broken", meaning: "the worker died while the case ran" },
  timed_out: { word: "timed out", glyph: "\u25d4", tone: "broken", meaning: "the case exceeded its time limit" },
  failed: { word: "failed", glyph: "!", tone: "broken", meaning: "the kernel or the harness reported an error" },
  missing: { word: "missing", glyph: "\u2205", tone: "broken", meaning: "in the baseline, but it did not run" },
  regressed: { word: "regressed", glyph: "\u25b2", tone: "worse", meaning: "slower than allowed, confirmed in fresh sessions" },
  inconclusive: { word: "inconclusive", glyph: "?", tone: "unsure", meaning: "the measurements do not tell" },
  no_baseline: { word: "no baseline", glyph: "\u25cb", tone: "unsure", meaning: "nothing was accepted to compare with" },
  incomparable: { word: "incomparable", glyph: "\u2260", tone: "unsure", meaning: "the machine is not what it was" },
  improved: { word: "improved", glyph: "\u25bc", tone: "better", meaning: "faster than before, confirmed" },
  pass: { word: "pass", glyph: "\u2713", tone: "fine", meaning: "no slower than allowed" },
  measured: { word: "measured", glyph: "\u2713", tone: "fine", meaning: "verified and timed; nothing was decided" },
  skipped: { word: "skipped", glyph: "\u2013", tone: "none", meaning: "not run on purpose" },
};

export const stateOrder: readonly string[] = Object.keys(states);

export function stateOf(name: string | undefined): State {
  if (name === undefined || name === "") {
    return { word: "nothing decided", glyph: "\u00b7", tone: "none", meaning: "nothing was compared" };
  }
  return Object.prototype.hasOwnProperty.call(states, name)
    ? (states[name] as State)
    : { word: name.replace(/_/g, " "), glyph: "\u00b7", tone: "none", meaning: "" };
}

/** Statuses without a time, which a trend shows as marks. */
export function isFailure(status: string): boolean {
  return status !== "" && stateOf(status).tone === "broken";
}

export function orderedCounts(counts: Record<string, number>): [string, number][] {
  const place = (name: string): number => {
    const at = stateOrder.indexOf(name);
    return at < 0 ? stateOrder.length : at;
  };
  return Object.entries(counts).filter(([, count]) => count > 0).sort(([a], [b]) => place(a) - place(b));
}

/** A run's state, from the exit code of its decision. */
export function runState(exitCode: number | undefined): State {
  switch (exitCode) {
    case undefined:
      return { word: "Measured", glyph: "\u00b7", tone: "none", meaning: "nothing was decided: measured without a comparison" };
    case 0:
      return { word: "Green", glyph: "\u2713", tone: "fine", meaning: "every case passed or improved" };
    case 1:
      return { word: "Regressed", glyph: "\u25b2", tone: "worse", meaning: "at least one case regressed" };
    case 2:
      return { word: "Broken", glyph: "\u2715", tone: "broken",
        meaning: "a wrong result or impossible time, crash, time-out, missing or invalid case, or no case matched" };
    case 3:
      return { word: "Undecided", glyph: "?", tone: "unsure",
        meaning: "inconclusive, no baseline, or the environment is not comparable" };
    default:
      return { word: `Exit code ${exitCode}`, glyph: "!", tone: "broken", meaning: "the check ended early" };
  }
}
