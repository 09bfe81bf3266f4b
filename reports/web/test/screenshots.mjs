// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Pictures of every view of a page, light and dark, as docs/img holds them of the sample history:
//
//     node test/screenshots.mjs PAGE FOLDER ["view=fragment" ...]

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launch, open, skip, views, visit } from "./browser.mjs";

const [file, folder, ...given] = process.argv.slice(2);
if (file === undefined || folder === undefined || skip) {
  console.error(skip || "usage: node test/screenshots.mjs PAGE FOLDER [\"view=fragment\" ...]");
  process.exit(64);
}
const fragments = new Map(views.map((view) => [view, `#/${view}`]));
for (const one of given) {
  const at = one.indexOf("=");
  fragments.set(one.slice(0, at), one.slice(at + 1));
}

mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  const { page, close } = await open(browser, file, "", { colorScheme, viewport: { width: 1200, height: 1000 } });
  for (const [view, fragment] of fragments) {
    await visit(page, fragment);
    await page.screenshot({ path: join(folder, `${view}-${colorScheme}.png`) });
  }
  await close();
}
await browser.close();
