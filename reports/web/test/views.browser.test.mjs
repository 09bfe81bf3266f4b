// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// What each view does, on made-up data whose contents are known.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { launch, onePageAfterTheOther, open, settled, skip, temporaryFolder, violations, visit } from "./browser.mjs";
import { writeFixtures } from "./fixture.mjs";
import { hostile } from "./made_up.mjs";

const stepped = "gemm/mma/f16_pipeline@f16.f32,nn,m4096n4096k4096";
const other = "gemm/wgmma/f16_tma@f16.f32,nn,m4096n4096k4096";

describe("views", { skip }, () => {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, "page.html");
  let browser;
  let data;
  let onFile;

  before(async () => {
    data = await writeFixtures(folder);
    browser = await launch();
    onFile = onePageAfterTheOther(browser);
  });
  after(async () => {
    await browser?.close();
    remove();
  });

  /** Runs with a page and checks that nothing went wrong meanwhile. */
  const on = (hash, run, { options = {}, where = file } = {}) => onFile(where, hash, run, options);

  const windowText = (page) => page.evaluate(() => location.hash.replace(/^[^?]*\??/, ""));
  const label = (page) => page.locator("[role=application]").getAttribute("aria-label");

  test("the overview says what regressed, since which commit, and what else changed", () => on("#/overview", async (page) => {
    const changed = page.locator("section", { has: page.getByRole("heading", { name: "What changed" }) });
    const text = await changed.innerText();
    assert.match(text, /regressed/);
    assert.match(text, /since [0-9a-f]{10}/);
    assert.match(text, /registers 128 -> 168/);
    assert.match(text, /gemm\/mma\/f16_pipeline\s+15\scases/);
    await changed.getByRole("button", { name: /15\scases/ }).first().click();
    assert.match(await changed.innerText(), /@f16.f32,nn,m4096n4096k4096|@f32,nn,m4096n4096k4096|@bf16.f32,nn/);
    assert.match(await page.locator(".headline").innerText(), /14 incorrect/);
    assert.match(await page.getByRole("heading", { name: "Environment" }).locator("xpath=ancestor::section").innerText(), /power limit: 700\sW → 650\sW/);
  }));

  test("the heat map has a row for each kernel and switches what it shows", () => on("#/overview", async (page) => {
    const table = page.locator("table.heat-map");
    assert.equal(await table.locator("tbody th[scope=row]").count(), 24);
    const cell = table.getByRole("link", { name: new RegExp(`: ${stepped.replace(/\./g, "\\.")}`) });
    const first = await cell.innerText();
    await page.getByRole("link", { name: "change against baseline" }).click();
    await page.waitForFunction(() => location.hash.includes("h=change"));
    await settled(page);
    assert.match(await cell.innerText(), /^\+2\.\d\d$/);
    assert.notEqual(first, await cell.innerText());
    await cell.click();
    await page.waitForFunction(() => location.hash.startsWith("#/case"));
  }));

  test("cases that crept stand in the overview and lead to their trend, where it is marked", () => on("#/overview", async (page) => {
    const crept = page.locator("section", { has: page.getByRole("heading", { name: /crept beyond/ }) });
    const text = await crept.innerText();
    assert.match(text, /1\scase crept beyond what is allowed since release v1\.2/);
    assert.match(text, /\+1\.02\s%[\s\S]*with [0-9a-f]{10} \(\+0\.51\s%\)[\s\S]*\+0\.34\s%/);
    await crept.getByRole("link", { name: /@/ }).first().click();
    await page.waitForFunction(() => location.hash.startsWith("#/trend"));
    await settled(page);
    assert.match(await page.locator(".events").innerText(), /\+1\.02\s% slower by small steps that began here\s+beyond the 0\.50\s% allowed, against the release/);
  }));

  test("a device on which nothing crept says so", () => on("#/overview?d=nvidia-h200/gemm", async (page) => {
    assert.match(await page.locator(".crept").innerText(), /No case crept: none of \d+ became slower by small steps since the first runs/);
  }));

  test("a change of level opens its trend", () => on("#/overview", async (page) => {
    await page.locator(".change-line a").first().click();
    await page.waitForFunction(() => location.hash.startsWith("#/trend"));
    await settled(page);
    assert.ok(await page.locator("[role=application] canvas").isVisible());
  }));

  test("the trend zooms by drag, wheel and keys, and Escape shows everything again", () => on(`#/trend?c=${stepped}`, async (page) => {
    const chart = page.locator("[role=application]");
    const box = await page.locator(".u-over").boundingBox();
    assert.equal(await windowText(page), `c=${stepped}`);
    await page.mouse.move(box.x + 200, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + 500, box.y + 100, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => /from=.*to=/.test(location.hash));
    const dragged = await windowText(page);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction((before) => !location.hash.endsWith(before), dragged);
    const wheeled = await windowText(page);
    await chart.focus();
    await page.keyboard.press("+");
    await page.waitForFunction((before) => !location.hash.endsWith(before), wheeled);
    const shown = await page.locator(".events li").count();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !location.hash.includes("from="));
    await page.getByRole("link", { name: /^all 300/ }).click();
    await page.waitForFunction(() => location.hash.includes("from=all"));
    await settled(page);
    assert.ok(await page.locator(".events li").count() > shown);
  }));

  test("the brush moves the window", () => on(`#/trend?c=${stepped}`, async (page) => {
    const box = await page.locator(".brush svg").boundingBox();
    await page.mouse.move(box.x + box.width - 150, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 350, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => /to=/.test(location.hash));
  }));

  test("an address restores the window of a trend", () => on(`#/trend?c=${stepped}`, async (page) => {
    const device = await page.evaluate(() => JSON.parse(document.getElementById("manifest").textContent).devices[0].runs);
    assert.equal(device, 300);
    await page.locator("[role=application]").focus();
    for (const key of ["+", "+", "+"]) await page.keyboard.press(key);
    await page.waitForFunction(() => location.hash.includes("from="));
    const hash = await page.evaluate(() => location.hash);
    const [events, said] = [await page.locator(".events").innerText(), await label(page)];
    const again = await open(browser, file, hash);
    assert.equal(await again.page.locator(".events").innerText(), events);
    assert.equal(await label(again.page), said);
    const [, from, to] = /from=([^&]+)&to=([^&]+)/.exec(hash);
    assert.match(said, new RegExp(`over 300\\sruns, ${data.runs[0].indexOf(from) + 1} to ${data.runs[0].indexOf(to) + 1} shown`));
    await again.close();
  }));

  test("arrow keys move along the points and say what they are", () => on(`#/trend?c=${stepped}`, async (page) => {
    const said = page.locator(".plot [role=status]");
    await page.locator("[role=application]").focus();
    await page.keyboard.press("End");
    await page.waitForFunction(() => /^Run 300,/.test(document.querySelector(".plot [role=status]").textContent));
    assert.match(await said.textContent(), /commit [0-9a-f]{10} by .*: 1\.\d+\s×/);
    assert.match(await page.locator(".readout").innerText(), /run 300/);
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => /^Run 299,/.test(document.querySelector(".plot [role=status]").textContent));
    await page.keyboard.press("Home");
    await page.waitForFunction(() => /^Run 1,/.test(document.querySelector(".plot [role=status]").textContent));
  }));

  test("hovering shows commit, author, date and value", () => on(`#/trend?c=${stepped}`, async (page) => {
    const box = await page.locator(".u-over").boundingBox();
    await page.mouse.move(box.x + 300, box.y + 120);
    await page.waitForSelector(".tooltip");
    assert.match(await page.locator(".tooltip").innerText(), /\d\.\d+\s×\s+±0\.\d+\s%[\s\S]*[0-9a-f]{10}[\s\S]*2026-\d\d-\d\d/);
  }));

  test("changes of level stand below the chart with size, commit and author", () => on(`#/trend?c=${stepped}&from=all`, async (page) => {
    const events = await page.locator(".events").innerText();
    assert.match(events, /\+2\.95\s% slower/);
    assert.match(events, /driver 570\.86\.15 → 580\.159\.04/);
    assert.match(await label(page), /ratio to the reference over 300\sruns, 1 to 300 shown/);
  }));

  test("several cases of several devices share a chart, relative and by date", () => on(
    `#/trend?c=${stepped}&c=${other}&c=nvidia-h200/gemm~${stepped}`, async (page) => {
      assert.equal(await page.locator(".chip").count(), 3);
      assert.equal(await page.getByRole("group", { name: "Scale" }).getByText("value", { exact: true }).count(), 0);
      assert.equal(await page.getByRole("group", { name: "Runs" }).locator("[aria-current]").innerText(), "by date");
      await page.getByRole("link", { name: `Take ${other} out of the chart` }).click();
      await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);
    }));

  test("typing finds a case and adds it to the chart", () => on(`#/trend?c=${stepped}`, async (page) => {
    const input = page.getByRole("combobox", { name: "Add a case to the chart" });
    await input.fill("tma bf16 8192n8192");
    assert.equal(await page.locator("li[role=option]:visible").count(), 1);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelectorAll(".chip").length === 2);
    assert.match(await page.evaluate(() => location.hash), /c=gemm\/wgmma\/bf16_tma@bf16\.f32,nn,m8192n8192k8192/);
  }));

  test("missing runs are gaps and failed runs are named", () => on("#/trend?c=gemm/wrong/<b>bold</b>@bf16.f32,nn,m4096n4096k4096", async (page) => {
    assert.match(await page.locator(".events").innerText(), /incorrect/);
    await page.getByText("Table of the runs shown").click();
    await settled(page);
    assert.ok(await page.locator("table .missing").count() > 0);
  }));

  test("the comparison sorts by significance and filters", () => on("#/compare", async (page) => {
    const runs = data.manifest.devices[0].runs;
    assert.equal(runs, 300);
    const before = page.getByRole("combobox", { name: "Before" });
    await before.fill("2026-10-2");
    await page.locator("li[role=option]:visible").nth(1).click();
    await page.waitForFunction(() => location.hash.includes("a="));
    await settled(page);
    const significant = await page.locator(".compare-table tbody tr").count();
    assert.ok(significant > 20, `${significant} rows`);
    const errors = await page.locator(".compare-table tbody td:last-child").allInnerTexts();
    const numbers = errors.map(Number).filter((one) => !Number.isNaN(one));
    assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
    assert.match(await page.locator(".compare-table").innerText(), /registers 128 → 168/);
    await page.getByLabel("only significant").click();
    await page.waitForFunction((count) => document.querySelectorAll(".compare-table tbody tr").length > count, significant);
    await page.getByLabel("Filter").fill("simt naive 4096n4096");
    await page.waitForFunction(() => document.querySelectorAll(".compare-table tbody tr").length === 1);
    assert.match(await page.evaluate(() => location.hash), /q=simt/);
  }));

  test("a page and a site compare alike", async () => {
    const texts = [];
    for (const where of [file, join(folder, "site", "index.html")]) {
      await on(`#/compare?all=1&m=time&a=${data.runs[0][20]}`, async (page) => {
        texts.push(await page.locator(".compare-table tbody").evaluate((body) => [...body.rows].map((row) => row.textContent)));
      }, { where });
    }
    assert.ok(texts[0].length > 100);
    assert.ok(texts[0].some((text) => text.includes("also changed: registers")));
    assert.deepEqual(texts[0], texts[1]);
  });

  test("a case shows verdict, rounds, checks, launches and the command", () => on(`#/case?c=${stepped}`, async (page) => {
    const text = await page.locator("main").innerText();
    assert.match(text, /ratio and cycles|ratio 2\.95 %, cycles 2\.85 %/);
    assert.match(text, /kernels\/gemm\/mma\/f16_pipeline\.cu:\d+/);
    assert.ok(text.includes(`perfcheck check --suite default --filter '${stepped}'`));
    assert.match(text, /inputs_untouched/);
    assert.match(text, /registers 128 → 168/);
    assert.ok(await page.locator(".rounds .strip circle").count() >= 100);
    await page.getByRole("button", { name: "clock" }).click();
    assert.match(await page.locator(".rounds svg").innerText().catch(() => page.locator(".rounds svg").textContent()), /MHz/);
  }));

  test("the ladder shows kernels against the reference, and scaling over size", () => on("#/ladder?p=f16.f32,nn,m4096n4096k4096", async (page) => {
    assert.equal(await page.locator(".bar-row").count(), 7);
    assert.match(await page.locator(".bars svg").textContent(), /reference \d+.*peak f16|peak f16.*reference \d+/);
    await page.getByRole("checkbox", { name: "gemm/mma/f16_tile" }).click();
    await page.waitForFunction(() => location.hash.includes("k="));
    const point = page.locator("a.point[tabindex='0']");
    await point.focus();
    const first = await page.locator(".chart-readout").first().innerText();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((before) => document.querySelector(".chart-readout").innerText !== before, first);
  }));

  test("quality shows false alarms with their bound and the rules of others", () => on("#/quality", async (page) => {
    const text = await page.locator("main").innerText();
    assert.match(text, /0 of 56[\s\S]*95 % sure: fewer than 5\.2\s%/);
    assert.match(text, /rank test over rounds/);
    await visit(page, "#/quality?d=nvidia-h200/gemm");
    assert.match(await page.locator("main").innerText(), /perfcheck calibrate --data/);
  }));

  test("keys search, explain and move", () => on("#/overview", async (page) => {
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement.id), "search");
    await page.keyboard.type("f16_tma 4096n4096k4096");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.startsWith("#/case?"));
    await visit(page, "#/overview");
    await page.keyboard.press("Escape");
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("j");
    const first = await page.evaluate(() => document.activeElement.textContent);
    await page.keyboard.press("j");
    assert.notEqual(await page.evaluate(() => document.activeElement.textContent), first);
    await page.keyboard.press("k");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), first);
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.querySelector("dialog[open]") === null);
  }));

  test("the reader's choice of colours wins and is kept", async () => {
    await on("#/overview", async (page) => {
      const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await back();
      await page.getByRole("button", { name: /^Colours: auto/ }).click();
      await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
      assert.notEqual(await back(), dark);
      await page.reload();
      await settled(page);
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    }, { options: { colorScheme: "dark" } });
  });

  test("colours follow the system until the reader chooses, and paper is light", () => on("#/ladder", async (page) => {
    const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    const dark = await back();
    assert.notEqual(dark, light);
    await page.emulateMedia({ colorScheme: "dark", media: "print" });
    assert.equal(await back(), "rgb(255, 255, 255)");
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--series-0").trim()), "#0f62ac");
    await page.emulateMedia({ colorScheme: "light", media: "screen" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    assert.equal(await back(), light);
  }));

  test("hostile text is text, wherever it stands", async () => {
    const bold = "c=gemm/wrong/<b>bold</b>@bf16.f32,nn,m4096n4096k4096";
    // The page in which only some texts are hostile shows them in every view; in the other one all are.
    for (const [where, shown] of [[file, 1], [join(folder, "hostile.html"), 6]]) {
      for (const hash of ["#/overview", "#/ladder", `#/trend?from=all&${bold}`, "#/trend?from=all", "#/compare?all=1", `#/case?${bold}`, "#/case", "#/quality"]) {
        await on(hash, async (page) => {
          await page.evaluate(() => {
            for (const more of document.querySelectorAll("main .attention button.link, main button.more, main summary")) more.click();
          });
          await settled(page);
          const times = (await page.locator("body").innerText()).split(hostile).length - 1;
          assert.ok(times >= shown, `${hash} shows the text ${times} times`);
          assert.equal(await page.evaluate(() => window.hacked), undefined);
          assert.equal(await page.locator("img, main b b").count(), 0, `${hash} has an element made of text`);
          assert.equal(await page.locator("a[href^='javascript:']").count(), 0);
        }, { where });
      }
    }
    await on("#/trend?d=nvidia-h200/gemm", async (page) => {
      assert.equal(await page.locator("a[href^='javascript:']").count(), 0);
      assert.equal(await page.locator(".readout a code").count(), 0, "a commit is linked although the repository is no page");
    });
  });

  test("no accessibility rule is violated by what opens", async () => {
    const opened = [
      ["#/overview", async (page) => page.locator("main .attention button.link").first().click()],
      ["#/overview", async (page) => page.keyboard.press("?")],
      ["#/overview", async (page) => page.locator("#search").fill("f16")],
      ["#/ladder", async (page) => page.locator("summary").first().click()],
      [`#/trend?c=${stepped}&c=${other}&from=all`, async (page) => page.getByText("Table of the runs shown").click()],
      [`#/trend?c=${stepped}`, async (page) => page.keyboard.press("End")],
      ["#/compare?all=1", async (page) => page.getByRole("combobox", { name: "Before" }).fill("2026-10")],
      [`#/case?c=${stepped}`, async (page) => page.getByRole("button", { name: "clock" }).click()],
    ];
    for (const [hash, act] of opened) {
      for (const colorScheme of ["light", "dark"]) {
        await on(hash, async (page) => {
          await act(page);
          await settled(page);
          assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
          assert.deepEqual(await violations(page), [], `${hash}, ${colorScheme}`);
        }, { options: { colorScheme } });
      }
    }
  });

  test("an address that names what is not there says so", async () => {
    await on("#/case?c=<img src=x>", async (page) => assert.match(await page.locator("main").innerText(), /No case is named <img src=x>/));
    await on("#/trend?c=nothing", async (page) => assert.match(await page.locator("main").innerText(), /No case is named nothing/));
    await on("#/ladder?p=nothing", async (page) => assert.match(await page.locator("main").innerText(), /No problem nothing/));
    await on("#/trend?m=nonsense&y=x&x=y&from=1&to=2", async (page) => assert.ok(await page.locator("[role=application]").isVisible()));
  });

  test("a broken or missing chunk is named in its place", async () => {
    const where = join(folder, "broken-chunk.html");
    const device = data.cases[0];
    await on(`#/trend?c=${device[1]}`, async (page) => assert.match(await page.locator("[role=alert]").innerText(), /chunk d0c1 is damaged.*Write the report again/s), { where });
    await on(`#/trend?c=${device[2]}`, async (page) => assert.match(await page.locator("[role=alert]").innerText(), /does not hold chunk d0c2/), { where });
    await on(`#/trend?c=${device[1]}&c=${device[3]}`, async (page) => assert.ok(await page.locator("[role=application]").isVisible()), { where });
    await on("#/compare?all=1", async (page) => {
      assert.equal(await page.locator("[role=alert]").count(), 2);
      assert.ok(await page.locator(".compare-table tbody tr").count() > 100);
    }, { where });
    await on("#/overview?d=nvidia-h200/gemm", async (page) => assert.match(await page.locator("[role=alert]").innerText(), /chunk d1 is damaged/), { where });
  });

  test("a broken manifest and an empty history give a page that says so", async () => {
    await on("", async (page) => assert.match(await page.locator("main").innerText(), /cannot be read[\s\S]*perfcheck report --out/), { where: join(folder, "broken-manifest.html") });
    await on("", async (page) => {
      const text = await page.locator("main").innerText();
      assert.match(text, /The history is empty\./, "the page's own note");
      assert.match(text, /perfcheck history add RUN/);
      assert.match(text, /perfcheck check --history FILE/);
    }, { where: join(folder, "empty.html") });
  });
});
