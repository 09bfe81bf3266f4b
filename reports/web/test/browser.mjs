// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// A browser for the tests, and pages that remember what they complained about.

import { accessSync, constants, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function findBrowser() {
  const named = process.env.PERFCHECK_CHROMIUM;
  if (named) return executable(named) ? named : undefined;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      if (executable(join(folder, name))) return join(folder, name);
    }
  }
  return undefined;
}

export const browserPath = findBrowser();
export const skip = browserPath === undefined
  ? "no browser: install chromium, or name one in PERFCHECK_CHROMIUM" : false;

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "perfcheck-report-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function launch() {
  return chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--headless"] });
}

export const address = (file, hash = "") => pathToFileURL(resolve(file)).href + hash;

/** Opens a page and waits until its view is there; `problems` collects errors and requests to anywhere but the disk. */
export async function open(browser, file, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // Other work on the machine may make everything slow; what hangs is still found.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) problems.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address(file, hash));
  await settled(page);
  return { page, problems, close: () => context.close() };
}

/** Nothing is being read any more, something is shown, and what was opened has its content: the toggle event, which brings
    it, follows the click later. */
export async function settled(page) {
  await page.waitForFunction(
    () => document.querySelector("main") !== null && document.querySelector("[aria-busy=true]") === null
      && document.querySelector("details[open]:not(:has(> summary + *))") === null
      && document.querySelector("main").textContent.trim() !== "",
  );
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function visit(page, hash) {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
  // The route follows the hashchange event, which follows later.
  await page.waitForFunction(
    (to) => document.querySelector("header nav a[aria-current]")?.textContent.toLowerCase() === (/#\/(\w+)/.exec(to)?.[1] ?? "overview"), hash,
  );
  await settled(page);
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Violations of accessibility rules, as readable lines. */
export async function violations(page) {
  // Evaluated by the test's own channel, which the page's policy does not concern.
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.flatMap((rule) => rule.nodes.slice(0, 4).map(
    (node) => `${rule.id}: ${node.target.join(" ")}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? rule.help}`,
  ));
}

export const views = ["overview", "ladder", "trend", "compare", "case", "quality"];
