// SPDX-FileCopyrightText: The perfcheck authors
// SPDX-License-Identifier: Apache-2.0

// Bundles the page: `node build.mjs FOLDER` writes app.js, app.css and app.sha256 into FOLDER. The last one is the
// source expression of app.js for a Content-Security-Policy, so that the page need not allow any other inline script.

import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(fileURLToPath(import.meta.url));

export async function bundle() {
  const result = await build({
    absWorkingDir: root,
    entryPoints: { app: "src/main.tsx" },
    outdir: "out",
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2020",
    charset: "ascii",
    legalComments: "none",
    jsx: "transform",
    jsxFactory: "h",
    jsxFragment: "Fragment",
    inject: ["src/jsx.ts"],
    tsconfigRaw: {},
    logLevel: "warning",
  });
  const text = (extension) => result.outputFiles.find((file) => file.path.endsWith(extension)).text;
  // Both are put into an HTML page unchanged, so nothing in them may end the element that contains them.
  const js = text(".js").replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--").trimEnd();
  const css = text(".css").trimEnd();
  if (/<\/style/i.test(css)) throw new Error("the style sheet holds </style");
  return { js, css, hash: "sha256-" + createHash("sha256").update(js).digest("base64") };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error("usage: node build.mjs FOLDER");
    process.exit(64);
  }
  const { js, css, hash } = await bundle();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "app.js"), js);
  writeFileSync(join(folder, "app.css"), css);
  writeFileSync(join(folder, "app.sha256"), hash);
  console.log(`app.js ${js.length} bytes, app.css ${css.length} bytes`);
}
