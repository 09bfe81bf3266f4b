// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Light or dark: as the system is set, unless the reader chose. A page opened from a disk may not be allowed to use
// storage; then the choice lasts as long as the page is open.

import { useEffect, useState } from "preact/hooks";

export type Theme = "auto" | "light" | "dark";
const storageKey = "perfcheck.theme";

export function storedTheme(): Theme {
  try {
    const value = localStorage.getItem(storageKey);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
let chosen: Theme = "auto";

function show(): void {
  document.documentElement.dataset["theme"] = chosen !== "auto" ? chosen : systemIsDark.matches ? "dark" : "light";
  window.dispatchEvent(new Event("perfcheck:theme"));
}
systemIsDark.addEventListener("change", show);

export function applyTheme(theme: Theme): void {
  chosen = theme;
  try {
    if (theme === "auto") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Kept for this page only.
  }
  show();
}

/** A number that changes whenever colours may have changed, so that canvases are redrawn. */
export function useColourScheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const bump = (): void => setCount((n) => n + 1);
    const paper = matchMedia("print");
    paper.addEventListener("change", bump);
    window.addEventListener("perfcheck:theme", bump);
    return () => {
      paper.removeEventListener("change", bump);
      window.removeEventListener("perfcheck:theme", bump);
    };
  }, []);
  return count;
}
