// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Keys that work everywhere: / searches, ? explains, j and k (or arrows within a list) move from row to row.

import { useEffect } from "preact/hooks";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

/** Moves the focus among the elements that the view marked with data-row; true if there was one to move to. */
function moveRow(step: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter((row) => row.offsetParent !== null);
  if (rows.length === 0) return false;
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
  return true;
}

export function useKeys(onHelp: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const inList = document.activeElement instanceof HTMLElement && document.activeElement.dataset["row"] !== undefined;
      if (event.key === "/") {
        event.preventDefault();
        document.getElementById("search")?.focus();
      } else if (event.key === "?") {
        onHelp();
      } else if (event.key === "j" || (inList && event.key === "ArrowDown")) {
        if (moveRow(1)) event.preventDefault();
      } else if (event.key === "k" || (inList && event.key === "ArrowUp")) {
        if (moveRow(-1)) event.preventDefault();
      }
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [onHelp]);

  useEffect(() => {
    // Opens every table for printing, and restores them afterwards.
    const media = matchMedia("print");
    const listen = (): void => {
      for (const details of document.querySelectorAll("details")) {
        if (media.matches && !details.open) {
          details.open = true;
          details.dataset["printed"] = "";
        } else if (!media.matches && details.dataset["printed"] !== undefined) {
          details.open = false;
          delete details.dataset["printed"];
        }
      }
    };
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, []);
}
