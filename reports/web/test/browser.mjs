// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// A browser for the tests, and pages that remember what they complained about.

import assert from "node:assert/strict";
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

const desktop = { width: 1280, height: 900 };

/** Opens a page and waits until its view is there; `problems` collects errors and requests to anywhere but the disk. */
export async function open(browser, file, hash = "", options = {}) {
  const context = await browser.newContext({ viewport: desktop, ...options });
  // Other work on the machine may make everything slow; what hangs is still found.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(file:|about:blank$)/.test(request.url())) problems.push(`request: ${request.url()}`);
  });
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address(file, hash));
  await settled(page);
  return { page, problems, close: () => context.close() };
}

/**
 * on(file, hash, run): opens the file, runs, and checks that nothing went wrong meanwhile. Most of what opening costs is a new
 * context and its process, so the next file is opened where the last one was, without what that left behind. What failed
 * leaves nothing to the next one.
 */
export function onePageAfterTheOther(browser) {
  let kept;
  async function again(file, hash, { colorScheme = "light", viewport = desktop }) {
    const { page, problems } = kept;
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
    await page.mouse.move(0, 0);
    await page.emulateMedia({ media: null, colorScheme });
    await page.setViewportSize(viewport);
    problems.length = 0;
    await page.goto(address(file, hash));
    await settled(page);
  }
  return async (file, hash, run, options = {}) => {
    try {
      if (kept) await again(file, hash, options);
      else kept = await open(browser, file, hash, options);
      await run(kept.page);
      assert.deepEqual(kept.problems, []);
    } catch (error) {
      await kept?.close();
      kept = undefined;
      throw error;
    }
  };
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

/** What was found without a violation, by what axe sees: the themes in which it was looked at. */
const clean = new Map();

/**
 * All that axe can see but for colours: the elements, what is typed and focused, the size. The scripts and the policy are not
 * among it; they are all in which a page and a site differ. The theme is told apart, if its styles are of nothing but colours.
 */
const seen = (page) => page.evaluate(() => {
  const copy = document.documentElement.cloneNode(true);
  const theme = document.documentElement.dataset.theme;
  for (const one of copy.querySelectorAll("script, meta[http-equiv]")) one.remove();
  // The line ends between those scripts.
  for (const one of [...copy.lastElementChild.childNodes]) if (one.nodeType === Node.TEXT_NODE && one.data.trim() === "") one.remove();
  const rules = (list) => [...list].flatMap((rule) => [rule, ...(rule.cssRules ? rules(rule.cssRules) : [])]);
  const themed = [...document.styleSheets].flatMap((sheet) => rules(sheet.cssRules))
    .filter((rule) => /data-theme/.test(rule.selectorText) || /prefers-color/.test(rule.conditionText));
  const onlyColours = themed.every((rule) => rule.style && [...rule.style].every((name) => /^(--|color-scheme$)/.test(name)));
  if (onlyColours) delete copy.dataset.theme;
  const typed = [...document.querySelectorAll("input, select, textarea")].map((one) => [one.value, one.checked]);
  const focused = [...document.querySelectorAll("*")].indexOf(document.activeElement);
  return { theme, text: JSON.stringify([copy.outerHTML, typed, focused, innerWidth, innerHeight, scrollX, scrollY]) };
});

/**
 * Violations of accessibility rules, as readable lines. What was clean is not looked at again, and in another theme only by
 * the rules of colours.
 */
export async function violations(page) {
  const { theme, text } = await seen(page);
  const themes = clean.get(text) ?? [];
  if (themes.includes(theme)) return [];
  // Evaluated by the test's own channel, which the page's policy does not concern.
  await page.evaluate(axeSource);
  const found = await page.evaluate((again) => {
    // Nobody reads the elements' source.
    window.axe.configure({ noHtml: true });
    const ofColours = window.axe.getRules(["cat.color"]).filter((rule) => !rule.tags.includes("wcag2aaa")).map((rule) => rule.ruleId);
    return window.axe.run(document, { resultTypes: ["violations"], ...(again ? { runOnly: { type: "rule", values: ofColours } } : {}) });
  }, themes.length > 0);
  if (found.violations.length === 0) clean.set(text, [...themes, theme]);
  return found.violations.flatMap((rule) => rule.nodes.slice(0, 4).map(
    (node) => `${rule.id}: ${node.target.join(" ")}: ${(node.any[0] ?? node.all[0] ?? node.none[0])?.message ?? rule.help}`,
  ));
}

export const views = ["overview", "ladder", "trend", "compare", "case", "quality"];
