// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What must hold for every page, of made-up data or real: PERFCHECK_REPORT_PAGE names a page, PERFCHECK_REPORT_SITE a
// site's folder, on which the same is tested.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, onePageAfterTheOther, settled, skip, temporaryFolder, violations, views, visit } from "./browser.mjs";
import { writeFixtures } from "./fixture.mjs";

const given = [
  ["the page given", process.env.PERFCHECK_REPORT_PAGE],
  ["the site given", process.env.PERFCHECK_REPORT_SITE && join(process.env.PERFCHECK_REPORT_SITE, "index.html")],
].filter(([, file]) => file);

describe("every page", { skip }, () => {
  const { folder, remove } = temporaryFolder();
  const targets = [["page of made-up data", join(folder, "page.html")], ["site of made-up data", join(folder, "site", "index.html")], ...given];
  let browser;
  let on;

  before(async () => {
    await writeFixtures(folder);
    browser = await launch();
    on = onePageAfterTheOther(browser);
  });
  after(async () => {
    await browser?.close();
    remove();
  });

  for (const [name, file] of targets) {
    test(`${name}: every view opens, without an error and without a request`, () => on(file, "", async (page) => {
      for (const view of views) {
        await visit(page, `#/${view}`);
        assert.equal(await page.locator("main .message.bad").count(), 0, `${view} shows an error`);
        const text = await page.locator("main").innerText();
        assert.ok(text.length > 120, `${view} is nearly empty: ${text}`);
        assert.ok(!/NaN|undefined|\bnull\b|\[object|Infinity/.test(text), `${view} shows ${/.{20}(NaN|undefined|\bnull\b|\[object|Infinity).{20}/s.exec(text)?.[0]}`);
      }
    }));

    test(`${name}: no accessibility rule is violated, light and dark`, async () => {
      for (const colorScheme of ["light", "dark"]) {
        await on(file, "", async (page) => {
          for (const view of views) {
            await visit(page, `#/${view}`);
            assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
            assert.deepEqual(await violations(page), [], `${view}, ${colorScheme}`);
          }
        }, { colorScheme });
      }
    });

    test(`${name}: nothing is wider than a phone`, async () => {
      for (const width of [360, 390]) {
        await on(file, "", async (page) => {
          for (const view of views) {
            await visit(page, `#/${view}`);
            const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
            assert.ok(over <= 0, `${view} at ${width} pixels is ${over} pixels too wide`);
          }
        }, { viewport: { width, height: 844 } });
      }
    });

    test(`${name}: an address restores its view, and back goes back`, async () => {
      let hash;
      await on(file, "#/trend", async (page) => {
        const metric = page.getByRole("group", { name: "Metric" });
        await metric.getByRole("link", { name: "time", exact: true }).click();
        await page.waitForFunction(() => location.hash.includes("m=time"));
        await settled(page);
        hash = await page.evaluate(() => location.hash);
        await page.goBack();
        await page.waitForFunction(() => !location.hash.includes("m=time"));
        await settled(page);
        assert.notEqual(await metric.locator("[aria-current]").innerText(), "time");
      });
      await on(file, hash, async (page) => {
        assert.equal(await page.getByRole("group", { name: "Metric" }).locator("[aria-current]").innerText(), "time");
      });
    });

    test(`${name}: on paper every table is open and controls are gone`, () => on(file, "#/ladder", async (page) => {
      assert.equal(await page.locator("details[open]").count(), 0);
      await page.emulateMedia({ media: "print" });
      await page.waitForFunction(() => [...document.querySelectorAll("details")].every((one) => one.open && one.querySelector("table")));
      assert.equal(await page.locator("header").isVisible(), false);
      await page.emulateMedia({ media: "screen" });
      await page.waitForFunction(() => document.querySelectorAll("details[open]").length === 0);
    }));
  }
});
